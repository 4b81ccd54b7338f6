// How fast are pools? One step over 2.3 million fingerprints of 512 bits, as a ratio to the 8-bit product's own time in the
// same run; how the fit grows with the data; one step of a small pool; memory.
#include <fmt/core.h>
#include <oneapi/dnnl/dnnl.h>
#include <salvo/pool_model.h>
#include <salvo/threads.h>
#include <sys/resource.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <numbers>
#include <numeric>

#include "experiments.h"
#include "math/parallel.h"
#include "pool/together.h"
#include "support/made_library.h"
#include "support/measure.h"
#include "support/replicates.h"

namespace salvo::experiments {
namespace {

struct PoolSettings {
  std::int64_t candidates = 2'300'000;
  int bits = 512, inducing = 2000, features = 1000, batch = 500, observations = 10'000;
  std::string kernel = "arccosine";
  double alpha = PoolModelOptions{}.alpha;
  bool quick = false, json = false, check = false;
};

bool all_goals_hold = true;
bool in_json = false;

// Seconds of all our threads on their cores: a machine that others share stretches time, but not this.
double busy() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  const auto seconds = [](const timeval& t) { return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec); };
  return seconds(usage.ru_utime) + seconds(usage.ru_stime);
}

void line(const std::string& name, double value, const std::string& unit, double most = 0, const std::string& remark = "") {
  const bool holds = most == 0 || value <= most;
  all_goals_hold = all_goals_hold && holds;
  if (in_json) {
    nlohmann::ordered_json out{{"name", name}, {"value", value}, {"unit", unit}};
    if (most != 0) {
      out["goal"] = most;
      out["holds"] = holds;
    }
    if (!remark.empty()) out["remark"] = remark;
    fmt::print("{}\n", out.dump());
  } else {
    fmt::print("{:<58} {:>10.4g} {:<8} {:<10} {:<7} {}\n", name, value, unit, most != 0 ? fmt::format("≤ {:g}", most) : "",
               most == 0 ? "" : (holds ? "holds" : "MISSED"), remark);
  }
  std::fflush(stdout);
}

// Operations per second of a core of oneDNN's 8-bit product, all threads at work, in the shape of a chunk.
double byte_rate(int rows, int columns, int inner) {
  const int threads = num_threads();
  const auto size = [](int a, int b) { return static_cast<std::size_t>(a) * static_cast<std::size_t>(b); };
  std::vector<std::vector<std::uint8_t>> A(static_cast<std::size_t>(threads), std::vector<std::uint8_t>(size(rows, inner), 3));
  std::vector<std::vector<std::int32_t>> C(static_cast<std::size_t>(threads), std::vector<std::int32_t>(size(rows, columns)));
  const std::vector<std::int8_t> B(size(inner, columns), 5);
  const std::int32_t zero = 0;
  constexpr int kRepeats = 4;
  double best = 0;
  for (int attempt = 0; attempt < 10; ++attempt) {
    const double begin = busy();
    parallel_for(threads, [&](std::int64_t t) {
      const auto i = static_cast<std::size_t>(t);
      for (int r = 0; r < kRepeats; ++r)
        dnnl_gemm_u8s8s32('N', 'N', 'F', rows, columns, inner, 1.0F, A[i].data(), inner, 0, B.data(), columns, 0, 0.0F,
                          C[i].data(), columns, &zero);
    });
    best = std::max(best, 2.0 * rows * columns * inner * kRepeats * threads / (busy() - begin));
  }
  return best;
}

// Something to learn, about as hard as docking scores are: a random two-layer function of the bits explains half of the
// variance, noise is the rest.
Vector values(const Pool& pool, std::span<const std::int64_t> rows, Key key) {
  constexpr int kHidden = 64, kInputs = 12;
  std::vector<double> weights(static_cast<std::size_t>(kHidden));
  key.fold("weights").fill_normal(weights);
  Vector y(static_cast<Eigen::Index>(rows.size()));
  key.fold("noise").fill_normal({y.data(), rows.size()});
  y *= 0.7;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    double f = 0;
    for (int h = 0; h < kHidden; ++h) {
      int active = 0;
      for (int j = 0; j < kInputs; ++j) {
        const auto at = static_cast<std::uint64_t>(h * kInputs + j);
        const auto bit = key.fold("inputs").at(at).below(static_cast<std::uint64_t>(pool.num_features()));
        active += static_cast<int>((pool.bits(rows[i])[bit / 64] >> (bit % 64)) & 1U) * (j % 3 == 0 ? -1 : 1);
      }
      f += weights[static_cast<std::size_t>(h)] * std::tanh(0.7 * active);
    }
    y(static_cast<Eigen::Index>(i)) += 0.7 * f / std::sqrt(0.3 * kHidden);
  }
  return y;
}

