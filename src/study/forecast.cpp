#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/forecast.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <filesystem>
#include <limits>
#include <optional>
#include <span>
#include <stdexcept>

#include "study/made_up_outputs.h"
#include "study/rehearsal.h"

namespace salvo {
namespace {

using Kind = MeasuredAsk::Kind;
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }

double peak_memory() {
  rusage used{};
  return getrusage(RUSAGE_SELF, &used) == 0 ? 1024.0 * static_cast<double>(used.ru_maxrss) : 0;
}

// Up to so many observations the model is exact, and its cost grows otherwise than beyond.
std::int64_t exact_until(const StudyOptions& options) {
  if (info(options.method()).model == ModelUse::exact) return std::numeric_limits<std::int64_t>::max();
  const auto* space = std::get_if<SpaceSearch>(&options.search);
  if (!space || space->model.type != ModelType::inducing_points) return 0;
  return std::max(space->model.num_inducing, space->model.exact_until);
}

// Seconds as a function of n, of one part of an ask: through what was measured, and beyond.
class Curve {
 public:
  void add(std::int64_t n, double seconds) {
    if (!sizes_.empty() && static_cast<double>(n) < kNear * sums_.back() / counts_.back()) {  // one size: the mean
      sums_.back() += static_cast<double>(n);
      seconds_.back() += seconds;
      counts_.back() += 1;
      return;
    }
    sizes_.push_back(n);
    sums_.push_back(static_cast<double>(n));
    seconds_.push_back(seconds);
    counts_.push_back(1);
  }
  [[nodiscard]] bool empty() const { return sizes_.empty(); }
  // `steepest`: the power of n with which it may grow beyond the last size; of a straight line, the share that does.
  [[nodiscard]] double at(std::int64_t n, double steepest) const {
    const auto x = static_cast<double>(n);
    const std::size_t last = sizes_.size() - 1;
    if (x <= size(0)) return time(0);
    for (std::size_t i = 1; i <= last; ++i)
      if (x <= size(i)) return time(i - 1) * std::pow(x / size(i - 1), slope(i));
    if (last == 0) return time(0) * std::pow(x / size(0), steepest);
    if (steepest > 1) return time(last) * std::pow(x / size(last), std::clamp(slope(last), 0.0, steepest));
    // c₁ n m² + c₂ m³ and the like: a straight line.
    const double rise = (time(last) - time(last - 1)) / (size(last) - size(last - 1));
    return time(last) + std::clamp(rise, 0.0, steepest * time(last) / size(last)) * (x - size(last));
  }

 private:
  static constexpr double kNear = 1.25;
  [[nodiscard]] double size(std::size_t i) const { return sums_[i] / counts_[i]; }
  [[nodiscard]] double time(std::size_t i) const { return std::max(1e-7, seconds_[i] / counts_[i]); }
  [[nodiscard]] double slope(std::size_t i) const { return std::log(time(i) / time(i - 1)) / std::log(size(i) / size(i - 1)); }
  std::vector<std::int64_t> sizes_;
  std::vector<double> sums_, seconds_, counts_;
};

// About, where one was not met and another was.
double share_of_fit(Kind kind) { return kind == Kind::fit ? 1 : kind == Kind::points ? 0.3 : 0.1; }

constexpr double kExact = 2.7, kSparse = 0.8;  // powers of n: warm starts need fewer steps than the one before
constexpr double kPool = 1.5;                  // m grows with n, and every candidate is looked at with each of its points
constexpr double kChoosing = 0.25;             // what depends on n is a small part of it

// What asks cost while the model is exact, or once it is sparse.
struct Costs {
  std::array<Curve, 3> learning{};  // by kind
  Curve choosing{};
  void add(const MeasuredAsk& ask) {
    learning.at(static_cast<std::size_t>(ask.kind)).add(ask.observations, ask.learning);
    choosing.add(ask.observations, ask.choosing);
  }
  [[nodiscard]] bool empty() const { return choosing.empty(); }
  [[nodiscard]] MeasuredAsk at(Kind kind, std::int64_t n, double power, bool pool) const {
    const double steepest = pool ? kPool : power;
    MeasuredAsk out{.kind = kind, .observations = n, .choosing = choosing.at(n, pool ? kPool : kChoosing)};
    // A kind that was never met: the nearest one that was.
    constexpr std::array<std::array<Kind, 3>, 3> kOrder{
        {{Kind::plain, Kind::points, Kind::fit}, {Kind::points, Kind::fit, Kind::plain}, {Kind::fit, Kind::points, Kind::plain}}};
    for (const Kind each : kOrder.at(static_cast<std::size_t>(kind))) {
      const Curve& known = learning.at(static_cast<std::size_t>(each));
      if (known.empty()) continue;
      out.learning = known.at(n, steepest) * std::min(1.0, share_of_fit(kind) / share_of_fit(each));
      break;
    }
    return out;
  }
};

class Forecaster {
 public:
  Forecaster(const StudyOptions& options, const ForecastOptions& how)
      : options_(options), how_(how), growths_(Growths::of(options)), boundary_(exact_until(options)), rehearsal_(options) {
    out_.evaluations = how.evaluations;
    out_.batch = options.batch;
    if (const Pool* pool = options.pool()) out_.evaluations = std::min(out_.evaluations, pool->size());
    out_.batches = (out_.evaluations + options.batch - 1) / options.batch;
    out_.base_memory = peak_memory();
  }

