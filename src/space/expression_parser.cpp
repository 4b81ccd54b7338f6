#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "space/domain.h"
#include "space/expression.h"
#include "space/expression_tokens.h"
#include "space/letters.h"
#include "space/value.h"
#include "text/text.h"

namespace salvo {
namespace {

using Op = Expression::Op;
using Node = Expression::Node;

constexpr int kDeepest = 100;  // parentheses in parentheses

struct Function {
  std::string_view name;
  Op op;
  bool many;  // takes two arguments or more
};
constexpr std::array<Function, 7> kFunctions = {{{"abs", Op::absolute, false},
                                                 {"sqrt", Op::square_root, false},
                                                 {"exp", Op::exponential, false},
                                                 {"log", Op::natural_log, false},
                                                 {"log10", Op::decimal_log, false},
                                                 {"min", Op::least, true},
                                                 {"max", Op::greatest, true}}};

// What a part of an expression is, beside its node; texts are compared with nothing but choices.
struct Part {
  enum class Type { number, truth, choice, text };
  Type type = Type::number;
  int node = -1;
  int parameter = -1;     // of a choice
  std::string text = {};  // as a choice reads
  std::size_t begin = 0;
};
using Type = Part::Type;

class Parser {
 public:
  Parser(std::string_view text, const std::vector<Parameter>& parameters) : tokens_(text), parameters_(parameters) {}

  std::vector<Node> parse() {
    if (tokens_.now().kind == Token::Kind::end) tokens_.expected("a condition such as a + b <= 1");
    const Part whole = any_of();
    if (tokens_.now().kind != Token::Kind::end) tokens_.expected("an operator or the end");
    if (whole.type != Type::truth)
      tokens_.fail(whole.begin, "expected a condition, with <=, <, >=, >, == or != in it, got a value");
    return std::move(nodes_);
  }

 private:
  int add(Op op, std::vector<int> of, std::size_t begin) {
    nodes_.push_back({.op = op, .of = std::move(of), .begin = begin, .end = tokens_.end_of_last()});
    return static_cast<int>(nodes_.size()) - 1;
  }
  int add_number(double number, std::size_t begin) {
    const int node = add(Op::number, {}, begin);
    nodes_.back().number = number;
    return node;
  }
  static std::string_view word(Type type) {
    return type == Type::number ? "a number" : type == Type::truth ? "true or false" : "a text";
  }
  void require(const Part& part, Type type, std::string_view where) const {
    if (part.type != type) tokens_.fail(part.begin, fmt::format("expected {} {}, got {}", word(type), where, word(part.type)));
  }

  Part joined(std::string_view sign, Op op, Part (Parser::*next)()) {
    Part left = (this->*next)();
    if (!tokens_.is(sign)) return left;
    std::vector<int> of{left.node};
    while (tokens_.take(sign)) {
      const Part right = (this->*next)();
      require(left, Type::truth, fmt::format("beside \"{}\"", sign));
      require(right, Type::truth, fmt::format("beside \"{}\"", sign));
      of.push_back(right.node);
    }
    return {.type = Type::truth, .node = add(op, std::move(of), left.begin), .begin = left.begin};
  }
  Part any_of() {  // NOLINT(misc-no-recursion): as deep as kDeepest
    if (++depth_ > kDeepest) tokens_.fail(tokens_.now().begin, fmt::format("more than {} parentheses in each other", kDeepest));
    const Part out = joined("or", Op::any, &Parser::all_of);
    --depth_;
    return out;
  }
  Part all_of() { return joined("and", Op::all, &Parser::negated); }
  Part negated() {
    const std::size_t begin = tokens_.now().begin;
    int times = 0;
    while (tokens_.take("not")) ++times;
    Part out = comparison();
    if (times == 0) return out;
    require(out, Type::truth, "behind \"not\"");
    if (times % 2 == 1) out.node = add(Op::none, {out.node}, begin);
    return out;
  }

  Part comparison() {
    Part left = sum();
    const std::size_t begin = left.begin;
    std::vector<int> links;
    while (true) {
      const std::string sign = tokens_.now().kind == Token::Kind::text ? "" : tokens_.now().text;
      const bool within = tokens_.is("in"), without = tokens_.is("not") && links.empty();
      if (within || without) {
        if (without && (tokens_.next(), !tokens_.is("in"))) tokens_.expected("\"in\"");
        tokens_.next();
        links.push_back(among(left, without));
        break;
      }
      if (!tokens_.take("<=") && !tokens_.take("<") && !tokens_.take(">=") && !tokens_.take(">") && !tokens_.take("==") &&
          !tokens_.take("!="))
        break;
      const Part right = sum();
      links.push_back(compare(sign, left, right));
      left = right;
    }
    if (links.empty()) return left;
    return {.type = Type::truth, .node = links.size() == 1 ? links[0] : add(Op::all, links, begin), .begin = begin};
  }