std::vector<std::int64_t> some_rows(const Pool& pool, std::int64_t count, Key key) {
  std::vector<std::int64_t> rows;
  std::vector<bool> used(static_cast<std::size_t>(pool.size()));
  for (std::uint64_t i = 0; static_cast<std::int64_t>(rows.size()) < count; ++i) {
    const auto row = static_cast<std::int64_t>(key.at(i).below(static_cast<std::uint64_t>(pool.size())));
    if (!used[static_cast<std::size_t>(row)]) rows.push_back(row);
    used[static_cast<std::size_t>(row)] = true;
  }
  return rows;
}

double peak_gigabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) * 1024 / 1e9;
}

// Two objectives, each member along a direction of its own: two sets of scores in one pass.
void two_outputs(const PoolSettings& s, const Pool& pool, const PoolModel& first, std::span<const std::int64_t> rows,
                 double one) {
  PoolModel second(pool, first.options(), 1);
  second.learn(rows, values(pool, rows, Key(11)), Key(4));
  const PoolModel* const models[] = {&first, &second};
  compute::PoolWorth worth{Matrix(2, s.batch), Matrix::Zero(2, s.batch), Matrix(0, s.batch), Matrix(0, s.batch)};
  for (int b = 0; b < s.batch; ++b) {
    const double angle = (b + 0.5) / s.batch * std::numbers::pi / 2;
    worth.scale.col(b) << 1 / std::cos(angle), 1 / std::sin(angle);
  }
  double best = 1e300;
  PoolChoice choice;
  for (int attempt = 0; attempt < 2; ++attempt) {
    const double begin = now();
    choice = PoolTogether(models, s.batch, Key(12).fold(static_cast<std::uint64_t>(attempt))).choose(worth, rows, s.batch);
    best = std::min(best, now() - begin);
  }
  line(fmt::format("the same for {} samples of two outputs", s.batch), best, "s", 0,
       fmt::format("{} passes, {:.3g}% one by one", choice.num_passes,
                   100.0 * static_cast<double>(choice.num_kept) / static_cast<double>(choice.num_scored)));
  line("… as a multiple of one output's", best / one, "×");
}

void one_step(const PoolSettings& s, const Pool& pool) {
  PoolModel model(
      pool, {.kernel = parse<PoolKernelType>(s.kernel), .num_inducing = s.inducing, .num_features = s.features, .alpha = s.alpha},
      1);
  const auto rows = some_rows(pool, s.observations, Key(2));
  const Vector y = values(pool, rows, Key(3));
  double begin = now();
  model.learn(rows, y, Key(4));
  line(fmt::format("learn from {} observations, m = {}", s.observations, s.inducing), now() - begin, "s");

  begin = now();
  PoolChoice choice = model.choose(1, rows, Key(5));
  const double first = now() - begin;
  begin = now();
  choice = model.choose(1, rows, Key(5));
  line("features of the prior for the whole pool, once a campaign", first - (now() - begin), "s");

  const int width = (s.features + 63) / 64 * 64 + (s.inducing + 63) / 64 * 64;
  const double operations = 2.0 * static_cast<double>(s.candidates) * (s.inducing + s.features) * s.batch;
  double best = 1e300, work = 1e300, rate = 0;
  for (int attempt = 0; attempt < (s.quick ? 3 : 2); ++attempt) {
    rate = std::max(rate, byte_rate(512, s.batch + 3, width));
    begin = now();
    const double busy_before = busy();
    choice = model.choose(s.batch, rows, Key(6).fold(static_cast<std::uint64_t>(attempt)));
    best = std::min(best, now() - begin);
    work = std::min(work, busy() - busy_before);
    rate = std::max(rate, byte_rate(512, s.batch + 3, width));
  }
  line("8-bit product, all threads at work", rate / 1e9, "GOP/s", 0, "a core");
  line(fmt::format("all {} candidates for {} samples", s.candidates, s.batch), best, "s", 0,
       fmt::format("{} passes, {:.3g}% one by one, {:.3g}% in single precision, {:.3g}% in double", choice.num_passes,
                   100.0 * static_cast<double>(choice.num_kept) / static_cast<double>(choice.num_scored),
                   100.0 * static_cast<double>(choice.num_refined) / static_cast<double>(choice.num_scored),
                   100.0 * static_cast<double>(choice.num_rescored) / static_cast<double>(choice.num_scored)));
  line("… in seconds of a core", work, "s");
  line("… as a multiple of its operations at that rate", work * rate / operations, "×", s.quick ? 0 : 1.5,
       fmt::format("{:.3g} T operations", operations / 1e12));

  two_outputs(s, pool, model, rows, best);

  const auto more = some_rows(pool, s.observations + s.batch, Key(2));
  const std::span<const std::int64_t> fresh(more.data() + s.observations, static_cast<std::size_t>(s.batch));
  const Vector fresh_y = values(pool, fresh, Key(3));
  begin = now();
  model.add(fresh, fresh_y);
  line(fmt::format("add {} observations", s.batch), now() - begin, "s");

  if (!s.check) return;
  PoolModelOptions plain = model.options();
  plain.screen = false;
  PoolModel other(pool, plain, 1);
  other.restore(model.learned());
  other.add(more, values(pool, more, Key(3)));
  PoolModel same(pool, model.options(), 1);
  same.restore(model.learned());
  same.add(more, values(pool, more, Key(3)));
  const PoolChoice a = same.choose(s.batch, rows, Key(7)), b = other.choose(s.batch, rows, Key(7));
  int different = 0;
  for (std::size_t i = 0; i < a.rows.size(); ++i) different += a.rows[i] != b.rows[i] ? 1 : 0;
  line("choices that differ from those without 8 bits", different, "", 1e-9);
}

