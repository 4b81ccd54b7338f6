#include "search/candidate_searcher.h"

#include <fmt/format.h>
#include <salvo/fitted_model.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>

#include "acquire/acquire.h"
#include "text/text.h"

namespace salvo {

CandidateSearcher::CandidateSearcher(const StudyOptions& options)
    : search_(std::get<PoolSearch>(options.search)),
      seed_(options.seed),
      num_planned_(options.num_initial > 0 ? options.num_initial : options.batch),
      evaluated_(static_cast<std::size_t>(search_.pool.size())) {}

std::int64_t CandidateSearcher::row_of(const Params& params) const {
  const std::string id = to_string(params.at(0));
  const std::int64_t row = search_.pool.find(id);
  if (row < 0) throw std::invalid_argument(fmt::format("candidate: expected an id of the pool, got \"{}\"", shown(id)));
  return row;
}

bool CandidateSearcher::may_be_tried(const Params& params) const { return !evaluated_[static_cast<std::size_t>(row_of(params))]; }

Params CandidateSearcher::canonical(const Params& params) const { return {std::string(search_.pool.id(row_of(params)))}; }

std::vector<Params> CandidateSearcher::candidates(const std::vector<std::int64_t>& rows) const {
  std::vector<Params> out;
  out.reserve(rows.size());
  for (const std::int64_t row : rows) out.push_back({std::string(search_.pool.id(row))});
  return out;
}

std::vector<std::int64_t> CandidateSearcher::rows_of(std::span<const Params> points) const {
  std::vector<std::int64_t> out;
  for (const Params& params : points) out.push_back(row_of(params));
  return out;
}

// A candidate that was abandoned may be handed out again.
const Values* CandidateSearcher::note(const Record& record, std::int64_t& row) {
  if (chosen_by_people(record.source)) ++num_told_;
  if (std::holds_alternative<Abandoned>(record.outcome)) return nullptr;
  row = row_of(record.params);
  num_evaluated_ += evaluated_[static_cast<std::size_t>(row)] ? 0 : 1;
  evaluated_[static_cast<std::size_t>(row)] = true;
  return std::get_if<Values>(&record.outcome);
}

std::vector<std::int64_t> CandidateSearcher::taken(std::span<const Params> pending) const {
  std::vector<std::int64_t> rows;
  rows.reserve(static_cast<std::size_t>(num_evaluated_) + pending.size());
  for (std::size_t row = 0; row < evaluated_.size(); ++row)
    if (evaluated_[row]) rows.push_back(static_cast<std::int64_t>(row));
  for (const Params& params : pending) {
    const std::int64_t row = row_of(params);
    if (!evaluated_[static_cast<std::size_t>(row)]) rows.push_back(row);
  }
  std::sort(rows.begin(), rows.end());
  rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
  return rows;
}

double CandidateSearcher::num_left(std::span<const Params> pending) const {
  std::set<std::int64_t> waiting;  // not a pass over the pool: runners ask this after every trial
  for (const Params& params : pending)
    if (const std::int64_t row = row_of(params); !evaluated_[static_cast<std::size_t>(row)]) waiting.insert(row);
  return static_cast<double>(search_.pool.size() - num_evaluated_ - std::ssize(waiting));
}

int CandidateSearcher::admitted(int size, const Ask& ask) const {
  const double left = num_left(ask.taken);
  if (left > 0) return static_cast<int>(std::min<double>(size, left));  // the last batch may be smaller
  throw std::invalid_argument(
      fmt::format("ask: no candidate is left: all {} of the pool have been handed out", search_.pool.size()));
}

std::vector<Params> CandidateSearcher::design(const Ask& ask, int count) {
  if (num_observed() >= 2 && info(search_.method).model != ModelUse::none) {
    const double planned = std::min(num_planned_, static_cast<double>(search_.pool.size()));
    const double due = planned - static_cast<double>(ask.num_designed + num_told_);
    count = static_cast<int>(std::clamp<double>(due, 0, count));
  }
  return candidates(random(count, taken(ask.taken), ask.key.fold("initial")));
}

std::vector<std::int64_t> CandidateSearcher::random(int count, const std::vector<std::int64_t>& taken, Key key) const {
  std::vector<bool> blocked(evaluated_.size());
  for (const std::int64_t row : taken) blocked[static_cast<std::size_t>(row)] = true;
  const auto size = static_cast<std::uint64_t>(search_.pool.size()), left = size - static_cast<std::uint64_t>(taken.size());
  const auto wanted = std::min(static_cast<std::uint64_t>(count), left);
  std::vector<std::int64_t> rows;
  if (2 * wanted <= left && 2 * left >= size) {  // then every other attempt at least finds a free one
    for (std::uint64_t attempt = 0; rows.size() < wanted; ++attempt) {
      const std::uint64_t row = key.at(attempt).below(size);
      if (blocked[row]) continue;
      blocked[row] = true;
      rows.push_back(static_cast<std::int64_t>(row));
    }
    return rows;
  }
  for (std::uint64_t row = 0; row < size; ++row)
    if (!blocked[row]) rows.push_back(static_cast<std::int64_t>(row));
  for (std::uint64_t i = 0; i < wanted; ++i) std::swap(rows[i], rows[i + key.at(i).below(rows.size() - i)]);
  rows.resize(wanted);
  return rows;
}

double CandidateSearcher::growth_for(Purpose purpose) const {
  const double refit = search_.model.refit_growth;
  return purpose == Purpose::batch ? refit : std::max(1.0, refit);
}

FittedModel CandidateSearcher::fitted() const {
  throw std::invalid_argument("fitted_model: expected a study over a space, got one over a pool");
}

}  // namespace salvo