  Forecast make() {
    rehearse();
    jump();
    sum();
    look_at_model();
    store();
    out_.measuring = since(begin_);
    return out_;
  }

 private:
  void note(const MeasuredAsk& ask) {
    out_.measured.push_back(ask);
    out_.largest = std::max(out_.largest, ask.observations);
    if (ask.observations == 0) return;  // the design is free
    (ask.observations <= boundary_ ? exact_ : sparse_).add(ask);
  }

  // From the beginning, as it will be.
  void rehearse() {
    while (rehearsal_.observations() < out_.evaluations && (since(begin_) < 0.5 * how_.seconds || out_.measured.size() < 3)) {
      if (options_.pool() && !rehearsal_.has_room(0)) break;
      note(rehearsal_.batch());
      count(out_.measured.back());
    }
    out_.rehearsed = rehearsal_.observations();
  }

  // Then at two larger sizes, the last one as large as there is time for.
  void jump() {
    const std::int64_t n = rehearsal_.observations();
    if (n >= out_.evaluations || !growths_.learns) return;
    const bool crosses = n <= boundary_ && out_.evaluations > boundary_;
    const auto middle = static_cast<std::int64_t>(std::sqrt(static_cast<double>(n) * static_cast<double>(out_.evaluations)));
    const auto first_sparse = crosses ? static_cast<std::int64_t>(1.2 * static_cast<double>(boundary_)) : n;
    visit(std::min(out_.evaluations, crosses ? first_sparse : affordable(middle, 0.3)));
    visit(affordable(out_.evaluations, 0.9));
  }

  // The largest size up to this one that can be visited in the time that is left, or in this share of all.
  [[nodiscard]] std::int64_t affordable(std::int64_t size, double share) const {
    const double left = std::max(share * how_.seconds, how_.seconds - since(begin_));
    const auto price = [&](std::int64_t n) {
      const Costs& known = n > boundary_ && !sparse_.empty() ? sparse_ : exact_.empty() ? sparse_ : exact_;
      const MeasuredAsk fit = known.at(Kind::fit, n, n <= boundary_ ? 2.5 : kSparse, over_pool_);
      return 1.3 * fit.learning + 2.5 * fit.choosing;
    };
    while (size > rehearsal_.observations() && price(size) > left) size = size * 4 / 5;
    return size;
  }

  void visit(std::int64_t n) {
    if (n <= rehearsal_.observations() || over_time()) return;
    rehearsal_.fill(n);
    if (options_.pool() && !rehearsal_.has_room(0)) return;
    note(rehearsal_.batch());
    if (over_time()) return;
    // Points alone, then nothing: where batches are so small that this happens.
    const auto next = static_cast<std::int64_t>(std::ceil((1 + growths_.points) * static_cast<double>(n)));
    if (growths_.points < growths_.fit && n + options_.batch < (1 + growths_.fit) * static_cast<double>(n)) {
      rehearsal_.fill(next);
      note(rehearsal_.batch());
    }
    if (rehearsal_.next_kind(rehearsal_.observations()) == Kind::plain && !over_time()) note(rehearsal_.batch());
  }

  [[nodiscard]] bool over_time() const { return since(begin_) > 2 * how_.seconds; }

  void count(const MeasuredAsk& ask, double times = 1) {
    out_.learning += times * ask.learning;
    out_.choosing += times * ask.choosing;
    out_.num_fits += ask.kind == Kind::fit ? 1 : 0;
    out_.longest_batch = std::max(out_.longest_batch, ask.learning + ask.choosing);
    if (ask.kind != Kind::plain) learned_ = ask.observations;
    if (ask.kind == Kind::fit) fitted_ = ask.observations;
  }

  // What was not rehearsed, ask by ask.
  void sum() {
    const std::int64_t stride = 1 + out_.batches / 1'000'000;  // of very many, one stands for its neighbours
    for (std::int64_t n = out_.rehearsed; n < out_.evaluations; n += options_.batch * stride) {
      const bool sparse = n > boundary_;
      const Costs& known = sparse ? (sparse_.empty() ? exact_ : sparse_) : (exact_.empty() ? sparse_ : exact_);
      if (known.empty()) break;
      const Kind kind = kind_at(growths_, n, learned_, fitted_);
      count(known.at(kind, n, sparse ? kSparse : kExact, over_pool_));
      if (stride > 1) count(known.at(Kind::plain, n, sparse ? kSparse : kExact, over_pool_), static_cast<double>(stride - 1));
    }
    out_.mean_batch = (out_.learning + out_.choosing) / static_cast<double>(std::max<std::int64_t>(1, out_.batches));
  }

