#include <fmt/format.h>

#include <stdexcept>

#include "math/timer.h"
#include "study/study_impl.h"

namespace salvo {

// The store says what is known, the searcher learns and chooses, the store claims. Asks of one study take turns. When another
// process asked meanwhile all the same, nothing is claimed, and all is computed again from what is known then: no point is
// handed out twice.
std::vector<Trial> Study::ask(int size, const std::string& owner) {
  if (size < 1) throw std::invalid_argument(fmt::format("ask: expected a size of at least 1, got {}", size));
  const std::unique_ptr<Turn> turn = impl_->store->take_turn();
  while (true) {
    const Store::Snapshot known = impl_->refresh();
    Searcher& searcher = *impl_->searcher;
    const int count = searcher.admitted(size, known.pending);
    Ask ask = impl_->ask_of(known);
    std::vector<Store::NewTrial> points;
    for (Params& params : searcher.design(ask, count)) points.push_back({std::move(params), Source::initial});
    const bool learns = std::ssize(points) < count;
    if (learns) {
      for (const Store::NewTrial& point : points) ask.taken.push_back(point.params);
      {
        const Timer timer(impl_->seconds.fit);
        searcher.fit(ask, impl_->learned ? &*impl_->learned : nullptr, Purpose::batch);
      }
      const int rest = count - static_cast<int>(std::ssize(points));
      for (Choice& choice : searcher.choose(ask, rest, impl_->seconds))
        points.push_back({std::move(choice.params), choice.source});
    }
    if (auto trials = impl_->claim(ask, points, learns, owner)) return std::move(*trials);
  }
}

Ask Study::Impl::ask_of(const Store::Snapshot& known) const {
  return {.number = known.asks,
          .num_designed = known.num_initial,
          .taken = known.pending,
          .key = Key(options.seed).fold("ask").fold(static_cast<std::uint64_t>(known.asks))};
}

std::optional<std::vector<Trial>> Study::Impl::claim(const Ask& ask, const std::vector<Store::NewTrial>& points, bool learns,
                                                     const std::string& owner) {
  const Timer timer(seconds.store);
  std::optional<Learned> now;
  if (learns && searcher->learned_by() == ask.number) now = searcher->learned();
  auto claimed = store->claim(ask.number, points, now ? &*now : nullptr, owner);
  if (claimed && now) learned = std::move(now);
  return claimed;
}

}  // namespace salvo
