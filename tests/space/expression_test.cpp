#include "space/expression.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>

#include <cmath>
#include <stdexcept>
#include <string>
#include <vector>

namespace salvo {
namespace {

const std::vector<Parameter>& parameters() {
  static const std::vector<Parameter> all{{"a", Float{0, 1}},
                                          {"b", Float{0, 1}},
                                          {"n", Int{1, 30}},
                                          {"kind", Categorical{{std::string("fast"), std::string("slow"), std::string("b b")}}},
                                          {"on", Categorical{{false, true}}},
                                          {"size", Ordinal{{std::int64_t{16}, std::int64_t{32}, std::int64_t{64}}}},
                                          {"log", Float{1, 10}},
                                          {"flow-rate", Float{0, 1}},
                                          {"x.y", Float{0, 1}}};
  return all;
}

std::vector<double> seen(const Params& params) {
  std::vector<double> out;
  for (std::size_t i = 0; i < params.size(); ++i) out.push_back(seen_by_expressions(parameters()[i], params[i]));
  return out;
}

const std::vector<double>& point() {
  static const std::vector<double> values =
      seen({0.25, 0.5, std::int64_t{3}, std::string("slow"), true, std::int64_t{32}, 2.0, 0.125, 0.75});
  return values;
}

bool holds(const std::string& text) {
  const Expression expression(text, parameters());
  return expression.holds(expression.root(), point());
}

// The value of the left side of "… < 1e9".
double value(const std::string& text) {
  const Expression expression(text + " < 1e9", parameters());
  return expression.value(expression.node(expression.root()).of[0], point());
}

std::string refusal(const std::string& text) {
  try {
    (void)Expression(text, parameters());
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

TEST(Expression, ComputesAsItIsWritten) {
  EXPECT_EQ(value("a + b * n"), 1.75);
  EXPECT_EQ(value("(a + b) * n"), 2.25);
  EXPECT_EQ(value("a - b - n"), -3.25);
  EXPECT_EQ(value("n / b / 2"), 3);
  EXPECT_EQ(value("-n ** 2"), -9);
  EXPECT_EQ(value("2 ** n ** 2"), 512);
  EXPECT_EQ(value("2^-n"), 0.125);
  EXPECT_EQ(value("n - -n"), 6);
  EXPECT_EQ(value("min(n, 7, a) + max(b, size)"), 32.25);
  EXPECT_EQ(value("abs(a - b) + sqrt(4) + exp(0) + log10(100)"), 5.25);
  EXPECT_EQ(value("log"), 2);  // a parameter comes before a function of its name
  EXPECT_EQ(value("`flow-rate` + `x.y` + `a`"), 1.125);
  EXPECT_EQ(value("1.5e-1+.25+2."), 2.4);
}

TEST(Expression, JoinsConditionsAsItIsWritten) {
  EXPECT_TRUE(holds("a < b"));
  EXPECT_TRUE(holds("b >= a and n == 3"));
  EXPECT_TRUE(holds("a > b or n != 4 and on"));
  EXPECT_TRUE(holds("0 < a <= .25 < b"));
  EXPECT_FALSE(holds("0 < a < .25 < b"));
  EXPECT_TRUE(holds("kind == 'slow'"));
  EXPECT_TRUE(holds("kind != \"b b\" and 'slow' == kind"));
  EXPECT_TRUE(holds("kind in ('fast', 'slow')"));
  EXPECT_TRUE(holds("kind not in ['fast', 'b b'] and size in {16, 32}"));
  EXPECT_FALSE(holds("not on"));
  EXPECT_TRUE(holds("on == true and not (on == False)"));
  EXPECT_TRUE(holds("not not on"));
  EXPECT_FALSE(holds("sqrt(a - b) >= 0"));  // no number
}

// Where a program would stop with an error nothing holds, but "and" and "or" look no further than they must.
TEST(Expression, WhatIsNotDefinedDoesNotHold) {
  for (const std::string text : {"1 / (a - 0.25) > 5", "not sqrt(a - 1) < 0.5", "sqrt(a - 1) != 2", "1 / (a - a) != 1",
                                 "log10(a - 0.25) < 0", "exp(100000 * n) > 1", "(a - 1) ** 0.5 != 7", "(a - a) ** -1 > 0",
                                 "max(1, sqrt(a - 1)) == 1", "sqrt(a - 1) ** 0 == 1", "sqrt(a - 1) < 1 or a > 0"})
    EXPECT_FALSE(holds(text)) << text;
  EXPECT_TRUE(holds("a == 0.25 or 1 / (a - 0.25) > 5"));
  EXPECT_TRUE(holds("not (a != 0.25 and 1 / (a - 0.25) > 5)"));
}

TEST(Expression, ConditionsAreThoseThatMustAllHold) {
  const auto texts = [](const std::string& text) {
    const Expression expression(text, parameters());
    std::vector<std::string> out;
    for (const int i : expression.conditions()) out.push_back(expression.text(i));
    return out;
  };
  EXPECT_EQ(texts("a <= b < n and kind == 'slow'"), (std::vector<std::string>{"a <= b", "b < n", "kind == 'slow'"}));
  EXPECT_EQ(texts("(a < 1 and b < 1) and on"), (std::vector<std::string>{"a < 1", "b < 1", "on"}));
  EXPECT_EQ(texts("a < 1 or b < 1"), (std::vector<std::string>{"a < 1 or b < 1"}));
}

TEST(Expression, SaysWhereItIsWrong) {
  EXPECT_EQ(refusal("a + * b <= 1"), "\"a + * b <= 1\": character 5: expected a number, a name or \"(\", got \"*\"");
  EXPECT_EQ(refusal("a + b"), "\"a + b\": character 1: expected a condition, with <=, <, >=, >, == or != in it, got a value");
  EXPECT_EQ(refusal("a = 1"), "\"a = 1\": character 3: \"=\" sets a value; write == for \"is equal to\", <= or >=");
  EXPECT_EQ(refusal("c <= 1"),
            "\"c <= 1\": character 1: there is no parameter \"c\"; expected \"a\", \"b\", \"n\", \"kind\", "
            "\"on\", \"size\", \"log\", \"flow-rate\" or \"x.y\"");
  EXPECT_EQ(refusal("flow-rate <= 1"),
            "\"flow-rate <= 1\": character 1: there is no parameter \"flow\"; write `flow-rate` with its backticks");
  EXPECT_EQ(refusal("kind == 'slwo'"),
            "\"kind == 'slwo'\": character 9: kind cannot be \"slwo\": expected one of \"fast\", "
            "\"slow\", \"b b\"");
  EXPECT_EQ(refusal("kind < 'slow'"), "\"kind < 'slow'\": character 1: texts have no order: expected == or != and not \"<\"");
  EXPECT_EQ(refusal("kind + 1 < 2"), "\"kind + 1 < 2\": character 1: expected a number beside \"+\", got a text");
  EXPECT_EQ(refusal("(a < b"), "\"(a < b\": character 7: expected \")\", got the end");
  EXPECT_EQ(refusal("a < b)"), "\"a < b)\": character 6: expected an operator or the end, got \")\"");
  EXPECT_EQ(refusal("sqrt(a, b) < 1"), "\"sqrt(a, b) < 1\": character 1: sqrt() takes one number, got 2");
  EXPECT_EQ(refusal("kind == 'slow"), "\"kind == 'slow\": character 9: expected another ' that closes this one");
  EXPECT_EQ(refusal(""), "\"\": character 1: expected a condition such as a + b <= 1, got the end");
  EXPECT_EQ(refusal("a < 1e999"), "\"a < 1e999\": character 5: expected a number, a name or an operator");
  EXPECT_EQ(refusal("a ; b"), "\"a ; b\": character 3: this is no part of an expression");
  EXPECT_NE(refusal(std::string(1000, '(') + "a < 1" + std::string(1000, ')')), "");
  EXPECT_NE(refusal("a < " + std::string(20'000, '1')), "");
  std::string powers = "a";
  for (int i = 0; i < 3000; ++i) powers += "**a";
  EXPECT_NE(refusal(powers + " < 1"), "");
}

// Signs, minuses and nots in a row need no depth.
TEST(Expression, TakesLongExpressions) {
  std::string sum = "a";
  for (int i = 0; i < 2000; ++i) sum += "+b";
  EXPECT_EQ(value(sum), 1000.25);
  EXPECT_EQ(value(std::string(5000, '-') + "a"), 0.25);
}

std::string random_number_text(int depth) {
  if (depth == 0) return *rc::gen::element<std::string>("a", "b", "n", "size", "log", "`x.y`", "2", "0.5");
  const auto part = [&] { return random_number_text(depth - 1); };
  switch (*rc::gen::inRange(0, 8)) {
    case 0:
      return "(" + part() + " + " + part() + ")";
    case 1:
      return "(" + part() + " - " + part() + ")";
    case 2:
      return part() + " * " + part();
    case 3:
      return part() + " / (1 + abs(" + part() + "))";
    case 4:
      return "sqrt(1 + abs(" + part() + "))";
    case 5:
      return "(-" + part() + ")";
    case 6:
      return "log10(2 + abs(" + part() + ")) ** 1.5";
    default:
      return "exp(-abs(" + part() + "))";
  }
}

RC_GTEST_PROP(Expression, SlopesAreThoseOfFiniteDifferences, ()) {
  const std::string text = random_number_text(*rc::gen::inRange(0, 4));
  const Expression expression(text + " <= 1", parameters());
  const int side = expression.node(expression.root()).of[0];
  std::vector<double> slopes(parameters().size());
  expression.add_slopes(side, point(), 1, slopes);
  for (const int i : expression.parameters(side)) {
    std::vector<double> up = point(), down = point();
    const auto at = static_cast<std::size_t>(i);
    const double step = 1e-6 * std::max(1.0, std::abs(up[at]));
    up[at] += step;
    down[at] -= step;
    const double slope = slopes[at];
    const double measured = (expression.value(side, up) - expression.value(side, down)) / (2 * step);
    // Rounding of the values over the step, and the third derivative times its square; at a kink of abs() there is no slope.
    const double left = (expression.value(side, point()) - expression.value(side, down)) / step;
    const double scale = std::abs(expression.value(side, point())) + std::abs(slope) + 1;
    if (std::abs(left - measured) > 1e-3 * scale) RC_DISCARD("a kink");
    RC_ASSERT(std::abs(slope - measured) <= 1e-6 * scale);
  }
}

// A linear form is found where there is one, and says the same.
RC_GTEST_PROP(Expression, LinearFormsAreTheFunction, ()) {
  const std::string text = random_number_text(*rc::gen::inRange(0, 4));
  const Expression expression(text + " <= 1", parameters());
  const int side = expression.node(expression.root()).of[0];
  const auto form = expression.linear(side);
  if (!form) return;
  std::vector<double> values = point();
  for (double& each : values) each += *rc::gen::inRange(-100, 100) / 100.0;
  double expected = form->constant, size = std::abs(form->constant);
  for (std::size_t i = 0; i < values.size(); ++i) {
    expected += form->of[i] * values[i];
    size += std::abs(form->of[i] * values[i]);
  }
  RC_ASSERT(std::abs(expression.value(side, values) - expected) <= 1e-13 * (size + 1));
}

TEST(Expression, FindsLinearForms) {
  const Expression expression("2 * (a - 3 * b) / 4 - (-n) + 2 ** 3 < 0", parameters());
  const auto form = expression.linear(expression.node(expression.root()).of[0]);
  ASSERT_TRUE(form);
  EXPECT_EQ(form->constant, 8);
  EXPECT_EQ(form->of, (std::vector<double>{0.5, -1.5, 1, 0, 0, 0, 0, 0, 0}));
  const Expression product("a * b < 1", parameters());
  EXPECT_FALSE(product.linear(product.node(product.root()).of[0]));
}

// Any text is an expression or refused in words.
RC_GTEST_PROP(Expression, TakesNoOffence, ()) {
  static const std::vector<std::string> parts{"a",    "b",  "kind", "'slow'", "(",  ")",    "<=", "==", "and",
                                              "not",  "in", "or",   "+",      "-",  "**",   "1",  ",",  "min",
                                              "sqrt", "[",  "]",    "`",      "on", "true", "\"", ".",  "e5"};
  std::string text;
  for (const int i : *rc::gen::container<std::vector<int>>(rc::gen::inRange(0, static_cast<int>(parts.size()))))
    text += parts[static_cast<std::size_t>(i)] + (i % 3 == 0 ? " " : "");
  try {
    const Expression expression(text, parameters());
    const double truth = expression.value(expression.root(), point());
    RC_ASSERT(truth == 0 || truth == 1);
  } catch (const std::invalid_argument&) {
  }
}

}  // namespace
}  // namespace salvo
