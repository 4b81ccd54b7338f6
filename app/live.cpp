#include "live.h"

#include <fmt/core.h>

#include <algorithm>

#include "output.h"
#include "plot/picture.h"
#include "progress.h"
#include "text.h"

namespace salvo::app {
namespace {

constexpr double kLeastPause = 3;  // seconds
constexpr double kShare = 50;      // a page is paid for by fifty times its cost without one

}  // namespace

LivePages::LivePages(Source& source, const std::vector<std::string>& files) : source_(source) {
  for (const std::string& path : files)
    if (plot::is_html(path)) paths_.push_back(path);
}

void LivePages::follow(const RunProgress& progress) {
  if (paths_.empty() || Clock::now() < next_) return;
  const int batch = source_.file ? source_.file->budget.batch : 1;
  write(true, fmt::format("The run goes on: {}.", progress_line(progress, batch, -1)));
}

void LivePages::end(const std::string& words) {
  if (!paths_.empty()) write(false, words);
}

void LivePages::write(bool running, const std::string& words) {
  const Clock::time_point begin = Clock::now();
  try {
    plot::draw_running(source_.study, source_.file, paths_,
                       {.running = running, .every = kLeastPause, .times = kShare, .words = words});
  } catch (const std::exception& error) {
    if (!complained_) print_error(fmt::format("salvo: note: {}; the run goes on without its page\n", error.what()));
    complained_ = true;
  }
  begun_ = true;
  const Clock::time_point end = Clock::now();
  const double pause = std::max(kLeastPause, kShare * std::chrono::duration<double>(end - begin).count());
  next_ = end + std::chrono::duration_cast<Clock::duration>(std::chrono::duration<double>(pause));
}

std::string last_words(const RunSummary& run) {
  const std::string& why = run.reason.empty() ? run.message : run.reason;
  return fmt::format("The run has ended: {}{}", one_line(why), why.ends_with('.') ? "" : ".");
}

}  // namespace salvo::app