  // m and M, and the memory: what the largest rehearsed size took, what an observation takes beyond it, and the exact model's
  // matrices where they are not among that.
  void look_at_model() {
    if (growths_.learns && rehearsal_.observations() > 1 && !over_time()) {
      if (const auto model = rehearsal_.study().model_report()) {
        out_.model_observations = model->num_observations;
        out_.num_inducing = model->num_inducing;
        out_.num_features = model->num_features;
        out_.theta_over_tau = model->theta_over_tau;
      }
    }
    const double dims = options_.pool() ? 1 : static_cast<double>(options_.space().parameters().size());
    const auto beyond = static_cast<double>(std::max<std::int64_t>(0, out_.evaluations - rehearsal_.observations()));
    const auto met = static_cast<double>(std::min(boundary_, out_.rehearsed)),
               exact = static_cast<double>(std::min(boundary_, out_.evaluations));
    out_.memory = peak_memory() + beyond * (64 * dims + 400) + 80 * std::max(0.0, exact * exact - met * met);
  }

  // A small study in a file of its own, which goes away again: bytes of a trial, and seconds of an outcome.
  void store() {
    constexpr int kTrials = 256, kOneByOne = 32;
    const std::filesystem::path folder = std::filesystem::temp_directory_path();
    const std::string path = (folder / fmt::format("salvo-plan-{}.db", ::getpid())).string();
    const auto clean_up = [&] {
      std::error_code ignored;
      for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(path + suffix, ignored);
    };
    clean_up();
    StudyOptions small = options_;
    small.num_initial = small.batch = kTrials;
    try {
      (void)Study::create(small, path);
      const auto empty = std::filesystem::file_size(path);
      std::vector<Told> all;
      double alone = 0, together = 0, handed_out = 0;
      {
        Study study = Study::open(path, options_.pool() ? std::optional(*options_.pool()) : std::nullopt);
        const int room = static_cast<int>(std::min<double>(kTrials, study.num_left()));
        const auto begin = Clock::now();
        for (const Trial& trial : study.ask(room, owner_of_this_process())) {
          all.push_back({trial.id, made_up_values(1.0 / static_cast<double>(trial.id + 2), options_.outputs)});
        }
        handed_out = since(begin);
        const std::span<const Told> each(all);
        const std::size_t few = std::min<std::size_t>(kOneByOne, all.size());
        const auto first = Clock::now();
        for (std::size_t i = 0; i < few; ++i) study.tell(each.subspan(i, 1));
        alone = since(first) / static_cast<double>(few);
        const auto second = Clock::now();
        if (few < all.size()) study.tell(each.subspan(few));
        together = since(second) / static_cast<double>(std::max<std::size_t>(1, all.size() - few));
      }
      const auto trials = static_cast<double>(all.size()), wanted = static_cast<double>(out_.evaluations);
      out_.bytes_per_trial = static_cast<double>(std::filesystem::file_size(path) - empty) / trials;
      out_.storing_one_by_one = alone * wanted;
      out_.storing =
          std::min(alone * wanted, alone * static_cast<double>(out_.batches) + together * wanted) + handed_out / trials * wanted;
      const double dims = options_.pool() ? 1 : static_cast<double>(Encoding(options_.space()).num_dims());
      out_.learned_bytes = 8 * dims * out_.num_inducing;
      out_.disk = static_cast<double>(empty) + out_.bytes_per_trial * static_cast<double>(out_.evaluations) + out_.learned_bytes;
    } catch (...) {
      clean_up();
      throw;
    }
    clean_up();
  }

  const StudyOptions& options_;
  ForecastOptions how_;
  Growths growths_;
  std::int64_t boundary_;
  bool over_pool_ = options_.pool() != nullptr;
  Clock::time_point begin_ = Clock::now();
  Rehearsal rehearsal_;
  Costs exact_, sparse_;
  std::int64_t learned_ = 0, fitted_ = 0;
  Forecast out_{};
};

}  // namespace

Forecast forecast(const StudyOptions& study, const ForecastOptions& options) {
  study.validate();
  if (options.evaluations < 1)
    throw std::invalid_argument(fmt::format("forecast: evaluations: expected 1 or more, got {}", options.evaluations));
  if (!(options.seconds > 0))
    throw std::invalid_argument(fmt::format("forecast: seconds: expected more than 0, got {}", options.seconds));
  return Forecaster(study, options).make();
}

}  // namespace salvo
