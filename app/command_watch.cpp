#include <fmt/core.h>
#include <salvo/threads.h>

#include <algorithm>
#include <chrono>

#include "arguments.h"
#include "output.h"
#include "terminal.h"
#include "text.h"
#include "watch.h"

namespace salvo::app {
namespace {

constexpr double kShareOfTime = 20;  // a look is paid for by twenty times its cost without one

double clock_now() { return std::chrono::duration<double>(std::chrono::system_clock::now().time_since_epoch()).count(); }

std::string screen_text(const Watched& watched, const WatchView& view) {
  const Terminal::Size room = Terminal::size();
  const int columns = std::max(1, room.columns - 1);  // in the last one a terminal is about to wrap
  std::string foot = "Ctrl-C ends the watching, not the study.";
  if (!watched.trouble().empty()) foot = fmt::format("This is an old view, and we try again: {}", watched.trouble());
  return fmt::format("{}{}\n", watch_text(view, watched.source(), clock_now(), columns, std::max(1, room.rows - 1)),
                     shorten(foot, columns));
}

void follow(Watched& watched, const WatchArgs& args, bool json) {
  Terminal terminal(!json);
  std::string before;
  for (;;) {
    const WatchView& view = watched.look();
    if (terminal.ended()) return;
    if (json) {
      const std::string now = watch_json(view, watched.source());
      if (now != before) print(now);
      before = now;
    } else {
      terminal.draw(screen_text(watched, view));
    }
    if (!view.end.empty()) return;
    terminal.wait(std::max(args.interval, kShareOfTime * watched.cost()));
    if (terminal.ended()) return;
  }
}

}  // namespace

int execute(const Common& common, const WatchArgs& args) {
  if (!common.threads_given) set_num_threads(1);  // the others are for those who work
  Watched watched(common);
  const bool once = args.once || (!common.json && !Terminal::is_there());
  if (!once) follow(watched, args, common.json);
  if (!once && common.json) return 0;
  // What stays in the terminal is the last view, plain.
  const WatchView& view = once ? watched.look() : watched.last();
  if (common.json) {
    print(watch_json(view, watched.source()));
    return 0;
  }
  const std::string end = watch_end_words(view);
  print(watch_text(view, watched.source(), clock_now(), 0, 0) + (end.empty() ? "" : fmt::format("\n{}\n", end)));
  return 0;
}

}  // namespace salvo::app
