#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/mistakes.h>

#include <algorithm>

namespace salvo {

void Mistakes::add(std::size_t line, const std::string& problem, std::size_t column) {
  const auto after = std::upper_bound(said_.begin(), said_.end(), line, [](std::size_t l, const auto& m) { return l < m.first; });
  const std::string where = line == 0     ? path_
                            : column == 0 ? fmt::format("{}:{}", path_, line)
                                          : fmt::format("{}:{}:{}", path_, line, column);
  said_.emplace(after, line, fmt::format("{}: {}", where, problem));
}

void Mistakes::raise(const std::string& advice) const {
  constexpr std::size_t kMost = 20;
  if (said_.empty()) return;
  std::string text;
  for (std::size_t i = 0; i < said_.size() && i < kMost; ++i) text += (i == 0 ? "" : "\n") + said_[i].second;
  if (said_.size() > kMost) text += fmt::format("\n{}: and {} more", path_, said_.size() - kMost);
  if (!advice.empty()) text += "\n" + advice;
  throw InputError(text);
}

}  // namespace salvo
