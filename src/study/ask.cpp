#include <fmt/format.h>

#include <set>
#include <stdexcept>

#include "math/timer.h"
#include "study/study_impl.h"

namespace salvo {

// The store says what is known, the searcher learns and chooses, the store claims. Asks of one study take turns. When another
// process asked meanwhile all the same, nothing is claimed, and all is computed again from what is known then: no point is
// handed out twice.
std::vector<Trial> Study::ask(const AskOptions& wanted) {
  const int size = wanted.size;
  if (size < 1) throw std::invalid_argument(fmt::format("ask: expected a size of at least 1, got {}", size));
  const std::map<int, Value> fixed = impl_->fixed_of(wanted);
  const std::unique_ptr<Turn> turn = impl_->store->take_turn();
  while (true) {
    const Store::Snapshot known = impl_->refresh();
    Searcher& searcher = *impl_->searcher;
    Ask ask = impl_->ask_of(known);
    ask.fixed = fixed;
    Impl::Batch batch;
    impl_->take_queued(known, size, ask, batch);
    const auto left = [&] { return size - static_cast<int>(std::ssize(batch.points)); };
    // Of a pool the last ones may all have been in the queue.
    const bool more = left() > 0 && (batch.points.empty() || searcher.num_left(ask.taken) > 0);
    const int count = more ? searcher.admitted(left(), ask) : 0;
    int chosen = 0;
    const auto add = [&](Params params, Source source) {
      ask.taken.push_back(params);
      batch.points.push_back({std::move(params), source});
      ++chosen;
    };
    if (count > 0)
      for (Params& params : searcher.design(ask, count)) add(std::move(params), Source::initial);
    batch.learned = chosen < count;
    if (batch.learned) {
      {
        const Timer timer(impl_->seconds.fit);
        searcher.fit(ask, impl_->learned ? &*impl_->learned : nullptr, Purpose::batch);
      }
      for (Choice& choice : searcher.choose(ask, count - chosen, impl_->seconds)) add(std::move(choice.params), choice.source);
    }
    if (auto trials = impl_->claim(ask, batch, wanted.owner)) return std::move(*trials);
  }
}

std::vector<Trial> Study::ask(int size, const std::string& owner) { return ask({.size = size, .owner = owner}); }

std::map<int, Value> Study::Impl::fixed_of(const AskOptions& wanted) const {
  const Space& space = store->definition().space;
  if (!wanted.fixed.empty() && options.pool())
    throw std::invalid_argument("ask: expected no fixed values over a pool, whose candidates are what they are");
  std::map<int, Value> out;
  for (const auto& [name, value] : wanted.fixed) {
    const int i = space.find(name);
    if (i < 0) throw std::invalid_argument(fmt::format("ask: fixed: expected a parameter of the study, got \"{}\"", name));
    if (space.follows(i))
      throw std::invalid_argument(fmt::format("ask: fixed: \"{}\" follows from the others; fix those instead", name));
    const Value typed = space.check_offered(i, value);
    if (!std::holds_alternative<Fixed>(space.parameters()[static_cast<std::size_t>(i)].domain)) out.emplace(i, typed);
  }
  if (!out.empty() && std::ssize(out) == space.num_free())
    throw std::invalid_argument(
        "ask: fixed: expected at least one parameter that is left to choose, got a value for every one. "
        "To have one point tried, enqueue it");
  return out;
}

// One that is pending, or of a pool evaluated, is being tried or was.
void Study::Impl::take_queued(const Store::Snapshot& known, int size, Ask& ask, Batch& batch) const {
  const std::set<Params> pending(known.pending.begin(), known.pending.end());
  for (const Queued& each : known.queue) {
    if (std::ssize(batch.points) == size) return;
    if (!agrees(each.params, ask.fixed)) continue;
    batch.unqueued.push_back(each.id);
    if (pending.contains(each.params) || !searcher->may_be_tried(each.params)) continue;
    ask.taken.push_back(each.params);
    batch.points.push_back({each.params, Source::queue});
  }
}

// Corrections count as asks, so that one that is being computed is computed again; what it draws goes by asks alone: a value that
// was put right before the next ask never mattered.
Ask Study::Impl::ask_of(const Store::Snapshot& known) const {
  return {.number = known.asks,
          .num_designed = known.num_initial,
          .taken = known.pending,
          .key = Key(options.seed).fold("ask").fold(static_cast<std::uint64_t>(known.asks - known.amendments))};
}

std::optional<std::vector<Trial>> Study::Impl::claim(const Ask& ask, const Batch& batch, const std::string& owner) {
  const Timer timer(seconds.store);
  std::optional<Learned> now;
  if (batch.learned && searcher->learned_by() == ask.number) now = searcher->learned();
  auto claimed = store->claim(ask.number, batch.points, now ? &*now : nullptr, owner, batch.unqueued);
  if (claimed && now) learned = std::move(now);
  return claimed;
}

}  // namespace salvo
