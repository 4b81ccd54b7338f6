#pragma once
#include <salvo/method.h>
#include <salvo/model_options.h>
#include <salvo/output.h>
#include <salvo/pool.h>
#include <salvo/space.h>

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

namespace salvo {

// What is searched, and how: parameters that may vary…
struct SpaceSearch {
  Space space{};
  Method method = Method::automatic;
  Initial initial = Initial::sobol;
  ModelOptions model{};
};

// … or the candidates of a pool, by Thompson sampling or at random.
struct PoolSearch {
  Pool pool;
  Method method = Method::automatic;
  PoolModelOptions model{};
};

struct StudyOptions {
  std::string name = "study";
  std::vector<Output> outputs{};  // objectives, then constraints; one objective: one_objective(Direction::minimize)
  std::uint64_t seed = 0;
  int batch = 100;      // the usual ask; sets the size of the initial design when num_initial is 0
  int num_initial = 0;  // points of the initial design; 0: batch
  std::variant<SpaceSearch, PoolSearch> search{};

  [[nodiscard]] const Space& space() const;  // what a trial's parameters are: over a pool, one candidate
  [[nodiscard]] Direction direction() const {
    return std::get<Objective>(outputs.at(0).role).direction;
  }  // of the first objective
  [[nodiscard]] int num_objectives() const {
    int count = 0;
    for (const Output& output : outputs) count += std::holds_alternative<Objective>(output.role) ? 1 : 0;
    return count;
  }
  [[nodiscard]] bool one_output() const { return outputs.size() == 1; }  // an objective, as most studies have
  [[nodiscard]] Method method() const;
  [[nodiscard]] const Pool* pool() const {  // null: parameters are searched
    const auto* over = std::get_if<PoolSearch>(&search);
    return over ? &over->pool : nullptr;
  }
  void validate() const;  // throws std::invalid_argument
};

}  // namespace salvo
