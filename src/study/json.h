#pragma once
#include <salvo/study.h>

#include <string>
#include <string_view>

#include "study/learned.h"

// What the database keeps as JSON text: readable with any SQLite tool, and read back as exactly the same values.
// Readers throw std::invalid_argument with what is wrong; writers throw it for text that is not UTF-8.
namespace salvo {

[[nodiscard]] std::string params_to_json(const Space& space, const Params& params);  // {"rate":0.1,"catalyst":"Pd"}
[[nodiscard]] Params params_from_json(const Space& space, std::string_view text);

[[nodiscard]] std::string parameter_to_json(const Parameter& parameter);
[[nodiscard]] std::string space_to_json(const Space& space);
[[nodiscard]] Space space_from_json(std::string_view text);

[[nodiscard]] std::string model_to_json(const ModelOptions& model);
[[nodiscard]] ModelOptions model_from_json(std::string_view text);

[[nodiscard]] std::string pool_model_to_json(const PoolModelOptions& model);
[[nodiscard]] PoolModelOptions pool_model_from_json(std::string_view text);

// What was learned over a pool, but for the inducing rows, which the database keeps as numbers.
[[nodiscard]] std::string pool_learned_to_json(const PoolLearned& learned);
[[nodiscard]] PoolLearned pool_learned_from_json(std::string_view text);

// Hyperparameters, sizes and how the fit ended: all that was learned but Z.
[[nodiscard]] std::string learned_to_json(const Learned& learned);
void learned_from_json(std::string_view text, Learned& learned);

}  // namespace salvo
