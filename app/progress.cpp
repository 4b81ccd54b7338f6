#include "progress.h"

#include <fmt/core.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "output.h"
#include "text.h"

namespace salvo::app {
namespace {

int terminal_width() {
  struct winsize size {};
  return ::ioctl(2, TIOCGWINSZ, &size) == 0 && size.ws_col > 0 ? size.ws_col : 80;
}

bool is_terminal() {
  const char* kind = std::getenv("TERM");
  return ::isatty(2) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

}  // namespace

std::string bar(double share, int cells) {
  static constexpr const char* kParts[] = {"", "▏", "▎", "▍", "▌", "▋", "▊", "▉"};
  const int eighths = static_cast<int>(std::clamp(share, 0.0, 1.0) * cells * 8);
  std::string text;
  for (int i = 0; i < eighths / 8; ++i) text += "█";
  text += kParts[eighths % 8];
  return pad(text, cells);
}

StatusLine::StatusLine() : terminal_(is_terminal()) {}

void StatusLine::show(const std::string& text, double share) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const int columns = terminal_width(), room = columns - 1 - width(text) - 3;
  const std::string line = room < 8 ? text : fmt::format("{}▏ {}", bar(share, std::min(room, 24)), text);
  print_error("\r\x1b[K" + shorten(line, columns - 1));
  drawn_ = true;
}

void StatusLine::clear() {
  if (drawn_) print_error("\r\x1b[K");
  drawn_ = false;
}

std::string progress_line(const RunProgress& p, int batch_size, int bar_width) {
  const std::int64_t size = std::max(1, batch_size), batches = (p.budget + size - 1) / size;
  // Points asked for by hand, or batches of another size before, may leave no sense in their number.
  std::string text = p.batch <= batches ? fmt::format("batch {}/{}  ", count(p.batch), count(batches)) : "";
  if (bar_width > 0) {
    const double share = p.budget > 0 ? static_cast<double>(p.evaluations) / static_cast<double>(p.budget) : 1.0;
    text += fmt::format("{}▏ ", bar(share, bar_width));
  }
  text += fmt::format("{}/{}{}", count(p.evaluations), count(p.budget), bar_width < 0 ? " evaluations" : "");
  if (p.rate > 0) text += fmt::format("  {}/s", number(p.rate, 3));
  if (p.seconds_left >= 0) text += fmt::format("  left {}", duration(p.seconds_left));
  if (p.front)
    text += fmt::format("  front {}, hypervolume {}", plural(std::ssize(p.front->points), "point"), number(p.front->hypervolume));
  else if (p.recommended && p.recommended->outputs.size() > 1)
    text += fmt::format(
        "  recommended {}, feasible {:.0f}%",
        p.recommended->stddev > 0 ? with_error(p.recommended->mean, p.recommended->stddev) : number(p.recommended->mean),
        100 * p.recommended->feasible);
  else if (p.recommended)
    text += fmt::format("  recommended {}", with_error(p.recommended->mean, p.recommended->stddev));
  else if (p.best)
    text += fmt::format("  best {}", number(*p.best));
  if (p.failed > 0) text += fmt::format("  failed {}", count(p.failed));
  return text;
}

Progress::Progress() : terminal_(is_terminal()) {}

void Progress::show(const RunProgress& progress, int batch_size) {
  if (!terminal_) {
    if (progress.batch_done) print_error(progress_line(progress, batch_size, -1) + "\n");
    return;
  }
  const auto now = std::chrono::steady_clock::now();
  if (!progress.batch_done && now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  const int columns = terminal_width(), room = columns - 1 - width(progress_line(progress, batch_size, 0)) - 3;
  const std::string line = progress_line(progress, batch_size, room < 8 ? 0 : std::min(room, 24));
  print_error("\r\x1b[K" + shorten(line, columns - 1));
  drawn_ = true;
}

void Progress::show(const std::string& line) {
  const auto now = std::chrono::steady_clock::now();
  if (!terminal_ || now - last_ < std::chrono::milliseconds(100)) return;
  last_ = now;
  print_error("\r\x1b[K" + shorten(line, terminal_width() - 1));
  drawn_ = true;
}

void Progress::clear() {
  if (drawn_) print_error("\r\x1b[K");
  drawn_ = false;
}

}  // namespace salvo::app
