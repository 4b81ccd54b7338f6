#include "acquire/success.h"

#include <limits>

namespace salvo {
namespace {

constexpr double kHeight = 10;  // what a failure costs, in deviations of the objective
constexpr double kFree = 0.04;  // share of members without a limit: a failure may have been chance, and only who goes there sees
constexpr int kSuccessFeatures = 500;  // of the prior

}  // namespace

Vector draw_levels(double least, double most, int count, Key key) {
  Vector out(count);
  key.fold("sure").fill_uniform({out.data(), static_cast<std::size_t>(count)});
  out = (least + (most - least) * out.array()).matrix();
  for (int b = 0; b < count; ++b)
    if (key.fold("free").uniform(static_cast<std::uint64_t>(b)) < kFree) out(b) = std::numeric_limits<double>::lowest();
  return out;
}

std::unique_ptr<Limit> draw_limit(const Success* success, int count, double spread, Key key) {
  if (!success || success->weight == 0) return {};
  return std::make_unique<Limit>(
      draw_paths(success->gp, {.num_paths = count, .num_features = kSuccessFeatures}, key.fold("draw")),
      draw_levels(success->least, success->most, count, key), success->weight * kHeight * spread);
}

std::unique_ptr<Limit> mean_limit(const Success* success, double spread) {
  if (!success || success->weight == 0) return {};
  return std::make_unique<Limit>(draw_paths(success->gp, {.num_paths = 1, .num_features = 1, .alpha = 0}, Key(0)),
                                 Vector::Constant(1, 0.5 * (success->least + success->most)), success->weight * kHeight * spread);
}

}  // namespace salvo
