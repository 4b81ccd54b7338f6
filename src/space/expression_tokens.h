#pragma once
#include <cstddef>
#include <string>
#include <string_view>

namespace salvo {

struct Token {
  enum class Kind { number, text, name, sign, end };
  Kind kind = Kind::end;
  std::string text = {};  // of a name without its backticks, of a text without its quotes
  bool quoted = false;    // a name in backticks
  double number = 0;
  std::size_t begin = 0, end = 0;
};

// The words and signs of an expression, one after the other.
class Tokens {
 public:
  explicit Tokens(std::string_view text);
  [[nodiscard]] const Token& now() const { return now_; }
  [[nodiscard]] std::size_t end_of_last() const { return end_of_last_; }
  [[nodiscard]] bool is(std::string_view sign) const;
  bool take(std::string_view sign);
  void next();
  // Both throw std::invalid_argument that quotes the expression.
  [[noreturn]] void fail(std::size_t at, const std::string& problem) const;
  [[noreturn]] void expected(std::string_view what) const;

 private:
  void read(char c);
  void read_number();
  void read_quoted(char quote);
  void read_sign();

  std::string_view text_;
  std::size_t at_ = 0, end_of_last_ = 0;
  Token now_;
};

}  // namespace salvo
