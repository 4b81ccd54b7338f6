#include <fmt/format.h>

#include <charconv>
#include <cstring>
#include <stdexcept>

#include "search/campaign.h"
#include "search/settings.h"
#include "text/json.h"
#include "text/text.h"

namespace salvo {
namespace {

std::uint64_t features_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("features: expected a whole number, got \"{}\"", shown(text)));
  return seed;
}

}  // namespace

Learned CampaignLearned::stored() const {
  Tree out = anchor_tree(anchor, num_observations);
  out.add("variance", Tree::of(model.variance));
  out.add("noise", Tree::of(model.noise));
  out.add("mean", Tree::of(model.mean));
  out.add("bias", Tree::of(model.bias));
  out.add("power", Tree::of(std::int64_t{model.power}));
  out.add("lengthscales", list_of(model.lengthscales));
  out.add("features", Tree::of(std::to_string(model.features)));  // 64 bits: more than a number of JSON is sure to keep
  if (model.floor) out.add("floor", Tree::of(*model.floor));
  const auto bytes = std::as_bytes(std::span(model.inducing));
  return {ask, sequence, settings, to_json(out), {bytes.begin(), bytes.end()}};
}

CampaignLearned CampaignLearned::from(const Learned& stored, std::int64_t num_known) {
  const Tree tree = parse_json(stored.document);
  CampaignLearned out{.ask = stored.ask,
                      .sequence = stored.sequence,
                      .num_observations = whole_within(tree, "num_observations", 1, num_known),
                      .settings = stored.settings,
                      .anchor = anchor_from(tree)};
  const std::vector<double> scales = numbers_of(tree.at("lengthscales"));
  out.model.variance = number_of(tree, "variance");
  out.model.noise = number_of(tree, "noise");
  out.model.mean = number_of(tree, "mean");
  out.model.bias = number_of(tree, "bias");
  out.model.power = static_cast<int>(whole_within(tree, "power", 1, 8, 1));  // stores of earlier versions have none
  out.model.lengthscales = Vector::Map(scales.data(), std::ssize(scales));
  out.model.features = features_of(text_of(tree, "features"));
  if (tree.find("floor")) out.model.floor = number_of(tree, "floor");
  if (stored.arrays.size() % sizeof(std::int64_t) != 0) throw std::invalid_argument("inducing candidates of the wrong size");
  if (std::ssize(stored.arrays) / 8 > out.num_observations)
    throw std::invalid_argument(
        fmt::format("expected at most {} inducing candidates, got {}", out.num_observations, stored.arrays.size() / 8));
  out.model.inducing.resize(stored.arrays.size() / sizeof(std::int64_t));
  if (!stored.arrays.empty()) std::memcpy(out.model.inducing.data(), stored.arrays.data(), stored.arrays.size());
  return out;
}

}  // namespace salvo
