#pragma once
#include <salvo/model_options.h>

#include <cstdint>
#include <string>

#include "search/results.h"
#include "text/tree.h"

namespace salvo {

// The options that learning depends on as words in the order of the alphabet: "alpha=0.1 anchored=100 …".
[[nodiscard]] std::string learning_settings(const ModelOptions& model, std::int64_t num_anchored);
[[nodiscard]] std::string learning_settings(const PoolModelOptions& model, std::int64_t num_anchored);

// How what was learned keeps its units, and the number of observations that it was learned from.
[[nodiscard]] Tree anchor_tree(const Anchor& anchor, std::int64_t num_observations);
[[nodiscard]] Anchor anchor_from(const Tree& tree);  // throws std::invalid_argument: not what anchor_tree makes

// As whole_of; throws std::invalid_argument outside of [low, high].
[[nodiscard]] std::int64_t whole_within(const Tree& tree, std::string_view key, std::int64_t low, std::int64_t high,
                                        std::optional<std::int64_t> fallback = {});

}  // namespace salvo
