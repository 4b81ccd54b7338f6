#pragma once
#include <salvo/run.h>

#include <chrono>
#include <string>
#include <vector>

#include "source.h"

namespace salvo::app {

// Pages of HTML that follow a run: written anew as it goes, and once more when it ends. A page that cannot be written is said
// once and never ends the run. Beside the first page and the last, about a fiftieth of the time goes into it, however many trials
// there are.
class LivePages {
 public:
  // Of the files those that are pages.
  LivePages(Source& source, const std::vector<std::string>& files);
  [[nodiscard]] bool any() const { return !paths_.empty(); }
  [[nodiscard]] bool begun() const { return begun_; }  // whether one was written
  void follow(const RunProgress& progress);
  void end(const std::string& words);  // where nothing else draws them: after an error, or when nobody listens any more

 private:
  using Clock = std::chrono::steady_clock;
  void write(bool running, const std::string& words);

  Source& source_;
  std::vector<std::string> paths_;
  Clock::time_point next_{};
  bool begun_ = false, complained_ = false;
};

// What a page says of a run that has ended.
[[nodiscard]] std::string last_words(const RunSummary& run);

}  // namespace salvo::app
