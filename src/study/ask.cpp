#include <fmt/format.h>

#include <stdexcept>

#include "math/timer.h"
#include "study/study_impl.h"

namespace salvo {

// The store says what is known, the searcher learns and chooses, the store claims. When another process asked meanwhile nothing
// is claimed, and all is computed again from what is known then: no point is handed out twice.
std::vector<Trial> Study::ask(int size, const std::string& owner) {
  if (size < 1) throw std::invalid_argument(fmt::format("ask: expected a size of at least 1, got {}", size));
  Searcher& searcher = *impl_->searcher;
  while (true) {
    const Store::Snapshot known = impl_->refresh();
    const int count = searcher.admitted(size, known.pending);
    Ask ask = impl_->ask_of(known);
    std::vector<Params> points = searcher.design(ask, count);
    const std::size_t num_designed = points.size();
    if (std::ssize(points) < count) {
      ask.taken.insert(ask.taken.end(), points.begin(), points.end());
      {
        const Timer timer(impl_->seconds.fit);
        searcher.fit(ask, impl_->learned ? &*impl_->learned : nullptr, Purpose::batch);
      }
      const auto chosen = searcher.choose(ask, count - static_cast<int>(num_designed), impl_->seconds);
      points.insert(points.end(), chosen.begin(), chosen.end());
    }
    if (auto trials = impl_->claim(ask, points, num_designed, owner)) return std::move(*trials);
  }
}

Ask Study::Impl::ask_of(const Store::Snapshot& known) const {
  return {.number = known.asks,
          .num_designed = known.num_initial,
          .taken = known.pending,
          .key = Key(options.seed).fold("ask").fold(static_cast<std::uint64_t>(known.asks))};
}

std::optional<std::vector<Trial>> Study::Impl::claim(const Ask& ask, const std::vector<Params>& points, std::size_t num_designed,
                                                     const std::string& owner) {
  const Timer timer(seconds.store);
  std::vector<Store::NewTrial> trials;
  for (std::size_t i = 0; i < points.size(); ++i)
    trials.push_back({points[i], i < num_designed ? Source::initial : Source::model});
  std::optional<Learned> now;
  if (num_designed < points.size() && searcher->learned_by() == ask.number) now = searcher->learned();
  auto claimed = store->claim(ask.number, trials, now ? &*now : nullptr, owner);
  if (claimed && now) learned = std::move(now);
  return claimed;
}

}  // namespace salvo
