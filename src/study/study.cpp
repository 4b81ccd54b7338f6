#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/fitted_model.h>
#include <salvo/study.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "config/options_json.h"
#include "math/timer.h"
#include "store/outcome.h"
#include "study/compare.h"
#include "study/passed.h"
#include "study/study_impl.h"
#include "text/numbers.h"
#include "text/text.h"

namespace salvo {
namespace {

Definition definition_of(const StudyOptions& options) {
  Definition out{.space = options.space(), .outputs = {}, .options = options_to_json(options)};
  for (const Output& output : options.outputs) out.outputs.push_back(output.name);
  return out;
}

// Text of ours that cannot be read is damage.
StudyOptions options_of(const Store& store, const std::optional<Pool>& pool) try {
  const Definition& definition = store.definition();
  return options_from_json(definition.options, definition.space, store.url(), pool);
} catch (const std::logic_error& error) {
  throw StoreError(fmt::format("{}: the table \"study\" is damaged: {}. Restore a copy of the file", store.url(), error.what()));
}

}  // namespace

// Reads what other processes, or this one, have recorded since.
Store::Snapshot Study::Impl::refresh() {
  const Timer timer(seconds.store);
  auto snapshot = store->snapshot(last_sequence, learned ? learned->ask : -1);
  while (snapshot.amendments != amendments || snapshot.priors != priors) {
    amendments = snapshot.amendments;
    priors = snapshot.priors;
    start_over();
    snapshot = store->snapshot(0, -1);
  }
  if (!snapshot.records.empty()) last_sequence = snapshot.records.back().sequence;
  std::erase_if(snapshot.records, [](const Record& record) { return record.outside; });
  searcher->observe(snapshot.records);
  if (snapshot.learned) {
    check_learned(*snapshot.learned);
    learned = std::move(snapshot.learned);
  }
  for (const Record& record : snapshot.records) remember_best(record);
  return snapshot;
}

// Somebody has put an outcome right, or expects something else: all that was seen is seen again.
void Study::Impl::start_over() {
  searcher = make_searcher(options);
  if (priors > 0) give_prior();
  learned.reset();
  last_sequence = 0;
  best = {};
}

// What was learned is computed with as it is: one that makes no sense would take any amount of memory, or crash.
void Study::Impl::check_learned(const Learned& known) const try {
  searcher->check(known);
} catch (const std::logic_error& error) {
  throw StoreError(
      fmt::format("{}: the table \"learned\" is damaged: {}. Restore a copy of the file, or remove that row, and the next ask "
                  "learns anew: sqlite3 FILE 'DELETE FROM learned'",
                  store->url(), error.what()));
}

// Of equal values the trial that was asked for first. Several objectives have no best value.
void Study::Impl::remember_best(const Record& record) {
  const auto* values = std::get_if<Values>(&record.outcome);
  if (!values || options.num_objectives() != 1) return;
  for (std::size_t k = 1; k < options.outputs.size(); ++k)  // not measured: not known to hold
    if (!std::get<Constraint>(options.outputs[k].role).holds(values->outputs[k])) return;
  const double value = values->outputs.front();
  if (std::isnan(value)) return;
  const bool better = options.direction() == Direction::maximize ? value > best.value : value < best.value;
  if (best.id == 0 || better || (value == best.value && record.id < best.id)) best = {record.id, value};
}

// The model that answers questions. It stores nothing.
bool Study::Impl::bring_up_to_date() {
  const auto known = refresh();
  if (searcher->num_observed() == 0) return false;
  const Timer timer(seconds.fit);
  searcher->fit(ask_of(known), learned ? &*learned : nullptr, Purpose::question);
  return true;
}

Study::Study(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
Study::Study(Study&&) noexcept = default;
Study& Study::operator=(Study&&) noexcept = default;
Study::~Study() = default;

Study Study::create(const StudyOptions& options, const std::string& url) {
  check_url(url);
  options.validate();
  return Study(std::make_unique<Impl>(create_store(url, definition_of(options)), options));
}

Study Study::open(const std::string& url, const std::optional<Pool>& pool) {
  auto store = open_store(url);
  StudyOptions options = options_of(*store, pool);
  return Study(std::make_unique<Impl>(std::move(store), std::move(options)));
}

Study Study::open_or_create(const StudyOptions& given, const std::string& url, const SpaceUpdate& update) {
  check_url(url);
  given.validate();
  while (!store_exists(url)) {
    try {
      return create(given, url);
    } catch (const StoreError&) {
      if (!store_exists(url)) throw;  // otherwise another process was faster
    }
  }
  auto store = open_store(url);
  const Pool* pool = given.pool();
  const StudyOptions stored = options_of(*store, pool ? std::optional(*pool) : std::nullopt);
  const StudyOptions options = going_on(stored, given);
  require_same_study(stored, options, url);
  Study study(std::make_unique<Impl>(std::move(store), stored));
  if (!pool) study.follow(options.space(), update);
  Store& kept = *study.impl_->store;
  const std::string document = options_to_json(options, kept.definition().options);
  if (document != kept.definition().options) kept.set_options(document);
  return Study(std::make_unique<Impl>(std::move(study.impl_->store), options));
}

void Study::tell(std::span<const Told> outcomes) {
  for (const Told& told : outcomes) check_passed(options(), told.outcome, fmt::format("tell: trial {}", told.id));
  const Timer timer(impl_->seconds.store);
  impl_->store->tell(outcomes);
}

void Study::tell(std::int64_t id, double value) {
  const Told outcome = told(id, value);
  tell({&outcome, 1});
}

void Study::fail(std::int64_t id, const std::string& reason) {
  const Told outcome{id, Failure{reason}};
  tell({&outcome, 1});
}

void Study::abandon(std::int64_t id) {
  const Told outcome{id, Abandoned{}};
  tell({&outcome, 1});
}

void Study::correct(const char* what, std::span<const Correction> corrections) try {
  for (const Correction& each : corrections)
    if (each.outcome) check_passed(options(), *each.outcome, fmt::format("trial {}", each.id));
  const Timer timer(impl_->seconds.store);
  impl_->store->amend(corrections);
} catch (const std::invalid_argument& error) {
  throw std::invalid_argument(fmt::format("{}: {}", what, error.what()));
}

void Study::amend(std::span<const Correction> corrections) { correct("amend", corrections); }

void Study::amend(std::int64_t id, double value, const std::string& reason) {
  const Correction correction{id, with_value(trial(id).value_or(Trial{}), value), reason};
  amend({&correction, 1});
}

void Study::forget(std::span<const std::int64_t> ids, const std::string& reason) {
  std::vector<Correction> corrections;
  for (const std::int64_t id : ids) corrections.push_back({id, Abandoned{}, reason});
  correct("forget", corrections);
}

void Study::revive(std::span<const std::int64_t> ids, const std::string& reason) {
  std::vector<Correction> corrections;
  for (const std::int64_t id : ids) corrections.push_back({id, std::nullopt, reason});
  correct("revive", corrections);
}

void Study::forget(std::int64_t id, const std::string& reason) { forget({&id, 1}, reason); }
void Study::revive(std::int64_t id, const std::string& reason) { revive({&id, 1}, reason); }

std::vector<Amendment> Study::amendments() { return impl_->store->amendments(); }

std::vector<std::int64_t> Study::add(std::span<const Params> points, std::span<const double> values) {
  std::vector<Values> each;
  for (const double value : values) each.push_back({{value}});
  return add(points, each);
}

std::vector<std::int64_t> Study::add(std::span<const Params> points, std::span<const Values> values) {
  return add(points, std::vector<Outcome>(values.begin(), values.end()));
}

std::vector<std::int64_t> Study::add(std::span<const Params> points, std::span<const Outcome> outcomes) {
  if (points.size() != outcomes.size()) {
    throw std::invalid_argument(fmt::format("add: expected one value per point, got {} and {}", outcomes.size(), points.size()));
  }
  std::vector<Params> typed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    typed.push_back(impl_->searcher->canonical(space().check(points[i])));
    const std::string where = fmt::format("add: point {}", i + 1);
    if (const auto* values = std::get_if<Values>(&outcomes[i])) validate(*values, impl_->store->definition().outputs, where);
    check_passed(options(), outcomes[i], where);
    if (std::holds_alternative<Abandoned>(outcomes[i]))
      throw std::invalid_argument(fmt::format("{}: expected a value or a failure, got an abandoned trial", where));
  }
  const Timer timer(impl_->seconds.store);
  return impl_->store->add_all(typed, outcomes, options().pool() != nullptr);
}

std::int64_t Study::enqueue(std::span<const Params> points, bool again) {
  if (again && options().pool())
    throw std::invalid_argument("enqueue: again: a candidate of a pool is handed out once; a second value of it can be told");
  std::vector<Params> wanted;
  for (const Params& point : points) wanted.push_back(impl_->searcher->canonical(space().check_offered(point)));
  std::set<Params> known;
  for (const Trial& trial : trials()) {
    const TrialState state = trial.state();
    const bool evaluated = state == TrialState::done || (options().pool() && state == TrialState::failed);
    if (state == TrialState::pending || (evaluated && !again)) known.insert(trial.params);
  }
  std::erase_if(wanted, [&](const Params& point) { return known.contains(point); });
  return impl_->store->enqueue(wanted);
}

std::int64_t Study::unqueue(std::span<const std::int64_t> ids) { return impl_->store->unqueue(ids); }
std::vector<Queued> Study::queue() { return impl_->store->queue(); }

Recommendation Study::Impl::shown(const Recommended& found) const {
  return {.trial = store->trial(found.id).value(),
          .mean = found.outputs.front().mean,
          .stddev = found.outputs.front().stddev,
          .noise_free = found.noise_free,
          .outputs = found.outputs,
          .feasible = found.feasible,
          .allowed = found.allowed};
}

// One for each objective.
std::vector<double> Study::Impl::weights_of(const Weights& weights) const {
  std::vector<double> out;
  double sum = 0;
  for (int k = 0; k < options.num_objectives(); ++k) {
    const auto found = weights.find(options.outputs[static_cast<std::size_t>(k)].name);
    out.push_back(weights.empty() ? 1.0 : found == weights.end() ? 0.0 : found->second);
    sum += out.back();
  }
  for (const auto& given : weights) {
    const auto& [name, weight] = given;
    const auto named = [&](const Output& output) {
      return output.name == given.first && std::holds_alternative<Objective>(output.role);
    };
    if (std::none_of(options.outputs.begin(), options.outputs.end(), named))
      throw std::invalid_argument(fmt::format("weights: expected the name of an objective, got \"{}\"", salvo::shown(name)));
    if (!std::isfinite(weight) || weight < 0)
      throw std::invalid_argument(fmt::format("weights: {}: expected a number that is not negative, got {}", name, weight));
  }
  if (!(sum > 0)) throw std::invalid_argument("weights: expected one above 0, got none");
  return out;
}

std::optional<Recommendation> Study::recommend(const Weights& weights) {
  const std::vector<double> wanted = impl_->weights_of(weights);
  if (!impl_->bring_up_to_date()) return std::nullopt;
  return impl_->shown(impl_->searcher->recommend(wanted));
}

Front Study::front() {
  if (!impl_->bring_up_to_date()) return {};
  const RecommendedFront found = impl_->searcher->front();
  Front out{.reference = found.reference, .hypervolume = found.hypervolume};
  for (const Recommended& point : found.points) out.points.push_back(impl_->shown(point));
  return out;
}

std::optional<Trial> Study::observed_best() {
  (void)impl_->refresh();
  return impl_->best.id == 0 ? std::nullopt : trial(impl_->best.id);
}

std::vector<Params> Study::Impl::points_to_predict(std::span<const Params> points) {
  std::vector<Params> typed;
  for (const Params& point : points) typed.push_back(searcher->canonical(store->definition().space.check(point)));
  if (!bring_up_to_date())
    throw std::invalid_argument("predict: expected a study with at least one value, got one without. Tell a value first");
  return typed;
}

std::vector<Estimate> Study::predict(std::span<const Params> points) {
  const std::vector<Params> typed = impl_->points_to_predict(points);  // first: it may make a new searcher
  return impl_->searcher->predict(typed);
}

std::vector<std::vector<Estimate>> Study::predict_outputs(std::span<const Params> points) {
  const std::vector<Params> typed = impl_->points_to_predict(points);  // first: it may make a new searcher
  return impl_->searcher->predict_outputs(typed);
}

std::optional<double> Study::expected_gain() {
  if (options().pool() || options().outputs.size() > 1)
    throw std::invalid_argument(
        fmt::format("expected_gain: expected a study of parameters with one output, got {}",
                    options().pool() ? "one over a pool" : fmt::format("{} outputs", options().outputs.size())));
  if (!impl_->bring_up_to_date()) return std::nullopt;
  return impl_->searcher->expected_gain(impl_->ask_of(impl_->refresh()));
}

std::optional<ModelReport> Study::model_report() {
  if (!impl_->bring_up_to_date()) return std::nullopt;
  return impl_->searcher->report();
}

std::vector<ModelReport> Study::model_reports() {
  if (!impl_->bring_up_to_date()) return {};
  return impl_->searcher->reports();
}

std::optional<FittedModel> Study::fitted_model() {
  if (!impl_->bring_up_to_date()) return std::nullopt;
  return impl_->searcher->fitted();
}

bool Study::learning_is_long() {
  constexpr std::int64_t kMany = 20'000;
  (void)impl_->refresh();
  return impl_->searcher->num_observed() > kMany && impl_->searcher->learns_first(impl_->learned ? &*impl_->learned : nullptr);
}

double Study::num_left() {
  const Store::Snapshot known = impl_->refresh();  // first: it may make a new searcher
  return impl_->searcher->num_left(known.pending);
}

const StudyOptions& Study::options() const { return impl_->options; }
const Space& Study::space() const { return impl_->store->definition().space; }
std::string Study::path() const { return impl_->store->url(); }
Counts Study::counts() { return impl_->store->counts(); }
std::vector<Trial> Study::trials() { return impl_->store->trials(); }
std::optional<Trial> Study::trial(std::int64_t id) { return impl_->store->trial(id); }
std::vector<Trial> Study::pending() { return impl_->store->pending(); }
std::vector<Trial> Study::told_last(int count) { return impl_->store->told_last(count); }
std::vector<Trial> Study::claim_orphans(const std::string& owner) { return impl_->store->claim_orphans(owner); }
Seconds Study::seconds() const { return impl_->seconds; }
void Study::backup(const std::string& path) { impl_->store->backup(path); }
void Study::exclusively(const std::function<void()>& work) {
  const std::unique_ptr<Turn> turn = impl_->store->take_turn();
  work();
}

void Study::set_note(const std::string& key, const std::string& value) { impl_->store->set_note(key, value); }
std::optional<std::string> Study::note(const std::string& key) { return impl_->store->note(key); }

}  // namespace salvo
