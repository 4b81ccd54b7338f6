#include "space/expression_tokens.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "space/letters.h"
#include "text/numbers.h"
#include "text/text.h"

namespace salvo {
namespace {

constexpr std::size_t kLongest = 10'000;

}  // namespace

Tokens::Tokens(std::string_view text) : text_(text) {
  if (text.size() > kLongest)
    throw std::invalid_argument(fmt::format("expected an expression of {} characters at most, got {}", kLongest, text.size()));
  next();
}

bool Tokens::is(std::string_view sign) const {
  return (now_.kind == Token::Kind::sign || (now_.kind == Token::Kind::name && !now_.quoted)) && now_.text == sign;
}

bool Tokens::take(std::string_view sign) {
  if (!is(sign)) return false;
  next();
  return true;
}

void Tokens::next() {
  end_of_last_ = now_.end;
  while (at_ < text_.size() && (text_[at_] == ' ' || text_[at_] == '\t' || text_[at_] == '\n' || text_[at_] == '\r')) ++at_;
  now_ = {.begin = at_, .end = at_};
  if (at_ < text_.size()) read(text_[at_]);
  now_.end = at_;
}

void Tokens::fail(std::size_t at, const std::string& problem) const {
  throw std::invalid_argument(fmt::format("\"{}\": character {}: {}", shown(text_), at + 1, problem));
}

void Tokens::expected(std::string_view what) const {
  fail(now_.begin,
       fmt::format("expected {}, got {}", what,
                   now_.kind == Token::Kind::end ? std::string("the end")
                                                 : "\"" + shown(text_.substr(now_.begin, now_.end - now_.begin)) + "\""));
}

void Tokens::read(char c) {
  if (is_digit(c) || (c == '.' && at_ + 1 < text_.size() && is_digit(text_[at_ + 1]))) {
    read_number();
  } else if (c == '\'' || c == '"' || c == '`') {
    read_quoted(c);
  } else if (is_letter(c)) {
    now_.kind = Token::Kind::name;
    while (at_ < text_.size() && (is_letter(text_[at_]) || is_digit(text_[at_]))) now_.text += text_[at_++];
  } else {
    read_sign();
  }
}

void Tokens::read_number() {
  const std::size_t begin = at_;
  const auto digits = [&] {
    while (at_ < text_.size() && is_digit(text_[at_])) ++at_;
  };
  digits();
  if (at_ < text_.size() && text_[at_] == '.') ++at_, digits();
  if (at_ < text_.size() && (text_[at_] == 'e' || text_[at_] == 'E')) {
    const std::size_t before = at_++;
    if (at_ < text_.size() && (text_[at_] == '+' || text_[at_] == '-')) ++at_;
    if (at_ < text_.size() && is_digit(text_[at_]))
      digits();
    else
      at_ = before;
  }
  const auto number = to_double(text_.substr(begin, at_ - begin));
  if (!number || !std::isfinite(*number) || (at_ < text_.size() && is_letter(text_[at_])))
    fail(begin, "expected a number, a name or an operator");
  now_.kind = Token::Kind::number;
  now_.number = *number;
  now_.text = text_.substr(begin, at_ - begin);
}

void Tokens::read_quoted(char quote) {
  const std::size_t end = text_.find(quote, at_ + 1);
  if (end == std::string_view::npos) fail(at_, fmt::format("expected another {} that closes this one", quote));
  now_.kind = quote == '`' ? Token::Kind::name : Token::Kind::text;
  now_.quoted = true;
  now_.text = text_.substr(at_ + 1, end - at_ - 1);
  at_ = end + 1;
}

void Tokens::read_sign() {
  static constexpr std::array<std::string_view, 19> kSigns = {"**", "<=", ">=", "==", "!=", "<", ">", "+", "-", "*",
                                                              "/",  "^",  "(",  ")",  ",",  "[", "]", "{", "}"};
  const auto* sign = std::find_if(kSigns.begin(), kSigns.end(), [&](auto each) { return text_.substr(at_).starts_with(each); });
  if (sign == kSigns.end())
    fail(at_,
         text_[at_] == '=' ? "\"=\" sets a value; write == for \"is equal to\", <= or >=" : "this is no part of an expression");
  now_.kind = Token::Kind::sign;
  now_.text = *sign;
  at_ += sign->size();
}

}  // namespace salvo
