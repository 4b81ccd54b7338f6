#include "search/settings.h"

#include <fmt/format.h>
#include <salvo/fields.h>

#include <algorithm>
#include <stdexcept>
#include <vector>

namespace salvo {
namespace {

struct Word {
  std::string_view key;
  std::vector<std::string>& words;
  void operator()(const auto& value) const {
    if constexpr (requires { to_string(value); })
      words.push_back(fmt::format("{}={}", key, to_string(value)));
    else if constexpr (requires { value.has_value(); })
      value ? (*this)(*value) : words.push_back(fmt::format("{}=auto", key));
    else
      words.push_back(fmt::format("{}={}", key, value));
  }
};

template <class Options>
std::string settings(const Options& options, std::int64_t num_anchored) {
  std::vector<std::string> words{fmt::format("anchored={}", num_anchored)};
  each_field(options, [&](std::string_view key, const auto& value, const auto&, const Says& says) {
    if (says.learns) Word{key, words}(value);
  });
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, " "));
}

}  // namespace

std::string learning_settings(const ModelOptions& model, std::int64_t num_anchored) { return settings(model, num_anchored); }
std::string learning_settings(const PoolModelOptions& model, std::int64_t num_anchored) { return settings(model, num_anchored); }

Tree anchor_tree(const Anchor& anchor, std::int64_t num_observations) {
  Tree out;
  out.add("num_observations", Tree::of(num_observations));
  out.add("centre", Tree::of(anchor.centre));
  out.add("scale", Tree::of(anchor.scale));
  out.add("lowest", Tree::of(anchor.lowest));
  if (anchor.squeezed()) {
    out.add("middle", Tree::of(anchor.middle));
    out.add("width", Tree::of(anchor.width));
  }
  return out;
}

Anchor anchor_from(const Tree& tree) {
  const Anchor out{number_of(tree, "centre"), number_of(tree, "scale"), number_of(tree, "lowest"), number_of(tree, "middle", 0),
                   number_of(tree, "width", 0)};
  if (!(out.scale > 0)) throw std::invalid_argument(fmt::format("scale: expected a positive number, got {}", out.scale));
  if (!(out.width >= 0)) throw std::invalid_argument(fmt::format("width: expected 0 or more, got {}", out.width));
  return out;
}

std::int64_t whole_within(const Tree& tree, std::string_view key, std::int64_t low, std::int64_t high,
                          std::optional<std::int64_t> fallback) {
  const std::int64_t value = whole_of(tree, key, fallback);
  if (value < low || value > high)
    throw std::invalid_argument(fmt::format("{}: expected {} to {}, got {}", key, low, high, value));
  return value;
}

}  // namespace salvo
