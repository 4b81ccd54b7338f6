#include <gtest/gtest.h>
#include <rapidcheck/gtest.h>
#include <salvo/encoding.h>

#include <cmath>
#include <limits>
#include <map>
#include <random>

namespace salvo {
namespace {

double unit() { return *rc::gen::inRange<std::int64_t>(0, (std::int64_t{1} << 53) + 1) * 0x1p-53; }

Parameter any_parameter(int index) {
  const std::string name = "p" + std::to_string(index);
  switch (*rc::gen::inRange(0, 9)) {
    case 0: {
      const double a = std::ldexp(unit() * 2 - 1, *rc::gen::inRange(-1000, 1023));
      const double b = std::ldexp(unit() * 2 - 1, *rc::gen::inRange(-1000, 1023));
      RC_PRE(a != b);
      return {name, Float{std::min(a, b), std::max(a, b), Scale::linear}};
    }
    case 1: {  // narrow: only a few doubles, or many
      const double low = std::ldexp(unit() + 0.5, *rc::gen::inRange(-900, 900));
      const double high = low + low * std::ldexp(unit() + 0.5, *rc::gen::inRange(-51, 2));
      return {name, Float{low, high, *rc::gen::element(Scale::linear, Scale::log)}};
    }
    case 2: {  // up to all the decades there are
      const double low = std::ldexp(unit() + 0.5, *rc::gen::inRange(-1020, 900));
      const double high = low * std::ldexp(1.0 + unit(), *rc::gen::inRange(0, 2000));
      return {name, Float{low, std::isfinite(high) ? high : 1e308, Scale::log}};
    }
    case 3: {
      if (*rc::gen::arbitrary<bool>()) {
        const auto low = *rc::gen::inRange<std::int64_t>(1, 1000);
        return {name,
                Int{low, low + *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << *rc::gen::inRange(1, 43)), Scale::log}};
      }
      const auto span = *rc::gen::inRange<std::int64_t>(1, std::int64_t{1} << *rc::gen::inRange(1, 50));
      const auto low = *rc::gen::element<std::int64_t>(INT64_MIN, -7, 0, 12, INT64_MAX - span);
      return {name, Int{low, low + span}};
    }
    case 4:
      return {name, Categorical{{std::string("Pd"), std::string("Pt"), std::int64_t{4}, 2.5, true}}};
    case 5: {  // steps, few and many, that need not end at high
      const double units = std::pow(10.0, *rc::gen::inRange(0, 6));
      const double low = static_cast<double>(*rc::gen::inRange(-1000, 1000)) / units;
      const double step = static_cast<double>(*rc::gen::inRange(1, 300)) / units;
      const double high = low + step * (*rc::gen::inRange(1, *rc::gen::element(5, 100000)) + unit());
      return {name, Float{.low = low,
                          .high = high,
                          .scale = low > 0 ? *rc::gen::element(Scale::linear, Scale::log) : Scale::linear,
                          .step = step}};
    }
    case 6: {
      if (*rc::gen::arbitrary<bool>())
        return {name,
                Int{.low = *rc::gen::inRange(-50, 50), .high = *rc::gen::inRange(60, 5000), .step = *rc::gen::inRange(1, 11)}};
      const int digits = *rc::gen::inRange(1, 5);
      if (*rc::gen::arbitrary<bool>()) return {name, Float{.low = unit() - 3, .high = 4 + unit(), .digits = digits}};
      const double low = std::ldexp(unit() + 0.5, *rc::gen::inRange(-1000, 900));
      return {name, Float{.low = low, .high = low * (10 + std::ldexp(unit(), 20)), .scale = Scale::log, .digits = digits}};
    }
    case 7: {  // choices that are described, by one number or by several
      Categorical category;
      const int count = *rc::gen::inRange(2, 40), width = *rc::gen::inRange(1, 4);
      const double scale = std::ldexp(1.0, *rc::gen::inRange(-900, 900));
      for (int i = 0; i < count; ++i) {
        category.choices.emplace_back("c" + std::to_string(i));
        std::vector<double> row{scale * i};  // no two alike
        while (std::ssize(row) < width) row.push_back(*rc::gen::inRange(-5, 6) * 1e-3);
        std::swap(row.front(), row.back());
        category.numbers.push_back(row);
      }
      return {name, category};
    }
    default:
      return {name, Ordinal{{std::int64_t{16}, std::int64_t{32}, std::int64_t{128}, std::string("all")}}};
  }
}

Encoding any_space() {
  std::vector<Parameter> parameters;
  const int count = *rc::gen::inRange(1, 6);
  for (int i = 0; i < count; ++i) parameters.push_back(any_parameter(i));
  if (*rc::gen::arbitrary<bool>()) parameters.push_back({"constant", Fixed{std::string("x")}});
  return Space(parameters);
}

std::vector<double> any_point(int size, double low = -0.2, double high = 1.2) {
  std::vector<double> x(size);
  for (double& v : x) v = *rc::gen::element(0, 1, 2) == 0 ? *rc::gen::element(0.0, 1.0, 0.5) : low + (high - low) * unit();
  return x;
}

RC_GTEST_PROP(Encoding, DecodedPointsAreValidAndSurviveTheRoundTrip, ()) {
  const Encoding space = any_space();
  const Params params = space.decode(any_point(space.num_dims()));
  RC_ASSERT(space.space().check_offered(params) == params);
  const Vector x = space.encode(params);
  RC_ASSERT(x.minCoeff() >= 0);
  RC_ASSERT(x.maxCoeff() <= 1);
  RC_ASSERT(space.decode({x.data(), static_cast<std::size_t>(x.size())}) == params);
}

RC_GTEST_PROP(Encoding, SnapIsEncodeOfDecodeAndIdempotent, ()) {
  const Encoding space = any_space();
  std::vector<double> x = any_point(space.num_dims());
  const Vector expected = space.encode(space.decode(x));
  space.snap(x);
  RC_ASSERT(std::equal(x.begin(), x.end(), expected.data()));
  const std::vector<double> once = x;
  space.snap(x);
  RC_ASSERT(x == once);
}

RC_GTEST_PROP(Encoding, FromUnitGivesSnappedPoints, ()) {
  const Encoding space = any_space();
  std::vector<double> x(space.num_dims());
  space.from_unit(any_point(space.num_free(), 0, 1), x);
  const std::vector<double> before = x;
  space.snap(x);
  RC_ASSERT(x == before);
}

// Pinned at what a point has, other points have it too, whatever way they came, and what is left to choose is the rest.
RC_GTEST_PROP(Encoding, PinnedParametersKeepTheirValueAndTheOthersAreFree, ()) {
  const Encoding space = any_space();
  const Params params = space.decode(any_point(space.num_dims()));
  std::map<int, Value> pins;
  for (int i = 0; i < static_cast<int>(params.size()); ++i)
    if (*rc::gen::arbitrary<bool>() && !std::holds_alternative<Fixed>(space.space().parameters()[i].domain))
      pins.emplace(i, params[i]);
  RC_PRE(std::ssize(pins) < space.num_free());
  const Encoding pinned = space.pinned(pins);
  RC_ASSERT(pinned.num_dims() == space.num_dims());
  RC_ASSERT(pinned.num_free() == space.num_free() - std::ssize(pins));
  std::vector<double> drawn(space.num_dims()), snapped = any_point(space.num_dims());
  pinned.from_unit(any_point(pinned.num_free(), 0, 1), drawn);
  pinned.snap(snapped);
  for (const auto& x : {drawn, snapped}) {
    const Params got = pinned.decode(x);
    RC_ASSERT(space.space().check(got) == got);
    for (const auto& [i, value] : pins) RC_ASSERT(got[i] == value);
    const Vector expected = space.encode(got);  // the model sees the point where the whole space has it
    RC_ASSERT(std::equal(x.begin(), x.end(), expected.data()));
  }
}

RC_GTEST_PROP(Encoding, TextReadsBackAsTheSameValue, ()) {
  const Encoding space = any_space();
  const Params params = space.decode(any_point(space.num_dims()));
  for (int i = 0; i < static_cast<int>(params.size()); ++i) RC_ASSERT(space.space().parse(i, to_string(params[i])) == params[i]);
}

RC_GTEST_PROP(Encoding, EveryLevelSurvivesTheRoundTrip, ()) {
  const Encoding space = any_space();
  std::vector<double> x = any_point(space.num_dims());
  std::vector<Encoding::Discrete> all = space.discretes();
  all.insert(all.end(), space.grids().begin(), space.grids().end());
  for (const auto& discrete : all) {
    const auto level = *rc::gen::inRange<std::int64_t>(0, discrete.num_levels);
    space.set_level(discrete, level, x);
    RC_ASSERT(space.level(discrete, x) == level);
    space.snap(x);
    RC_ASSERT(space.level(discrete, x) == level);
  }
}

RC_GTEST_PROP(Encoding, GivenFloatsComeBackWithinHalfAStepOfTheRange, ()) {
  const bool is_log = *rc::gen::arbitrary<bool>();
  const Float domain = is_log ? Float{1e-12, 1e9, Scale::log} : Float{-3, 1000, Scale::linear};
  const Encoding space = Space({{"x", domain}});
  const double given = is_log ? std::pow(10.0, -12 + 21 * unit()) : -3 + 1003 * unit();
  const Vector x = space.encode(space.space().check({given}));
  const double back = std::get<double>(space.decode({x.data(), 1})[0]);
  const double error = is_log ? std::abs(std::log(back / given)) / std::log(1e21) : std::abs(back - given) / 1003;
  RC_ASSERT(error <= 0x1.01p-41);
}

TEST(Encoding, EndsAreExact) {
  for (const auto& domain : {Float{0.1, 0.3, Scale::linear}, Float{1e-300, 1e300, Scale::log}, Float{0.1, 0.3, Scale::log},
                             Float{-1e308, 1e308, Scale::linear}, Float{1, std::nextafter(1, 2), Scale::log}}) {
    const Encoding space = Space({{"x", domain}});
    const std::vector<double> zero{0}, one{1};
    EXPECT_EQ(std::get<double>(space.decode(zero)[0]), domain.low);
    EXPECT_EQ(std::get<double>(space.decode(one)[0]), domain.high);
    EXPECT_EQ(space.encode({domain.low})[0], 0);
    EXPECT_EQ(space.encode({domain.high})[0], 1);
  }
}

TEST(Encoding, LogScaleSpendsTheSameLengthOnEveryDecade) {
  const Encoding space = Space({{"rate", Float{1e-8, 1e4, Scale::log}}});
  for (int decade = 0; decade <= 12; ++decade) EXPECT_NEAR(space.encode({std::pow(10.0, decade - 8)})[0], decade / 12.0, 1e-12);
}

TEST(Encoding, NotANumberDecodesToSomethingValid) {
  const Encoding space =
      Space({{"x", Float{1, 2}}, {"n", Int{1, 9}}, {"c", Categorical{{1.5, 2.5}}}, {"o", Ordinal{{1.5, 2.5}}}});
  const std::vector<double> x(5, std::nan(""));
  EXPECT_NO_THROW((void)space.space().check(space.decode(x)));
}

TEST(Encoding, FromUnitGivesEveryLevelItsShare) {
  const Encoding space = Space({{"n", Int{-2, 4}},
                                {"m", Int{1, 6, Scale::log}},
                                {"c", Categorical{{std::string("a"), std::string("b"), std::string("c")}}},
                                {"o", Ordinal{{1.0, 2.0, 4.0, 8.0}}}});
  std::vector<std::vector<double>> share(4);
  for (int k = 0; k < 4; ++k) {
    const auto levels = space.discretes()[k].num_levels;
    for (std::int64_t l = 0; l < levels; ++l)
      share[k].push_back(k == 1 ? std::log((l + 1.5) / (l + 0.5)) / std::log(6.5 / 0.5) : 1.0 / static_cast<double>(levels));
  }
  constexpr int n = 200'000;
  std::vector<std::vector<int>> count{std::vector<int>(7), std::vector<int>(6), std::vector<int>(3), std::vector<int>(4)};
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> uniform;
  std::vector<double> u(4), x(space.num_dims());
  for (int i = 0; i < n; ++i) {
    for (double& v : u) v = uniform(random);
    space.from_unit(u, x);
    for (int k = 0; k < 4; ++k) ++count[k][space.level(space.discretes()[k], x)];
  }
  for (int k = 0; k < 4; ++k)
    for (std::size_t l = 0; l < share[k].size(); ++l) {
      const double sigma = std::sqrt(share[k][l] * (1 - share[k][l]) * n);
      EXPECT_NEAR(count[k][l], share[k][l] * n, 5 * sigma) << "parameter " << k << " level " << l;
    }
}

TEST(Encoding, HugeButAllowedIntegersKeepEveryValue) {
  const Encoding space = Space({{"top", Int{INT64_MAX - 3, INT64_MAX}},
                                {"bottom", Int{INT64_MIN, INT64_MIN + 5}},
                                {"wide", Int{0, std::int64_t{1} << 50}},
                                {"log", Int{1, std::int64_t{1} << 44, Scale::log}}});
  for (const std::int64_t k : {0, 1, 2, 3}) {
    const Params params = {INT64_MAX - k, INT64_MIN + k, (std::int64_t{1} << 50) - k, (std::int64_t{1} << 44) - k};
    const Vector x = space.encode(params);
    EXPECT_EQ(space.decode({x.data(), 4}), params);
  }
}

TEST(Encoding, CountsItsPointsAndCoordinates) {
  const Encoding space =
      Space({{"n", Int{1, 8}}, {"c", Categorical{{true, false}}}, {"f", Fixed{3.0}}, {"o", Ordinal{{1.0, 2.0, 3.0}}}});
  EXPECT_EQ(space.num_points(), 8 * 2 * 3);
  EXPECT_EQ(space.num_dims(), 1 + 2 + 1);
  EXPECT_EQ(space.num_free(), 3);
  EXPECT_EQ(space.space().find("o"), 3);
  EXPECT_EQ(space.space().find("zzz"), -1);
  EXPECT_EQ(Space({{"x", Float{}}, {"n", Int{1, 8}}}).num_points(), std::numeric_limits<double>::infinity());
}

TEST(Encoding, WrongSizesAreErrors) {
  const Encoding space = Space({{"x", Float{}}, {"y", Float{}}});
  std::vector<double> three(3), two(2);
  EXPECT_THROW((void)space.encode({1.0}), std::invalid_argument);
  EXPECT_THROW((void)space.decode(three), std::invalid_argument);
  EXPECT_THROW(space.snap(three), std::invalid_argument);
  EXPECT_THROW(space.from_unit(three, two), std::invalid_argument);
}

}  // namespace
}  // namespace salvo