// Time against n at fixed Z: the slope of log time over log n is 1 when only the O(nm²) of the fit grows.
void growth(const PoolSettings& s, const Pool& pool) {
  const int m = s.quick ? 200 : 500;
  const std::int64_t most = s.quick ? 16'000 : 64'000;
  const auto rows = some_rows(pool, most, Key(8));
  const Vector y = values(pool, rows, Key(9));
  PoolModel model(pool, {.kernel = parse<PoolKernelType>(s.kernel), .num_inducing = m, .num_features = 64}, 1);
  model.learn(std::span(rows).first(2000), y.head(2000), Key(10));
  const PoolLearned learned = model.learned();
  std::vector<double> x, t;
  for (std::int64_t n = most / 8; n <= most; n *= 2) {
    double best = 1e300;
    for (int attempt = 0; attempt < 2; ++attempt) {
      model.restore(learned);
      const double begin = now();
      model.add(std::span(rows).first(static_cast<std::size_t>(n)), y.head(n));
      best = std::min(best, now() - begin);
    }
    x.push_back(std::log(static_cast<double>(n)));
    t.push_back(std::log(best));
    line(fmt::format("take in {} observations, m = {}", n, m), best, "s");
  }
  const double mx = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
  const double mt = std::accumulate(t.begin(), t.end(), 0.0) / static_cast<double>(t.size());
  double xt = 0, xx = 0;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xt += (x[i] - mx) * (t[i] - mt);
    xx += (x[i] - mx) * (x[i] - mx);
  }
  line("slope of its time against n", xt / xx, "", 1.15);
}

void small_pool(const PoolSettings& s) {
  const Pool pool = made_library(30'000, s.bits, 500, Key(11));
  const auto rows = some_rows(pool, 5000, Key(12));
  const Vector y = values(pool, rows, Key(13));
  PoolModel model(pool, {.kernel = parse<PoolKernelType>(s.kernel), .num_inducing = 500, .num_features = 1000}, 1);
  model.learn(rows, y, Key(14));
  static_cast<void>(model.choose(1, rows, Key(15)));
  double best = 1e300, learning = 0;
  for (std::uint64_t attempt = 0; attempt < 3; ++attempt) {
    const double begin = now();
    model.learn(rows, y, Key(16).fold(attempt));
    const double learned = now();
    static_cast<void>(model.choose(100, rows, Key(17).fold(attempt)));
    if (const double seconds = now() - begin; seconds < best) {
      best = seconds;
      learning = learned - begin;
    }
  }
  line("a step of 100 on 30,000 candidates, n = 5000, m = 500", best, "s", 1.0, fmt::format("{:.2g} s of it learning", learning));
}

}  // namespace

int run_pool(Arguments& arguments) {
  PoolSettings s;
  int threads = 0;
  arguments.option("--candidates", s.candidates, "N", kPositive);
  arguments.option("--bits", s.bits, "bits of a fingerprint", kPositive);
  arguments.option("--inducing", s.inducing, "m", kPositive);
  arguments.option("--features", s.features, "M", kPositive);
  arguments.option("--batch", s.batch, "B", kPositive);
  arguments.option("--observations", s.observations, "n", kPositive);
  arguments.option("--alpha", s.alpha, "spread of the samples: how much they agree decides the work", {0, 100});
  arguments.option("--kernel", s.kernel, "of the bits", {"arccosine", "tanimoto"});
  arguments.option("--threads", threads, "threads to use (0: one per core)");
  arguments.flag("--quick", s.quick, "small sizes: a look, not a measurement");
  arguments.flag("--check", s.check, "also chooses without 8 bits and counts what differs");
  arguments.flag("--json", s.json, "one object a line");
  arguments.parse();
  if (s.quick) {
    s.candidates = 100'000;
    s.inducing = 500;
    s.batch = 100;
    s.observations = 3000;
  }
  in_json = s.json;
  keep_memory();
  set_num_threads(threads);
  const double begin = now();
  const Pool pool = made_library(s.candidates, s.bits, 20'000, Key(1));
  line(fmt::format("made {} fingerprints", s.candidates), now() - begin, "s");
  one_step(s, pool);
  line("memory at its highest, pool included", peak_gigabytes(), "GB", s.check ? 0 : 1.0);
  growth(s, pool);
  small_pool(s);
  return all_goals_hold ? 0 : 1;
}

}  // namespace salvo::experiments
