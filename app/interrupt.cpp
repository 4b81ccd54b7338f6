#include "interrupt.h"

#include <signal.h>
#include <unistd.h>

#include <cerrno>
#include <string_view>

#include "arguments.h"

namespace salvo::app {
namespace {

std::atomic<int> raised_times{0};
std::atomic<const char*> first_words{""};
static_assert(std::atomic<int>::is_always_lock_free, "a signal handler writes it");

// Only what a signal handler may call.
void write_error(std::string_view text) { [[maybe_unused]] const ssize_t ignored = ::write(2, text.data(), text.size()); }

// A long computation does not look at the flag; the store is safe whenever we die.
[[noreturn]] void leave() {
  write_error("salvo: stopped; the same command goes on where it ended\n");
  ::_exit(kExitInterrupted);
}

void on_signal(int) {
  const int saved = errno;
  const int times = ++raised_times;
  if (times == 1) {
    for (const std::string_view part :
         {std::string_view("\nsalvo: "), std::string_view(first_words), std::string_view("; Ctrl-C again stops at once\n")})
      write_error(part);
  } else {
    write_error("\nsalvo: stopping\n");
    if (times > 2) leave();
    ::alarm(3);
  }
  errno = saved;
}

void on_alarm(int) { leave(); }

void handle(int signal, void (*handler)(int)) {
  struct sigaction action {};
  action.sa_handler = handler;
  ::sigemptyset(&action.sa_mask);
  action.sa_flags = SA_RESTART;
  ::sigaction(signal, &action, nullptr);
}

}  // namespace

Interrupt::Interrupt(const char* first) {
  raised_times = 0;
  first_words = first;
  handle(SIGALRM, on_alarm);
  for (const int signal : {SIGINT, SIGTERM}) handle(signal, on_signal);
  struct sigaction hang_up {};
  ::sigaction(SIGHUP, nullptr, &hang_up);
  hang_up_ignored_ = hang_up.sa_handler == SIG_IGN;  // nohup: the run outlives its terminal
  if (!hang_up_ignored_) handle(SIGHUP, on_signal);
}

Interrupt::~Interrupt() {
  ::alarm(0);
  for (const int signal : {SIGINT, SIGTERM, SIGALRM}) handle(signal, SIG_DFL);
  if (!hang_up_ignored_) handle(SIGHUP, SIG_DFL);
}

const std::atomic<int>* Interrupt::flag() const { return &raised_times; }

void Interrupt::raise() { ++raised_times; }

}  // namespace salvo::app