  int compare(const std::string& sign, const Part& left, const Part& right) {
    const bool equality = sign == "==" || sign == "!=";
    const Op op = sign == "==" ? Op::equal : sign == "!=" ? Op::unequal : sign.size() == 2 ? Op::at_most : Op::below;
    int a = left.node, b = right.node;
    if (left.type == Type::choice || right.type == Type::choice || left.type == Type::text || right.type == Type::text) {
      const bool first = left.type == Type::choice;
      const Part &choice = first ? left : right, &other = first ? right : left;
      if (choice.type != Type::choice) tokens_.fail(right.begin, "expected a parameter with choices beside a text");
      if (!equality) tokens_.fail(left.begin, fmt::format("texts have no order: expected == or != and not \"{}\"", sign));
      a = choice.node;
      b = which_choice(choice, other);
    } else if (left.type != right.type || (left.type == Type::truth && !equality)) {
      require(left, Type::number, fmt::format("beside \"{}\"", sign));
      require(right, Type::number, fmt::format("beside \"{}\"", sign));
    }
    if (sign[0] == '>') std::swap(a, b);
    return add(op, {a, b}, left.begin);
  }
  // The number by which expressions know the choice that a text or a number names.
  int which_choice(const Part& choice, const Part& named) {
    if (named.text.empty() || (named.type != Type::text && named.type != Type::number))
      tokens_.fail(named.begin, "expected one of the choices, in quotes");
    const Parameter& parameter = parameters_[static_cast<std::size_t>(choice.parameter)];
    const auto* choices = choices_of(parameter.domain);
    const auto* fixed = std::get_if<Fixed>(&parameter.domain);
    const std::vector<Value> all = choices ? *choices : std::vector{fixed->value};
    for (std::size_t k = 0; k < all.size(); ++k)
      if (to_string(all[k]) == named.text) return add_number(static_cast<double>(k), named.begin);
    if (fixed) return add_number(-1, named.begin);  // pinned to another for the while
    tokens_.fail(named.begin, fmt::format("{} cannot be \"{}\": expected {}", parameter.name, shown(named.text),
                                          expectation(parameter.domain)));
  }
  int among(const Part& left, bool without) {
    const std::string close = tokens_.is("(") ? ")" : tokens_.is("[") ? "]" : tokens_.is("{") ? "}" : "";
    if (close.empty()) tokens_.expected("a list such as ('a', 'b')");
    tokens_.next();
    std::vector<int> of;
    do {
      if (tokens_.is(close)) break;
      of.push_back(compare("==", left, sum()));
    } while (tokens_.take(","));
    if (of.empty() || !tokens_.take(close)) tokens_.expected(fmt::format("a value or \"{}\"", close));
    const int any = add(Op::any, std::move(of), left.begin);
    return without ? add(Op::none, {any}, left.begin) : any;
  }

  Part arithmetic(Op op, const Part& left, const Part& right, std::string_view sign) {
    require(left, Type::number, fmt::format("beside \"{}\"", sign));
    require(right, Type::number, fmt::format("beside \"{}\"", sign));
    return {.type = Type::number, .node = add(op, {left.node, right.node}, left.begin), .begin = left.begin};
  }
  Part sum() {
    Part left = product();
    while (tokens_.is("+") || tokens_.is("-")) {
      const std::string sign = tokens_.now().text;
      tokens_.next();
      left = arithmetic(sign == "+" ? Op::add : Op::subtract, left, product(), sign);
    }
    return left;
  }
  Part product() {
    Part left = signed_one();
    while (tokens_.is("*") || tokens_.is("/")) {
      const std::string sign = tokens_.now().text;
      tokens_.next();
      left = arithmetic(sign == "*" ? Op::multiply : Op::divide, left, signed_one(), sign);
    }
    return left;
  }
  Part signed_one() {
    const std::size_t begin = tokens_.now().begin;
    bool negative = false, any = false;
    while (tokens_.is("-") || tokens_.is("+")) {
      negative = negative != tokens_.is("-");
      any = true;
      tokens_.next();
    }
    Part out = power();
    if (!any) return out;
    require(out, Type::number, "behind a sign");
    if (negative) out.node = add(Op::negate, {out.node}, begin);
    return {.type = Type::number, .node = out.node, .begin = begin};
  }
  Part power() {
    const Part base = atom();
    if (!tokens_.is("**") && !tokens_.is("^")) return base;
    const std::string sign = tokens_.now().text;
    tokens_.next();
    if (++depth_ > kDeepest) tokens_.fail(tokens_.now().begin, "too many powers of powers");
    const Part out = arithmetic(Op::power, base, signed_one(), sign);
    --depth_;
    return out;
  }

