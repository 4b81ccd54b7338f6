#include "space/where.h"

#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <salvo/encoding.h>
#include <salvo/random.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include "space/allowed.h"
#include "space/nearest.h"
#include "space/room.h"

namespace salvo {
namespace {

std::vector<Parameter> floats(int count, double low = 0, double high = 1) {
  std::vector<Parameter> out;
  for (int i = 0; i < count; ++i) out.push_back({std::string(1, static_cast<char>('a' + i)), Float{low, high}});
  return out;
}

double real(const Params& params, int i) { return std::get<double>(params[static_cast<std::size_t>(i)]); }

Params drawn(const Encoding& space, std::uint64_t number) {
  std::vector<double> x(static_cast<std::size_t>(space.num_dims()));
  space.allowed()->draw(x, Key(7).fold(number));
  return space.decode(x);
}

std::string refusal(const std::vector<Parameter>& parameters, const std::vector<std::string>& where) {
  try {
    (void)Encoding(Space(parameters, where));
    return "";
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
}

// Conditions that some point of the box keeps, over parameters of every kind.
struct Restricted {
  std::vector<Parameter> parameters;
  std::vector<std::string> where;
};
Restricted any_restricted() {
  Restricted out;
  const auto number = [](int low, int high) { return *rc::gen::inRange(low, high) / 8.0; };
  const int reals = *rc::gen::inRange(1, 5);
  std::vector<std::string> names;
  for (int i = 0; i < reals; ++i) {
    const std::string name = "x" + std::to_string(i);
    names.push_back(name);
    switch (*rc::gen::inRange(0, 4)) {
      case 0:
        out.parameters.push_back({name, Float{0.01, 10, Scale::log}});
        break;
      case 1:
        out.parameters.push_back({name, Float{.low = 0, .high = 4, .step = 0.05}});
        break;
      default:
        out.parameters.push_back({name, Float{-1, number(0, 32)}});
    }
  }
  if (*rc::gen::arbitrary<bool>()) {
    out.parameters.push_back({"n", Int{.low = 1, .high = 40, .step = *rc::gen::inRange(1, 4)}});
    names.emplace_back("n");
  }
  if (*rc::gen::arbitrary<bool>()) {
    out.parameters.push_back({"k", Categorical{{std::string("u"), std::string("v"), std::string("w")}}});
    out.where.push_back("k != 'v' or x0 <= 1");
  }
  const int count = *rc::gen::inRange(1, 4);
  for (int j = 0; j < count; ++j) {
    std::string sum;
    for (const std::string& name : names)
      if (const double c = number(-16, 17); c != 0) sum += (sum.empty() ? "" : " + ") + std::to_string(c) + " * " + name;
    if (sum.empty()) continue;
    out.where.push_back(sum + " <= " + std::to_string(number(0, 64)));
  }
  if (*rc::gen::arbitrary<bool>()) out.where.emplace_back("(x0 - 1) ** 2 <= 2");
  RC_PRE(!out.where.empty());
  return out;
}

// What is drawn, and what any point of the cube is brought to, is valid, keeps every condition as it is written, without a
// tolerance, and stays where it is.
RC_GTEST_PROP(Where, EveryPointIsAllowed, ()) {
  const Restricted random = any_restricted();
  Space space;
  try {
    space = Space(random.parameters, random.where);
  } catch (const std::invalid_argument&) {
    RC_DISCARD("empty");
  }
  Encoding encoding;
  try {
    encoding = space;
  } catch (const std::invalid_argument&) {
    RC_DISCARD("nearly empty");
  }
  if (!encoding.allowed()) return;
  const Key key(*rc::gen::arbitrary<std::uint64_t>());
  std::vector<double> any(static_cast<std::size_t>(encoding.num_dims())), point(any.size());
  key.fill_uniform(any);
  for (double& each : any) each = 1.4 * each - 0.2;
  encoding.snap(any);
  encoding.allowed()->draw(point, key);
  for (const std::vector<double>& x : {any, point}) {
    const Params params = encoding.decode(x);
    RC_ASSERT(space.check_offered(params) == params);
    for (const std::string& text : random.where) {
      const Expression expression(text, random.parameters);
      std::vector<double> seen;
      for (std::size_t i = 0; i < params.size(); ++i) seen.push_back(seen_by_expressions(random.parameters[i], params[i]));
      RC_ASSERT(expression.holds(expression.root(), seen));
    }
    std::vector<double> again = x;
    encoding.snap(again);
    RC_ASSERT(again == x);
    const Vector encoded = encoding.encode(params);
    RC_ASSERT(std::equal(x.begin(), x.end(), encoded.data()));
  }
}

// The last part of a mixture follows: uniform points of the simplex have a part above t with probability (1 − t)^(k−1). Of n
// draws the largest deviation of their distribution exceeds 1.95/√n once in a thousand times (Kolmogorov), if they are
// independent; from few points to begin with they are less so, hence twice that.
TEST(Where, PointsOfAMixtureAreUniform) {
  const Encoding space = Space(floats(5), {"a + b + c + d + e == 1"});
  ASSERT_EQ(space.num_dims(), 4);
  EXPECT_LT(space.allowed()->share(), 0.05);  // 1/24: these are walks
  constexpr int kDraws = 4000;
  std::vector<std::vector<double>> parts(5);
  for (int i = 0; i < kDraws; ++i) {
    const Params params = drawn(space, static_cast<std::uint64_t>(i));
    double sum = 0;
    for (int k = 0; k < 5; ++k) {
      parts[static_cast<std::size_t>(k)].push_back(real(params, k));
      sum += real(params, k);
    }
    EXPECT_NEAR(sum, 1, 1e-15 * 8);
  }
  for (std::vector<double>& part : parts) {
    std::sort(part.begin(), part.end());
    double worst = 0;
    for (int i = 0; i < kDraws; ++i)
      worst = std::max(worst, std::abs((i + 0.5) / kDraws - (1 - std::pow(1 - part[static_cast<std::size_t>(i)], 4))));
    EXPECT_LT(worst, 2 * 1.95 / std::sqrt(kDraws));
  }
}

// One point in ten! of the cube is in order: known points begin inside, and not in a corner where all are equal.
TEST(Where, NumbersInOrderLieApart) {
  const Encoding space = Space(floats(10), {"a <= b <= c <= d <= e <= f <= g <= h <= i <= j"});
  for (std::uint64_t n = 0; n < 100; ++n) {
    const Params params = drawn(space, n);
    for (int i = 1; i < 10; ++i) EXPECT_GT(real(params, i) - real(params, i - 1), 1e-9);
  }
}

// In a disc the square of the distance from its centre is uniform.
TEST(Where, PointsOfARoundRegionAreUniform) {
  const Encoding space = Space(floats(2, -1, 1), {"a ** 2 + b ** 2 <= 0.01"});  // .8% of the square: walks
  constexpr int kDraws = 4000;
  std::vector<double> squares;
  for (int i = 0; i < kDraws; ++i) {
    const Params params = drawn(space, static_cast<std::uint64_t>(i));
    squares.push_back(100 * (real(params, 0) * real(params, 0) + real(params, 1) * real(params, 1)));
  }
  std::sort(squares.begin(), squares.end());
  double worst = 0;
  for (int i = 0; i < kDraws; ++i) worst = std::max(worst, std::abs((i + 0.5) / kDraws - squares[static_cast<std::size_t>(i)]));
  EXPECT_LT(worst, 2 * 1.95 / std::sqrt(kDraws));
}

// z is the nearest point of a convex set exactly if (x − z)·(y − z) <= 0 for every y of it.
RC_GTEST_PROP(Where, TheNearestPointIsTheNearest, ()) {
  const int d = *rc::gen::inRange(1, 7), k = *rc::gen::inRange(1, 5);
  const Key key(*rc::gen::arbitrary<std::uint64_t>());
  Matrix G(k, d);
  key.fold("G").fill_normal({G.data(), static_cast<std::size_t>(G.size())});
  Vector inside(d), x(d);
  key.fold("inside").fill_uniform({inside.data(), static_cast<std::size_t>(d)});
  key.fold("x").fill_uniform({x.data(), static_cast<std::size_t>(d)});
  x = 3 * x.array() - 1;
  const Vector least = G * inside - 0.05 * Vector::Ones(k);  // so `inside` is inside
  Vector lambda;
  const Vector z = nearest_within(x, G, least, lambda);
  constexpr double kExact = 1e-7;
  RC_ASSERT(z.minCoeff() >= 0);
  RC_ASSERT(z.maxCoeff() <= 1);
  RC_ASSERT((G * z - least).minCoeff() >= -kExact);
  for (std::uint64_t i = 0; i < 200; ++i) {
    Vector y(d);
    key.fold("y").fold(i).fill_uniform({y.data(), static_cast<std::size_t>(d)});
    if ((G * y - least).minCoeff() < 0) y = inside;
    RC_ASSERT((x - z).dot(y - z) <= kExact * (1 + (x - z).norm()));
  }
}

TEST(Where, TheLargestBallIsKnownOfSimpleShapes) {
  EXPECT_NEAR(room_for_a_ball({}, 3), 0.5, 1e-12);
  EXPECT_NEAR(room_for_a_ball({{{1, 1}, 1}}, 2), 1 - std::sqrt(0.5), 1e-12);       // half of the square
  EXPECT_NEAR(room_for_a_ball({{{1, 1}, 1}, {{-1, -1}, -1}}, 2), 0, 1e-12);        // its diagonal
  EXPECT_NEAR(room_for_a_ball({{{1, 0}, 0.4}, {{-1, 0}, -0.6}}, 2), -0.1, 1e-12);  // two that exclude each other
  EXPECT_NEAR(room_for_a_ball({{{2, 0, 0}, 0.5}}, 3), 0.125, 1e-12);               // a slab
}

// The ball's centre is somewhere: no half space through a known interior ball can make the radius less than that ball's.
RC_GTEST_PROP(Where, TheLargestBallIsNoSmallerThanOneThatFits, ()) {
  const int d = *rc::gen::inRange(1, 9), k = *rc::gen::inRange(0, 8);
  const Key key(*rc::gen::arbitrary<std::uint64_t>());
  Vector centre(d);
  key.fill_uniform({centre.data(), static_cast<std::size_t>(d)});
  centre = 0.2 + 0.6 * centre.array();
  const double radius = 0.1;
  std::vector<HalfSpace> all;
  for (int j = 0; j < k; ++j) {
    Vector of(d);
    key.fold(static_cast<std::uint64_t>(j)).fill_normal({of.data(), static_cast<std::size_t>(d)});
    all.push_back({{of.begin(), of.end()}, of.dot(centre) + radius * of.norm()});
  }
  const double found = room_for_a_ball(all, d);
  RC_ASSERT(found >= radius - 1e-9);
  RC_ASSERT(found <= 0.5 + 1e-9);
}

TEST(Where, WhatLeavesNothingIsNamed) {
  EXPECT_EQ(refusal(floats(2), {"a + b >= 3"}), "\"a + b >= 3\" holds nowhere between the bounds of the parameters");
  EXPECT_EQ(refusal(floats(3), {"a + b <= 0.5", "c <= 0.9", "a + b >= 0.6"}),
            "\"a + b >= 0.6\" leaves no point that the conditions before it and the bounds allow");
  EXPECT_EQ(refusal(floats(2), {"a <= b", "a >= b"}),
            "\"a >= b\" leaves points without room around them; where two sides are to be equal, write ==");
  EXPECT_EQ(refusal(floats(2), {"a + b == 1", "2 * a + 2 * b == 3"}),
            "\"2 * a + 2 * b == 3\" never holds beside the equalities before it");
  EXPECT_EQ(refusal(floats(2), {"a * b == 1"}),
            "\"a * b == 1\": an equality of numbers must be linear in them, such as a + 2 * b == 1. Leave out one of its "
            "parameters and compute it in your program");
  EXPECT_EQ(refusal(floats(2), {"1 < 2"}), "\"1 < 2\" speaks of no parameter");
  EXPECT_EQ(refusal(floats(2), {"a ** 2 + b ** 2 <= 0.5", "a * b >= 0.3"}).substr(0, 64),
            "no point was found that keeps every condition; \"a * b >= 0.3\" is");
  EXPECT_EQ(refusal(floats(2), {"a == 0.5", "b == 0.25"}),
            "every parameter is fixed or follows from the others: expected at least one that varies");
}

TEST(Where, ConditionsThatTheBoundsKeepAreNone) {
  const Encoding space = Space(floats(2), {"a + b <= 2", "a >= 0", "a + 1 > b - 0.5"});
  EXPECT_EQ(space.allowed(), nullptr);
}

TEST(Where, NumbersFollow) {
  const std::vector<Parameter> parameters{{"a", Float{0, 1}}, {"b", Float{0, 1}}, {"c", Float{0, 1}}, {"d", Float{0, 2}}};
  const Space space(parameters, {"a + b + c == 1", "d == 2 * a + b"});
  EXPECT_EQ(space.num_free(), 2);
  EXPECT_TRUE(space.follows(2));
  EXPECT_TRUE(space.follows(3));
  const Encoding encoding(space);
  EXPECT_EQ(encoding.num_dims(), 2);
  EXPECT_EQ(encoding.coordinate_names(), (std::vector<std::string>{"a", "b"}));
  const Params params = encoding.decode(std::vector<double>{0.25, 0.5});
  EXPECT_EQ(params, (Params{0.25, 0.5, 0.25, 1.0}));
  EXPECT_EQ(space.check_offered(params), params);
  EXPECT_THROW((void)space.check_offered({0.25, 0.5, 0.26, 1.0}), std::invalid_argument);
  EXPECT_NO_THROW((void)space.check({0.333, 0.333, 0.333, 0.999}));  // as people round
  EXPECT_THROW((void)space.check({0.3, 0.3, 0.3, 0.9}), std::invalid_argument);
}

// Whole numbers and steps follow where they always fall on their own.
TEST(Where, StepsFollow) {
  const Encoding mixture = Space({{"a", Float{.low = 0, .high = 1, .step = 0.05}},
                                  {"b", Float{.low = 0, .high = 1, .step = 0.05}},
                                  {"c", Float{.low = 0, .high = 1, .step = 0.05}}},
                                 {"a + b + c == 1"});
  EXPECT_EQ(mixture.num_dims(), 2);
  EXPECT_EQ(mixture.num_points(), 231);  // 21·22/2
  std::set<Params> all;
  std::vector<double> x(2);
  mixture.snap(x);
  for (int i = 0; i < 500; ++i) {
    const Params params = mixture.decode(x);
    EXPECT_EQ(mixture.space().check_offered(params), params);
    all.insert(params);
    (void)mixture.next(x);
  }
  EXPECT_EQ(all.size(), 231U);

  const Encoding counts = Space({{"n", Int{1, 9}}, {"m", Int{1, 9}}, {"k", Int{0, 20}}}, {"n + 2 * m == k"});
  EXPECT_EQ(counts.num_dims(), 2);
  EXPECT_EQ(counts.decode(std::vector<double>{0, 0})[2], Value(std::int64_t{3}));
  // m = k/2 would not always be whole: n and m decide k, and not the other way round.
  const Encoding odd = Space({{"m", Int{1, 9}}, {"n", Int{1, 9}}}, {"2 * m == 3 * n"});
  EXPECT_EQ(odd.num_points(), 3);  // (3, 2), (6, 4), (9, 6)
}

// Counting and enumerating agree with trying every point.
TEST(Where, FiniteSpacesAreCounted) {
  const std::vector<Parameter> parameters{
      {"n", Int{0, 9}}, {"m", Int{0, 9}}, {"k", Categorical{{std::string("u"), std::string("v"), std::string("w")}}}};
  const Encoding space = Space(parameters, {"n + m <= 9 and (k != 'v' or n < m)", "n != 3"});
  int expected = 0;
  for (int n = 0; n < 10; ++n)
    for (int m = 0; m < 10; ++m)
      for (int k = 0; k < 3; ++k) expected += n + m <= 9 && (k != 1 || n < m) && n != 3 ? 1 : 0;
  EXPECT_EQ(space.num_points(), expected);
}

// As a program would see it: 0.1 + 0.2 is above 0.3, and 2 above 1.999999999.
TEST(Where, WhatRoundingBreaksIsACondition) {
  for (const std::string where : {"0.1 * a + 0.2 * b <= 0.3", "a + b <= 1.999999999"}) {
    const Encoding space = Space(floats(2), {where});
    ASSERT_NE(space.allowed(), nullptr) << where;
    EXPECT_FALSE(space.allows(std::vector<double>{1, 1})) << where;
  }
}

TEST(Where, NumbersMayBeTinyOrHuge) {
  for (const auto& [low, high] : {std::pair(1e-300, 2e-300), std::pair(0.0, 1e-200), std::pair(0.0, 1e300)}) {
    const Encoding space = Space(floats(2, low, high), {"a <= b"});
    for (std::uint64_t i = 0; i < 20; ++i) {
      const Params params = drawn(space, i);
      EXPECT_LE(real(params, 0), real(params, 1));
    }
  }
  EXPECT_EQ(refusal(floats(2, -1e308, 1e308), {"a <= b"}), "\"a <= b\" speaks of numbers that are too large, or of none");
}

// What is small beside the others is no rounding: c is a + b to the last bit.
TEST(Where, SmallPartsOfAnEqualityCount) {
  const Encoding space = Space({{"a", Float{0, 1e10}}, {"b", Float{0, 1}}, {"c", Float{0, 1e10}}}, {"a + b == c"});
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Params params = drawn(space, i);
    EXPECT_EQ(real(params, 0) + real(params, 1), real(params, 2));
  }
}

TEST(Where, LogicMayBeComparedWithLogic) {
  const Encoding space = Space({{"a", Float{0, 1}}, {"b", Float{0, 1}}, {"on", Categorical{{false, true}}}}, {"(a < b) == on"});
  for (std::uint64_t i = 0; i < 20; ++i) {
    const Params params = drawn(space, i);
    EXPECT_EQ(real(params, 0) < real(params, 1), std::get<bool>(params[2]));
  }
}

// Random points hardly ever keep these: 10 of 10 numbers, 5 of 40 switches, beside a mixture.
TEST(Where, FindsTheFewThatAreAllowedAmongMany) {
  std::vector<Parameter> counts, switches;
  std::string sum = "n0", on = "s0", share = "x0";
  for (int i = 0; i < 40; ++i) switches.push_back({"s" + std::to_string(i), Int{0, 1}});
  for (int i = 0; i < 10; ++i) counts.push_back({"n" + std::to_string(i), Int{0, 10}});
  for (int i = 1; i < 10; ++i) sum += " + n" + std::to_string(i);
  for (int i = 1; i < 40; ++i) on += " + s" + std::to_string(i);
  for (int i = 1; i < 10; ++i) share += " + x" + std::to_string(i);
  EXPECT_EQ(refusal(counts, {sum + " <= 10"}), "");
  EXPECT_EQ(refusal(switches, {on + " == 5"}), "");
  EXPECT_EQ(refusal(switches, {on + " <= 3"}), "");
  for (int i = 0; i < 10; ++i) counts.push_back({"x" + std::to_string(i), Float{0, 1}});
  EXPECT_EQ(refusal(counts, {sum + " <= 10", share + " == 1"}), "");
  EXPECT_EQ(refusal({{"n", Int{0, 1000}}, {"m", Int{0, 1000}}}, {"2 * n + 4 * m == 7"}).substr(0, 46),
            "no point was found that keeps every condition;");
}

// The value as it was given, and not as a coordinate has it.
TEST(Where, WhatIsFixedIsFixedToTheLastBit) {
  for (const double a : {0.1, 0.2, 0.3, 0.35, 0.4, 0.45, 0.6, 0.7}) {
    const Encoding space = Space(floats(2), {"a >= " + std::to_string(a), "a <= " + std::to_string(a + 0.1), "a + b <= 1"});
    const Encoding pinned = space.pinned({{0, a}});
    EXPECT_EQ(real(drawn(pinned, 1), 0), a);
  }
}

TEST(Where, WhatIsFixedForABatchLeavesTheRest) {
  const Encoding space = Space(floats(3), {"a + b + c == 1", "a <= b"});
  const Encoding pinned = space.pinned({{0, 0.375}});
  for (std::uint64_t i = 0; i < 50; ++i) {
    const Params params = drawn(pinned, i);
    EXPECT_EQ(real(params, 0), 0.375);
    EXPECT_GE(real(params, 1), 0.375);
    EXPECT_LE(real(params, 1), 0.625);
  }
  EXPECT_THROW((void)space.pinned({{2, 0.5}}), std::invalid_argument);   // it follows
  EXPECT_THROW((void)space.pinned({{0, 0.75}}), std::invalid_argument);  // b would have to be larger
}

TEST(Where, WhatIsToldIsCheckedWithItsValues) {
  const Space space(floats(2), {"a + b <= 1"});
  try {
    (void)space.check({0.5, 0.75});
    FAIL();
  } catch (const std::invalid_argument& error) {
    EXPECT_STREQ(error.what(), "\"a + b <= 1\" does not hold with a = 0.5, b = 0.75");
  }
  EXPECT_NO_THROW((void)space.check({0.5, 0.5000001}));
  EXPECT_THROW((void)space.check_offered({0.5, 0.5000001}), std::invalid_argument);
}

}  // namespace
}  // namespace salvo
