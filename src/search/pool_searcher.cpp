#include "search/pool_searcher.h"

#include "math/timer.h"
#include "pool/together.h"
#include "search/settings.h"

namespace salvo {
namespace {

Campaign campaign_of(const StudyOptions& options, double sign) {
  const auto& search = std::get<PoolSearch>(options.search);
  const std::int64_t anchored = num_anchored(options.num_initial, options.batch);
  return {search, options.seed, anchored, learning_settings(search.model, anchored), sign};
}

}  // namespace

PoolSearcher::PoolSearcher(const StudyOptions& options)
    : CandidateSearcher(options),
      sign_(options.direction() == Direction::minimize ? -1.0 : 1.0),
      campaign_(campaign_of(options, sign_)),
      failures_(options) {}

void PoolSearcher::observe(std::span<const Record> records) {
  for (const Record& record : records) {
    std::int64_t row = 0;
    const Values* values = note(record, row);
    if (!std::holds_alternative<Abandoned>(record.outcome)) failures_.observe(record, row);
    if (!values) continue;
    campaign_.observe(record, row, sign_ * values->outputs.front());
    recommended_row_ = -1;
  }
}

// What is in the store, read once.
const CampaignLearned* PoolSearcher::recall(const Learned* stored) {
  if (!stored) {
    known_.reset();
    return nullptr;
  }
  const CampaignLearned header{.ask = stored->ask, .sequence = stored->sequence, .settings = stored->settings};
  if (!known_ || !known_->same_as(header)) known_ = CampaignLearned::from(*stored, campaign_.data().size());
  return &*known_;
}

void PoolSearcher::check(const Learned& known) { campaign_.check(*recall(&known)); }

bool PoolSearcher::learns_first(const Learned* stored) {
  return campaign_.must_learn(recall(stored), growth_for(Purpose::question));
}

void PoolSearcher::fit(const Ask& ask, const Learned* stored, Purpose purpose) {
  const CampaignLearned* known = recall(stored);
  const bool another = campaign_.must_learn(known, growth_for(purpose))
                           ? campaign_.learn(known, ask.number, campaign_.data().last_sequence(), ask.key.fold("fit"))
                           : campaign_.go_on_from(*known);
  if (another) recommended_row_ = -1;
}

std::vector<Choice> PoolSearcher::choose(const Ask& ask, int count, Seconds& seconds) {
  const Timer timer(seconds.maximise);
  std::vector<Choice> out;
  for (Params& params : candidates(chosen(ask, count))) out.push_back({std::move(params)});
  return out;
}

// Where candidates have failed success is an output of its own, which samples have to allow.
std::vector<std::int64_t> PoolSearcher::chosen(const Ask& ask, int count) const {
  const std::vector<std::int64_t> closed = taken(ask.taken);
  const std::optional<PoolSuccess> success = failures_.learn();
  if (!success) return campaign_.model().choose(count, closed, ask.key).rows;
  count = static_cast<int>(std::min<std::int64_t>(count, search_.pool.size() - std::ssize(closed)));
  if (count <= 0) return {};
  compute::PoolWorth worth{Matrix::Ones(1, count), Matrix::Zero(1, count), Matrix(0, count), Matrix(0, count)};
  add_success(*success, ask.key.fold("success"), worth);
  const PoolModel* models[] = {&campaign_.model(), &success->model};
  return PoolTogether(models, count, ask.key).choose(worth, closed, count).rows;
}

ModelReport PoolSearcher::report() const {
  ModelReport out = campaign_.report();
  out.failing = failures_.report();
  return out;
}

std::vector<Estimate> PoolSearcher::predict(std::span<const Params> points) {
  const Prediction there = campaign_.model().predict(rows_of(points));
  std::vector<Estimate> out;
  for (Eigen::Index i = 0; i < there.mean.size(); ++i) out.push_back(campaign_.in_users_units(there.mean(i), there.variance(i)));
  return out;
}

Recommended PoolSearcher::recommend(std::span<const double>) {
  if (recommended_row_ < 0) recommended_row_ = campaign_.data().best_row(campaign_.model().predict(campaign_.rows()).mean);
  const std::int64_t row[] = {campaign_.rows()[static_cast<std::size_t>(recommended_row_)]};
  const Prediction there = campaign_.model().predict(row);
  return {.id = campaign_.data().id(recommended_row_), .outputs = {campaign_.in_users_units(there.mean(0), there.variance(0))}};
}

}  // namespace salvo