  Part atom() {
    const Token token = tokens_.now();
    if (token.kind == Token::Kind::number) {
      tokens_.next();
      return {.type = Type::number, .node = add_number(token.number, token.begin), .text = token.text, .begin = token.begin};
    }
    if (token.kind == Token::Kind::text) {
      tokens_.next();
      return {.type = Type::text, .text = token.text, .begin = token.begin};
    }
    if (token.kind == Token::Kind::name) return token.quoted ? parameter(token) : name(token);
    if (!tokens_.take("(")) tokens_.expected("a number, a name or \"(\"");
    Part inside = any_of();
    if (!tokens_.take(")")) tokens_.expected("\")\"");
    inside.begin = token.begin;
    if (inside.node >= 0) {
      nodes_[static_cast<std::size_t>(inside.node)].begin = token.begin;
      nodes_[static_cast<std::size_t>(inside.node)].end = tokens_.end_of_last();
    }
    return inside;
  }
  Part name(const Token& token) {
    const auto* function =
        std::find_if(kFunctions.begin(), kFunctions.end(), [&](const Function& each) { return each.name == token.text; });
    if (find(token.text) < 0) {
      if (token.text == "true" || token.text == "True" || token.text == "false" || token.text == "False") {
        tokens_.next();
        return {
            .type = Type::truth, .node = add_number(lower_case(token.text) == "true" ? 1 : 0, token.begin), .begin = token.begin};
      }
      if (function != kFunctions.end()) return call(*function, token);
    }
    return parameter(token);
  }
  Part call(const Function& function, const Token& token) {
    tokens_.next();
    if (!tokens_.take("(")) tokens_.expected(fmt::format("\"(\" behind {}", function.name));
    std::vector<int> of;
    do {
      const Part argument = any_of();
      require(argument, Type::number, fmt::format("in {}()", function.name));
      of.push_back(argument.node);
    } while (tokens_.take(","));
    if (!tokens_.take(")")) tokens_.expected("\")\"");
    if (function.many ? of.size() < 2 : of.size() != 1)
      tokens_.fail(token.begin, fmt::format("{}() takes {}, got {}", function.name,
                                            function.many ? "two numbers or more" : "one number", of.size()));
    return {.type = Type::number, .node = add(function.op, std::move(of), token.begin), .begin = token.begin};
  }

  [[nodiscard]] int find(std::string_view name) const {
    for (std::size_t i = 0; i < parameters_.size(); ++i)
      if (parameters_[i].name == name) return static_cast<int>(i);
    return -1;
  }
  Part parameter(const Token& token) {
    const int i = find(token.text);
    if (i < 0) unknown(token);
    tokens_.next();
    const int node = add(Op::parameter, {}, token.begin);
    nodes_.back().parameter = i;
    return {.type = type_of(parameters_[static_cast<std::size_t>(i)]), .node = node, .parameter = i, .begin = token.begin};
  }
  static Type type_of(const Parameter& parameter) {
    const auto* choices = choices_of(parameter.domain);
    const auto* fixed = std::get_if<Fixed>(&parameter.domain);
    if (!choices && !fixed) return Type::number;
    const std::vector<Value> all = choices ? *choices : std::vector{fixed->value};
    const auto every = [&](auto is) { return std::all_of(all.begin(), all.end(), is); };
    if (every([](const Value& each) { return std::holds_alternative<bool>(each); })) return Type::truth;
    return every([](const Value& each) { return number(each).has_value(); }) ? Type::number : Type::choice;
  }
  [[noreturn]] void unknown(const Token& token) const {
    std::vector<std::string_view> names;
    for (const Parameter& each : parameters_) {
      names.emplace_back(each.name);
      const bool cut = each.name.size() > token.text.size() && each.name.starts_with(token.text) &&
                       !is_letter(each.name[token.text.size()]) && !is_digit(each.name[token.text.size()]);
      if (!token.quoted && cut)
        tokens_.fail(token.begin,
                     fmt::format("there is no parameter \"{}\"; write `{}` with its backticks", token.text, each.name));
    }
    tokens_.fail(token.begin, fmt::format("there is no parameter \"{}\"{}", shown(token.text), hint(token.text, names)));
  }

  Tokens tokens_;
  const std::vector<Parameter>& parameters_;
  std::vector<Node> nodes_;
  int depth_ = 0;
};

}  // namespace

std::vector<Node> parse_expression(std::string_view text, const std::vector<Parameter>& parameters) {
  return Parser(text, parameters).parse();
}

}  // namespace salvo
