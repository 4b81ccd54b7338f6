#include "search/prior.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <cmath>
#include <stdexcept>

#include "math/timer.h"
#include "store/outcome.h"
#include "study/study_impl.h"
#include "text/text.h"

namespace salvo {
namespace {

// Text of ours that cannot be read is damage.
template <class Read>
auto reading_prior(const Store& store, Read read) try {
  return read();
} catch (const std::logic_error& error) {
  throw StoreError(
      fmt::format("{}: the table \"prior\" is damaged: {}. Restore a copy of the file, import the prior again, or leave it out "
                  "(salvo import STUDY --remove-prior)",
                  store.url(), error.what()));
}

}  // namespace

void Study::Impl::give_prior() {
  const std::vector<KeptPrior> all = store->priors();
  if (all.empty() || all.back().document.empty()) return;
  reading_prior(*store, [&] { searcher->set_prior(all.back().document); });
}

// Before the space itself changes: what is said of parameters that the space does not have changes nothing.
void Study::Impl::move_prior(const Space& space, const std::map<std::string, Value>& before) {
  const std::vector<KeptPrior> all = store->priors();
  if (all.empty() || all.back().document.empty()) return;
  std::map<std::string, Value> gone;
  for (const Parameter& parameter : store->definition().space.parameters())
    if (const auto* fixed = std::get_if<Fixed>(&parameter.domain); fixed && space.find(parameter.name) < 0)
      gone.emplace(parameter.name, fixed->value);
  const std::string& document = all.back().document;
  const std::string moved = reading_prior(*store, [&] { return moved_prior(document, space, before, gone); });
  if (moved != document) store->set_prior(moved);
}

void Study::set_prior(std::span<const Params> points, std::span<const double> values, const std::string& from) {
  std::vector<Values> each;
  for (const double value : values) each.push_back({{value}});
  set_prior(points, each, from);
}

void Study::set_prior(std::span<const Params> points, std::span<const Values> values, const std::string& from) {
  if (points.size() != values.size())
    throw std::invalid_argument(
        fmt::format("set_prior: expected one value per point, got {} and {}", values.size(), points.size()));
  if (points.size() < 2)
    throw std::invalid_argument(fmt::format("set_prior: expected at least two values of the other study, got {}", points.size()));
  if (from.empty() || !is_text(from))
    throw std::invalid_argument(
        fmt::format("set_prior: from: expected where it comes from, as text in UTF-8, got \"{}\"", shown(from)));
  std::vector<Params> typed;
  for (std::size_t i = 0; i < points.size(); ++i) {
    validate(values[i], impl_->store->definition().outputs, fmt::format("set_prior: point {}", i + 1));
    typed.push_back(impl_->searcher->canonical(space().check(points[i])));
  }
  std::string document;
  {
    const Timer timer(impl_->seconds.fit);
    document = impl_->searcher->prior_of(typed, values, from);
  }
  const Timer timer(impl_->seconds.store);
  impl_->store->set_prior(document);
}

bool Study::remove_prior() {
  const std::vector<KeptPrior> all = impl_->store->priors();
  if (all.empty() || all.back().document.empty()) return false;  // by its words, which may be damaged, nobody goes
  impl_->store->set_prior("");
  return true;
}

std::optional<PriorChange> Study::prior() {
  const std::vector<KeptPrior> all = impl_->store->priors();
  if (all.empty() || all.back().document.empty()) return std::nullopt;
  const Prior kept = reading_prior(*impl_->store, [&] { return Prior::from_document(all.back().document); });
  return PriorChange{.at = all.back().at, .from = kept.from, .num_trials = kept.num_trials};
}

std::vector<PriorChange> Study::priors() {
  std::vector<PriorChange> out;
  for (const KeptPrior& each : impl_->store->priors()) {
    out.push_back({.at = each.at});
    if (each.document.empty()) continue;
    try {
      const Prior kept = Prior::from_document(each.document);
      out.back().from = kept.from;
      out.back().num_trials = kept.num_trials;
    } catch (const std::logic_error&) {  // the rest of a history is told all the same
      out.back().from = "what cannot be read";
    }
  }
  return out;
}

}  // namespace salvo
