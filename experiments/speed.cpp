// How fast is Salvo? Every goal is work divided by P, the dgemm rate of the same threads in the same run.
#include <cblas.h>
#include <fmt/core.h>
#include <salvo/salvo.h>
#include <sys/resource.h>
#include <unistd.h>

#include <atomic>
#include <cmath>
#include <csignal>
#include <functional>
#include <nlohmann/json.hpp>

#include "experiments.h"
#include "math/parallel.h"
#include "support/measure.h"
#include "support/replicates.h"

namespace salvo::experiments {
namespace {

bool as_json = false;
bool all_hold = true;

// The shortest of several runs: what the machine can do when nobody else is at it.
double shortest(int repeats, const std::function<void()>& body) {
  double best = 1e300;
  for (int i = 0; i < repeats; ++i) {
    const double begin = now();
    body();
    best = std::min(best, now() - begin);
  }
  return best;
}

void report(const std::string& name, double value, const std::string& unit, double low, double high,
            const std::string& remark = "") {
  const bool has_goal = std::isfinite(high);
  const bool holds = value >= low && value <= high;
  if (has_goal) all_hold = all_hold && holds;
  if (as_json) {
    nlohmann::ordered_json line{{"name", name}, {"value", value}, {"goal", nullptr}, {"unit", unit}, {"holds", nullptr}};
    if (has_goal) {
      line["goal"] = high;
      line["holds"] = holds;
    }
    if (std::isfinite(low)) line["goal_low"] = low;
    if (!remark.empty()) line["remark"] = remark;
    fmt::print("{}\n", line.dump());
  } else {
    const std::string goal = !has_goal            ? ""
                             : std::isfinite(low) ? fmt::format("{:.4g} to {:.4g}", low, high)
                                                  : fmt::format("≤ {:.4g}", high);
    fmt::print("{:<62} {:>9.4g} {:<5} {:<14} {:<7} {}\n", name, value, unit, goal,
               !has_goal ? ""
               : holds   ? "holds"
                         : "MISSED",
               remark);
  }
  std::fflush(stdout);
}
constexpr double kNone = std::numeric_limits<double>::infinity();
void goal(const std::string& name, double value, const std::string& unit, double most, const std::string& remark = "") {
  report(name, value, unit, -kNone, most, remark);
}
void figure(const std::string& name, double value, const std::string& unit, const std::string& remark = "") {
  report(name, value, unit, -kNone, kNone, remark);
}

// flop/s of dgemm on all our threads at once.
double dgemm_rate() {
  constexpr int kSize = 1024;
  const int threads = num_threads();
  std::vector<Matrix> A(static_cast<std::size_t>(threads), Matrix::Constant(kSize, kSize, 0.5)), C = A;
  const double seconds = shortest(8, [&] {
    parallel_for(threads, [&](std::int64_t t) {
      const auto i = static_cast<std::size_t>(t);
      cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, kSize, kSize, kSize, 1.0, A[i].data(), kSize, A[i].data(), kSize,
                  0.0, C[i].data(), kSize);
    });
  });
  return 2.0 * kSize * kSize * kSize * threads / seconds;
}

struct SpeedSetting {
  Matrix X, Z;
  Vector y;
  Hyperparameters hyper;
};

SpeedSetting setting(int n, int m, int d) {
  SpeedSetting s;
  s.X.resize(n, d);
  Key(1).fill_uniform({s.X.data(), static_cast<std::size_t>(s.X.size())});
  s.y.resize(n);
  Key(2).fill_normal({s.y.data(), static_cast<std::size_t>(n)});
  s.y = 0.3 * s.y + s.X.col(0).array().sin().matrix();
  s.hyper.kernel = {KernelType::matern52, 1.0, Vector::Constant(d, 0.5)};
  s.Z = s.X.topRows(m);
  return s;
}

double bound_flops(double n, double m) { return 3 * m * m * n + 7.3 * m * m * m; }

double bound_seconds(int n, int m, int repeats) {
  const SpeedSetting s = setting(n, m, 6);
  return shortest(repeats, [&] { (void)bound_gradient(s.hyper, s.Z, s.X, s.y); });
}

// What body returns, computed in a process of its own: its memory and environment are its own as well.
double in_child(const std::function<double()>& body) {
  const auto result = replicate(
      1, 1, [&](int) { return fmt::format("{}", body()); }, [](int, const std::string&) {});
  return result[0].empty() ? std::nan("") : std::stod(result[0]);
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

void fit_speed(double P) {
  const double small = bound_seconds(5000, 500, 7);
  goal("bound and gradient, n = 5,000, m = 500", small * 1e3, "ms", bound_flops(5000, 500) / (0.65 * P) * 1e3,
       fmt::format("{:.0f}% of P", 100 * bound_flops(5000, 500) / P / small));
  const double large = in_child([] { return bound_seconds(100000, 1000, 2); });
  goal("bound and gradient, n = 100,000, m = 1,000", large, "s", 3.0 * 1000 * 1000 * 100000 / (0.65 * P),
       fmt::format("{:.0f}% of P", 100 * bound_flops(100000, 1000) / P / large));
  goal("  its memory in all", in_child([] {
         (void)bound_seconds(100000, 1000, 1);
         return peak_megabytes();
       }),
       "MB", 1000);
}

// The exponent of a power law through the points, by least squares on logarithms.
double slope(const std::vector<double>& x, const std::vector<double>& y) {
  double mx = 0, my = 0, xy = 0, xx = 0;
  const auto n = static_cast<double>(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) {
    mx += std::log(x[i]) / n;
    my += std::log(y[i]) / n;
  }
  for (std::size_t i = 0; i < x.size(); ++i) {
    xy += (std::log(x[i]) - mx) * (std::log(y[i]) - my);
    xx += std::pow(std::log(x[i]) - mx, 2);
  }
  return xy / xx;
}

void slopes() {
  std::vector<double> by_n, by_m;
  const std::vector<double> n{4000, 8000, 16000, 32000}, m{250, 500, 1000, 2000};
  for (const double each : n) by_n.push_back(bound_seconds(static_cast<int>(each), 300, 3));
  for (const double each : m) by_m.push_back(bound_seconds(16000, static_cast<int>(each), each > 999 ? 1 : 3));
  report("cost ~ n^a: a (m = 300, n = 4,000 to 32,000)", slope(n, by_n), "", 0.8, 1.1);
  report("cost ~ m^a: a (n = 16,000, m = 250 to 2,000)", slope(m, by_m), "", 1.6, 2.3);
}

Space box(int d) {
  std::vector<Parameter> parameters;
  for (int i = 0; i < d; ++i) parameters.push_back({fmt::format("x{}", i + 1), Float{0, 1}});
  return Space(parameters);
}

void sample_speed(double P) {
  const SpeedSetting s = setting(5000, 500, 6);
  SparseGp gp(s.hyper, s.Z);
  gp.condition(s.X, s.y);
  const double draw = shortest(5, [&] { (void)draw_paths(gp, {.num_paths = 100, .num_features = 1000, .alpha = 1.5}, Key(3)); });
  figure("100 sample paths drawn, m = 500, M = 1,000", draw * 1e3, "ms");
  const Paths paths = draw_paths(gp, {.num_paths = 100, .num_features = 1000, .alpha = 1.5}, Key(3));
  for (const int starts : {1, 10}) {
    const double seconds =
        shortest(5, [&] { (void)maximise(paths, box(6), Matrix(0, 6), {.num_candidates = 3000, .num_starts = starts}, Key(4)); });
    goal(fmt::format("100 paths scored on 3,000 candidates and polished, {} start{}", starts, starts > 1 ? "s" : ""),
         seconds * 1e3, "ms", (starts == 1 ? 3e9 : 10e9) / P * 1e3);
  }
}

// A stream of single asks and tells: the median of several.
void stream_speed(double P) {
  const Problem truth = problem("hartmann6");
  Study study = Study::create(
      {.outputs = one_objective(Direction::minimize), .num_initial = 1, .search = SpaceSearch{.space = truth.space}}, ":memory:");
  const Encoding space(truth.space);
  Matrix U(5000, 6);
  Key(5).fill_uniform({U.data(), static_cast<std::size_t>(U.size())});
  std::vector<Params> points;
  std::vector<double> values;
  for (Eigen::Index i = 0; i < U.rows(); ++i) {
    points.push_back(space.decode({U.row(i).data(), 6}));
    values.push_back(truth.value(points.back()));
  }
  (void)study.add(points, values);
  (void)study.ask(1);             // the initial design
  Trial trial = study.ask(1)[0];  // learns
  std::vector<double> seconds;
  for (int i = 0; i < 9; ++i) {
    study.tell(trial.id, truth.value(trial.params));
    const double begin = now();
    trial = study.ask(1)[0];
    seconds.push_back(now() - begin);
  }
  std::sort(seconds.begin(), seconds.end());
  goal("ask(1) after one tell, n = 5,000, m = 500", seconds[4] * 1e3, "ms", 8e9 / P * 1e3);
}

double whole_run(int num_inducing) {
  const StudyFile file = parse_study_file("[objective]\nbuiltin = \"hartmann6\"\n[budget]\nbatch = 100\nevaluations = 5000\n",
                                          "speed", {{"model.num_inducing", std::to_string(num_inducing)}});
  Study study = Study::create(file.study, ":memory:");
  RunOptions options;
  options.objective = file.objective;
  options.budget = file.budget;
  const double begin = now();
  (void)run(study, options);
  (void)study.recommend();
  return now() - begin;
}

void run_speed(double P) {
  for (const int m : {500, 250}) {
    const double work = m == 500 ? 1800e9 : 900e9;
    goal(fmt::format("whole Hartmann-6 run, 50 batches of 100, m = {}", m), in_child([m] { return whole_run(m); }), "s",
         work / P);
  }
}

// Another process on one core, and more OpenMP threads than cores, must cost no more than their share.
void crowd_speed() {
  const auto measure = [] { return in_child([] { return bound_seconds(5000, 500, 5); }); };
  const double alone = measure();
  setenv("OMP_NUM_THREADS", "16", 1);
  setenv("OPENBLAS_NUM_THREADS", "16", 1);
  goal("OMP_NUM_THREADS = 16: time over time without", measure() / alone, "", 1.15);
  unsetenv("OMP_NUM_THREADS");
  unsetenv("OPENBLAS_NUM_THREADS");
  const pid_t busy = fork();
  if (busy == 0) {
    std::atomic<bool> forever{true};
    while (forever.load(std::memory_order_relaxed)) {
    }
  }
  const double cores = num_threads();
  // A fair scheduler leaves us cores − ½ of them; a quarter more for what gets in the way.
  goal("another process on a core: time over time without", measure() / alone, "", 1.25 * cores / (cores - 0.5));
  kill(busy, SIGKILL);
}

}  // namespace

int run_speed(Arguments& arguments) {
  bool quick = false;
  int threads = 0;
  arguments.flag("--json", as_json, "one JSON object per line: name, value, goal, unit, holds");
  arguments.flag("--quick", quick, "without the whole runs and the slopes");
  arguments.option("--threads", threads, "threads to use (0: one per core)");
  arguments.parse();
  keep_memory();
  set_num_threads(threads);
  const double P = dgemm_rate();
  figure(fmt::format("P: dgemm on {} threads", num_threads()), P / 1e9, "GF/s");
  set_num_threads(threads);  // children start threads of their own
  fit_speed(P);
  sample_speed(P);
  stream_speed(P);
  crowd_speed();
  if (!quick) {
    slopes();
    run_speed(P);
  }
  figure("P again, at the end", dgemm_rate() / 1e9, "GF/s", "when the two differ much, somebody else was at work");
  return all_hold ? 0 : 1;
}

}  // namespace salvo::experiments
