#include "terminal.h"

#include <poll.h>
#include <signal.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdlib>
#include <string_view>

#include "output.h"

namespace salvo::app {
namespace {

// Another screen without a cursor, and back: what stood in the terminal stays.
constexpr std::string_view kEnter = "\x1b[?1049h\x1b[?25l\x1b[H\x1b[2J", kLeave = "\x1b[?25h\x1b[?1049l";
constexpr unsigned kGrace = 2;  // seconds for what is being computed when Ctrl-C comes

std::atomic<int> watch_ended{0}, screen_on{0}, screen_stale{0};
static_assert(std::atomic<int>::is_always_lock_free, "signal handlers write them");

// Only what a signal handler may call.
void to_screen(std::string_view text) { [[maybe_unused]] const ssize_t ignored = ::write(1, text.data(), text.size()); }

// Nothing is ever written to the study, so that nothing is lost by leaving in the middle.
[[noreturn]] void leave_at_once() {
  if (screen_on) to_screen(kLeave);
  ::_exit(0);
}

void on_end(int) {
  const int saved = errno;
  if (++watch_ended > 1) leave_at_once();
  ::alarm(kGrace);
  errno = saved;
}

void on_grace_over(int) { leave_at_once(); }

void on_resize(int) { screen_stale = 1; }

// Ctrl-Z: the shell gets the terminal as it was, and we take it again when we go on.
void on_stop(int) {
  const int saved = errno;
  if (screen_on) to_screen(kLeave);
  ::raise(SIGSTOP);
  if (screen_on) to_screen(kEnter);
  screen_stale = 1;
  errno = saved;
}

void on_signal_do(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;  // poll, in which we wait, ends at a signal all the same
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

Terminal::Terminal(bool draws) : draws_(draws) {
  watch_ended = screen_stale = 0;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) on_signal_do(signal, on_end);
  on_signal_do(SIGALRM, on_grace_over);
  if (!draws_) return;
  on_signal_do(SIGWINCH, on_resize);
  on_signal_do(SIGTSTP, on_stop);
  screen_on = 1;
  print(kEnter);
}

Terminal::~Terminal() {
  try {
    leave();
  } catch (const std::exception&) {
    screen_on = 0;  // the terminal itself is gone
  }
  ::alarm(0);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGALRM, SIGWINCH, SIGTSTP}) on_signal_do(signal, SIG_DFL);
}

bool Terminal::is_there() {
  const char* kind = std::getenv("TERM");
  return ::isatty(1) == 1 && kind != nullptr && std::string_view(kind) != "dumb";
}

Terminal::Size Terminal::size() {
  struct winsize now {};
  if (::ioctl(1, TIOCGWINSZ, &now) != 0 || now.ws_col == 0 || now.ws_row == 0) return {};
  return {now.ws_col, now.ws_row};
}

void Terminal::draw(const std::string& text) {
  if (!draws_ || screen_on == 0) return;
  std::string frame = screen_stale.exchange(0) ? "\x1b[2J\x1b[H" : "\x1b[H";
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find('\n', at), text.size());
    if (at > 0) frame += '\n';
    frame.append(text, at, end - at).append("\x1b[K");
    at = end + 1;
  }
  print(frame.append("\x1b[J"));
}

void Terminal::leave() {
  if (screen_on.exchange(0)) print(kLeave);
}

void Terminal::wait(double seconds) {
  using Clock = std::chrono::steady_clock;
  const auto end = Clock::now() + std::chrono::duration<double>(seconds);
  // In slices: a signal may come just before the poll, and would be slept through.
  while (!ended() && !screen_stale) {
    const double left = std::chrono::duration<double>(end - Clock::now()).count();
    if (left <= 0) return;
    ::poll(nullptr, 0, static_cast<int>(1000 * std::min(left, 0.2)) + 1);
  }
}

bool Terminal::ended() const { return watch_ended > 0; }

}  // namespace salvo::app
