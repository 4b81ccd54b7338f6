#include <fcntl.h>
#include <fmt/core.h>
#include <salvo/error.h>
#include <signal.h>
#include <unistd.h>
#ifdef __GLIBC__
#include <malloc.h>
#endif

#include <cstring>
#include <new>

#include "cli.h"
#include "early.h"
#include "json.h"
#include "output.h"

namespace salvo::app {
namespace {

// A handler that does nothing, rather than SIG_IGN, because commands we start would inherit the latter.
void note_nothing(int) {}

void prepare_process() {
  forget_early_settings();
#ifdef __GLIBC__
  // A fit makes and frees the same few matrices over and over: giving them back each time cost a tenth of a run.
  ::mallopt(M_MMAP_THRESHOLD, 32 << 20);
  ::mallopt(M_TRIM_THRESHOLD, 512 << 20);
#endif
  // With a standard stream closed, the next file opened would take its place and be written over.
  for (int fd = 0; fd <= 2; ++fd) {
    if (::fcntl(fd, F_GETFD) < 0 && ::open("/dev/null", O_RDONLY) != fd) ::_exit(kExitWorld);
  }
  struct sigaction action {};
  action.sa_handler = note_nothing;
  action.sa_flags = SA_RESTART;
  ::sigaction(SIGPIPE, &action, nullptr);
  ::sigaction(SIGXFSZ, &action, nullptr);  // a limit on the size of files (ulimit -f) is an error of the write instead
}

bool wants_json(int argc, char** argv) {
  for (int i = 1; i < argc; ++i) {
    if (std::strcmp(argv[i], "--json") == 0) return true;
  }
  return false;
}

int report(const std::string& message, int code, bool json) {
  print_error(fmt::format("salvo: {}\n", message));
  if (json) {
    try {
      print(JsonObject().add("event", "error").add("message", message).line());
    } catch (const std::exception&) {
      return code;  // standard output is what failed
    }
  }
  return code;
}

int run_main(int argc, char** argv) {
  prepare_process();
  const bool json = wants_json(argc, argv);
  try {
    const Invocation invocation = parse_command_line(argc, argv);
    if (!invocation.print.empty()) {
      print(invocation.print);
      return 0;
    }
    return std::visit([&](const auto& args) { return execute(invocation.common, args); }, invocation.args);
  } catch (const BrokenPipe&) {
    return kExitReaderGone;
  } catch (const std::invalid_argument& error) {
    return report(error.what(), kExitInput, json);
  } catch (const std::bad_alloc&) {
    return report("out of memory", kExitWorld, json);
  } catch (const std::exception& error) {
    return report(error.what(), kExitWorld, json);
  }
}

}  // namespace
}  // namespace salvo::app

int main(int argc, char** argv) { return salvo::app::run_main(argc, argv); }
