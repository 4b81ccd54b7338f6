#include "nearest.h"

#include <fmt/core.h>

#include "text/words.h"

namespace salvo::app {

std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::vector<std::string_view> words(known.begin(), known.end());
  const std::string_view best = nearest_word(word, words);
  return best.empty() ? "" : fmt::format(" (did you mean {}?)", best);
}

}  // namespace salvo::app
