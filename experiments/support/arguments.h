#pragma once
#include <cstdint>
#include <limits>
#include <memory>
#include <string>
#include <vector>

namespace salvo::experiments {

// What a number may be, ends included.
struct Range {
  double least = std::numeric_limits<double>::lowest(), most = std::numeric_limits<double>::max();
};
inline constexpr Range kPositive{1};

// The words behind the name of an experiment. Each option is bound to a variable, which holds its default; the parser itself
// is slow to compile and lies behind this header.
class Arguments {
 public:
  Arguments(const std::string& name, const std::string& about, std::vector<std::string> words);
  ~Arguments();
  Arguments(const Arguments&) = delete;
  Arguments& operator=(const Arguments&) = delete;

  // name: "--seeds", or "library" for a word without a dash in front.
  void flag(const std::string& name, bool& to, const std::string& help);
  void option(const std::string& name, int& to, const std::string& help, Range range = {});
  void option(const std::string& name, std::int64_t& to, const std::string& help, Range range = {});
  void option(const std::string& name, double& to, const std::string& help, Range range = {});
  void option(const std::string& name, std::string& to, const std::string& help, const std::vector<std::string>& choices = {});
  void required(const std::string& name, std::string& to, const std::string& help);
  void list(const std::string& name, std::vector<std::string>& to, const std::string& help);      // a,b or a b
  void repeated(const std::string& name, std::vector<std::string>& to, const std::string& help);  // commas are part of a word

  // Reads the words into the variables. Throws Usage when that is the end of it: help was asked for, or a word is wrong.
  void parse();

  [[nodiscard]] const std::string& command() const { return command_; }  // as typed, without the folder of the program

 private:
  struct Parser;
  std::unique_ptr<Parser> parser_;
  std::vector<std::string> words_;
  std::string command_;
};

struct Usage {
  int status;        // of the program
  std::string text;  // for standard output when the status is 0, for standard error otherwise
};

}  // namespace salvo::experiments
