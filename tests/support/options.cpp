#include "support/options.h"

namespace salvo::test {

Space mixed_space() {
  return Space({{"temperature", Float{300, 900}},
                {"rate", Float{1e-4, 1, Scale::log}},
                {"stages", Int{1, 8}},
                {"size", Ordinal{{std::string("small"), std::string("large"), std::string("huge")}}},
                {"catalyst", Categorical{{std::string("Pd"), std::string("Pt"), std::string("Ni")}}},
                {"site", Fixed{std::string("north")}}});
}

StudyOptions small_options(Space space, std::uint64_t seed) {
  const ModelOptions model{.num_inducing = 12, .num_features = 32, .num_starts = 2, .num_candidates = 40};
  return {.name = "test",
          .outputs = one_objective(Direction::maximize),
          .seed = seed,
          .batch = 4,
          .search = SpaceSearch{.space = std::move(space), .model = model}};
}

StudyOptions small_branin(std::uint64_t seed) {
  const Space box({{"x1", Float{-5, 10}}, {"x2", Float{0, 15}}});
  const ModelOptions model{.num_inducing = 20, .num_features = 50, .num_starts = 1, .num_candidates = 50};
  return {.name = "small",
          .outputs = one_objective(Direction::minimize),
          .seed = seed,
          .batch = 5,
          .search = SpaceSearch{.space = box, .model = model}};
}

SpaceSearch& search_of(StudyOptions& options) { return std::get<SpaceSearch>(options.search); }
const SpaceSearch& search_of(const StudyOptions& options) { return std::get<SpaceSearch>(options.search); }
ModelOptions& model_of(StudyOptions& options) { return search_of(options).model; }
const ModelOptions& model_of(const StudyOptions& options) { return search_of(options).model; }

}  // namespace salvo::test
