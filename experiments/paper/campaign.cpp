#include "paper/campaign.h"

#include <fmt/core.h>
#include <salvo/error.h>
#include <salvo/pool_model.h>
#include <sys/resource.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>

#include "math/parallel.h"
#include "paper/bnn.h"
#include "support/measure.h"

namespace salvo::experiments {
namespace {

using Rows = std::vector<std::int64_t>;

Rows random_rows(std::int64_t size, const std::vector<bool>& seen, int count, Key key) {
  Rows out;
  std::vector<bool> used = seen;
  for (std::uint64_t i = 0; static_cast<int>(out.size()) < count; ++i) {
    const auto row = static_cast<std::int64_t>(key.at(i).below(static_cast<std::uint64_t>(size)));
    if (!used[static_cast<std::size_t>(row)]) out.push_back(row);
    used[static_cast<std::size_t>(row)] = true;
  }
  return out;
}

// What a step may look at.
struct State {
  const Library& library;
  const CampaignOptions& options;
  const Rows& seen;
  const std::vector<bool>& is_seen;
  const Vector& y;  // centred and scaled
  int step;
};
using Chooser = std::function<Rows(const State&)>;

// Everything is learned anew while that is cheap, later when the data have grown by a fifth; in between they are added.
Chooser by_model(const Library& library, const CampaignOptions& options, PoolModelOptions model_options) {
  auto model = std::make_shared<PoolModel>(library.pool, model_options, options.seed);
  auto learned_at = std::make_shared<std::size_t>(0);
  return [=](const State& s) {
    const auto step = static_cast<std::uint64_t>(s.step);
    const Key key = Key(options.seed).fold("step").fold(step);
    const auto known = static_cast<std::size_t>(model->num_observations());
    if (s.seen.size() <= 10'000 || s.seen.size() > *learned_at + *learned_at / 5) {
      model->learn(s.seen, s.y, key.fold("learn"));
      *learned_at = s.seen.size();
    } else {
      model->add(std::span(s.seen).subspan(known), s.y.tail(static_cast<Eigen::Index>(s.seen.size() - known)));
    }
    return model->choose(options.batch, s.seen, key.fold("choose")).rows;
  };
}

std::vector<std::vector<int>> bits_of(const Pool& pool) {
  std::vector<std::vector<int>> out(static_cast<std::size_t>(pool.size()));
  for (std::int64_t row = 0; row < pool.size(); ++row)
    for (int w = 0; w < pool.words_per_row(); ++w)
      for (std::uint64_t rest = pool.bits(row)[w]; rest != 0; rest &= rest - 1)
        out[static_cast<std::size_t>(row)].push_back(64 * w + std::countr_zero(rest));
  return out;
}

// A network trained afresh at every step; each member of the batch is the best of one drawn network, or all are the best of
// the mean.
Chooser by_network(const Library& library, const CampaignOptions& options, bool greedy, double floor) {
  auto inputs = std::make_shared<const std::vector<std::vector<int>>>(bits_of(library.pool));
  return [=](const State& s) {
    const Key key = Key(options.seed).fold("network").fold(static_cast<std::uint64_t>(s.step));
    std::vector<std::vector<int>> on;
    for (const std::int64_t row : s.seen) on.push_back((*inputs)[static_cast<std::size_t>(row)]);
    const Vector y = s.y.cwiseMax(floor);
    const double spread = std::sqrt((y.array() - y.mean()).square().mean()) + 1e-12;
    Bnn net(s.library.pool.num_features(), {}, key.fold("weights"));
    net.train(on, (y.array() - y.mean()) / spread, key.fold("order"));
    std::vector<bool> used = s.is_seen;
    const std::int64_t N = s.library.pool.size();
    std::vector<double> value(static_cast<std::size_t>(N));
    Rows out;
    for (int b = 0; b < options.batch; ++b) {
      if (b == 0 || !greedy) {
        const Bnn::Network drawn = greedy ? Bnn::Network{} : net.draw(key.fold("draw").fold(static_cast<std::uint64_t>(b)));
        parallel_blocks(N, 1024, [&](std::int64_t begin, std::int64_t end) {
          for (auto i = static_cast<std::size_t>(begin); i < static_cast<std::size_t>(end); ++i)
            value[i] = greedy ? net.predict((*inputs)[i]).mean : drawn.value((*inputs)[i]);
        });
      }
      std::int64_t best = -1;
      for (std::int64_t row = 0; row < N; ++row)
        if (!used[static_cast<std::size_t>(row)] &&
            (best < 0 || value[static_cast<std::size_t>(row)] > value[static_cast<std::size_t>(best)]))
          best = row;
      used[static_cast<std::size_t>(best)] = true;
      out.push_back(best);
    }
    return out;
  };
}

Chooser chooser(const Library& library, const CampaignOptions& options) {
  const std::string& method = options.method;
  if (method == "random")
    return [&library, &options](const State& s) {
      return random_rows(library.pool.size(), s.is_seen, options.batch,
                         Key(options.seed).fold("random").fold(static_cast<std::uint64_t>(s.step)));
    };
  // As published; and, for a fair comparison, with what the GP gains by.
  constexpr double kNoFloor = std::numeric_limits<double>::lowest();
  if (method == "bnn-ts" || method == "bnn-greedy") return by_network(library, options, method == "bnn-greedy", kNoFloor);
  if (method == "bnn-ts-floor") return by_network(library, options, false, options.floor.value_or(kNoFloor));
  if (method == "greedy") return by_model(library, options, {.alpha = 0, .floor = options.floor});
  const auto dash = method.find('-');
  if (dash == std::string::npos)
    throw Error(fmt::format(
        "method: expected arccosine-500, tanimoto-auto, greedy, bnn-ts, bnn-ts-floor, bnn-greedy or random; got \"{}\"", method));
  const std::string size = method.substr(dash + 1);
  return by_model(library, options,
                  {.kernel = parse<PoolKernelType>(method.substr(0, dash)),
                   .inducing = options.inducing,
                   .num_inducing = size == "auto" ? 0 : std::stoi(size),
                   .alpha = options.alpha,
                   .floor = options.floor});
}

}  // namespace

std::vector<bool> best_of(const std::vector<double>& values, double share) {
  std::vector<double> sorted = values;
  const auto last = sorted.begin() + static_cast<std::ptrdiff_t>(std::max(1.0, share * static_cast<double>(values.size()))) - 1;
  std::nth_element(sorted.begin(), last, sorted.end(), std::greater<>());
  std::vector<bool> out;
  for (const double v : values) out.push_back(v >= *last);
  return out;
}

Curve run_campaign(const Library& library, const CampaignOptions& options) {
  const double begin = now();
  const std::vector<bool> top = best_of(library.values, 0.1), tip = best_of(library.values, library.tip);
  const auto total = [](const std::vector<bool>& which) {
    return static_cast<double>(std::count(which.begin(), which.end(), true));
  };
  const double num_top = total(top), num_tip = total(tip);
  const Chooser choose = chooser(library, options);
  const Key noise_key = Key(options.seed).fold("noise");
  Rows seen;
  std::vector<bool> is_seen(library.values.size());
  std::vector<double> told;
  Curve curve;
  double found_top = 0, found_tip = 0, centre = 0, scale = 1;
  const double spread = [&] {
    const double n = static_cast<double>(library.values.size());
    const double mean = std::accumulate(library.values.begin(), library.values.end(), 0.0) / n;
    double squares = 0;
    for (const double v : library.values) squares += (v - mean) * (v - mean);
    return std::sqrt(squares / n);
  }();
  for (int step = 0; step <= options.num_batches; ++step) {
    Rows rows;
    if (step == 0) {
      rows = random_rows(library.pool.size(), is_seen, options.batch, Key(options.seed).fold("first"));
    } else {
      Vector y(static_cast<Eigen::Index>(told.size()));
      for (std::size_t i = 0; i < told.size(); ++i) y(static_cast<Eigen::Index>(i)) = (told[i] - centre) / scale;
      rows = choose({library, options, seen, is_seen, y, step});
    }
    for (const std::int64_t row : rows) {
      const auto at = static_cast<std::size_t>(row);
      double noise = 0;
      noise_key.fold(static_cast<std::uint64_t>(row)).fill_normal({&noise, 1});
      told.push_back(library.values[at] + options.noise * spread * noise);
      found_top += top[at] ? 1 : 0;
      found_tip += tip[at] ? 1 : 0;
      is_seen[at] = true;
      seen.push_back(row);
    }
    if (step == 0) {  // the units of y, for good
      centre = std::accumulate(told.begin(), told.end(), 0.0) / static_cast<double>(told.size());
      double squares = 0;
      for (const double v : told) squares += (v - centre) * (v - centre);
      scale = std::max(std::sqrt(squares / static_cast<double>(told.size())), 1e-12);
    }
    curve.top.push_back(found_top / num_top);
    curve.tip.push_back(found_tip / num_tip);
    if (step > 0 && options.show_progress) {
      const double left = (now() - begin) / step * (options.num_batches - step);
      fmt::print(stderr, "\r{} seed {}: batch {} of {}, {:.1f}% of the top 10%, about {:.0f} min left \x1b[K{}", options.method,
                 options.seed, step, options.num_batches, 100 * curve.top.back(), left / 60,
                 step == options.num_batches ? "\n" : "");
    }
  }
  curve.seconds = now() - begin;
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  curve.gigabytes = static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
  return curve;
}

}  // namespace salvo::experiments
