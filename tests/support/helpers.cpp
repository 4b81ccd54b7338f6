// What helper processes do. Each writes a line per acknowledged call, after the call has returned.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <sys/resource.h>
#include <unistd.h>

#include <csignal>
#include <string>
#include <vector>

#include "store/owner.h"
#include "store/sqlite/turn.h"
#include "support/studies.h"

namespace salvo::test {
namespace {

void say(const std::string& line) {
  if (::write(STDOUT_FILENO, (line + "\n").data(), line.size() + 1) < 0) _exit(3);
}

// Asks and tells `rounds` batches of `size`, the later trials of a batch first.
void ask_and_tell(const std::string& path, int rounds, int size) {
  Study study = Study::open(path);
  for (int round = 0; round < rounds; ++round) {
    const auto trials = study.ask(size);
    for (auto trial = trials.rbegin(); trial != trials.rend(); ++trial) {
      study.tell(trial->id, objective(trial->params));
      say(fmt::format("{}", trial->id));
    }
  }
}

// Takes single points until a finite space has none left, and keeps them all.
void ask_until_none_is_left(const std::string& path) {
  Study study = Study::open(path);
  try {
    while (true) say(fmt::format("{}", study.ask(1).front().id));
  } catch (const std::invalid_argument&) {
  }
}

// Goes on with a study wherever it stands, one outcome at a time in the order of the trials, until it is killed.
void go_on(const std::string& path) {
  Study study = Study::open(path);
  while (true) {
    for (const Trial& trial : study.pending()) {
      study.tell(trial.id, objective(trial.params));
      say(fmt::format("told {}", trial.id));
    }
    say(fmt::format("asked {}", study.ask(4).back().id));
  }
}

// Tells points until files may not grow any more, then says why.
void fill(const std::string& path, rlim_t largest_file) {
  Study study = Study::open(path);
  if (largest_file > 0) {
    std::signal(SIGXFSZ, SIG_IGN);
    const rlimit limit{largest_file, largest_file};
    setrlimit(RLIMIT_FSIZE, &limit);
  }
  try {
    while (true) {
      const auto trials = study.ask(1);
      study.tell(trials.front().id, objective(trials.front().params));
      say(fmt::format("{}", trials.front().id));
    }
  } catch (const StoreError& error) {
    say(error.what());
  }
}

// Opens (or creates) a study as somebody who is not root, and says why that does not work.
void open_as_nobody(const std::string& path, bool create) {
  if (geteuid() == 0 && (setgid(65534) != 0 || setuid(65534) != 0)) return say("cannot stop being root");
  try {
    (void)(create ? Study::create(small_options(mixed_space()), path) : Study::open(path));
    say("no error");
  } catch (const StoreError& error) {
    say(error.what());
  }
}

void open_or_create(const std::string& path) {
  (void)Study::open_or_create(small_options(mixed_space()), path).ask(1);
  say("open");
}

// Asks with its own owner and dies without telling.
void ask_and_die(const std::string& path, int size) {
  Study study = Study::open(path);
  for (const Trial& trial : study.ask(size, owner_of_this_process())) say(fmt::format("{}", trial.id));
}

// Asks for single points, many times.
void ask_one_by_one(const std::string& path, int count) {
  Study study = Study::open(path);
  for (int i = 0; i < count; ++i) say(fmt::format("{}", study.ask(1).front().id));
}

// Takes its turn and keeps it until it is killed.
void hold_turn(const std::string& study) {
  const auto turn = take_file_turn(study);
  say(turn ? "mine" : "none");
  while (true) pause();
}

// A sanitizer's own memory is beyond all limits.
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool kMemoryIsOurs = false;
#elif defined(__has_feature)
constexpr bool kMemoryIsOurs = !__has_feature(address_sanitizer) && !__has_feature(thread_sanitizer);
#else
constexpr bool kMemoryIsOurs = true;
#endif

// Does with a study whatever can be done, and says whether that worked and how much memory it took, in kilobytes.
void use(const std::string& path) {
  constexpr rlim_t kMost = rlim_t{4} << 30;
  const rlimit limit{kMost, kMost};
  if (kMemoryIsOurs) setrlimit(RLIMIT_AS, &limit);
  try {
    Study study = Study::open(path);
    (void)study.counts();
    (void)study.trials();
    (void)study.note("a");
    (void)study.model_report();
    (void)study.ask(2);
    say("works");
  } catch (const Error& error) {
    say(fmt::format("refused {}", error.what()));
  } catch (const std::exception& error) {
    say(fmt::format("unexpected {}", error.what()));
  }
  rusage spent{};
  getrusage(RUSAGE_SELF, &spent);
  say(fmt::format("{}", kMemoryIsOurs ? spent.ru_maxrss : 0));
}

int run_helper(const std::vector<std::string>& args) {
  const std::string& what = args.at(0);
  const std::string& path = args.at(1);
  if (what == "ask_and_tell") ask_and_tell(path, std::stoi(args.at(2)), std::stoi(args.at(3)));
  if (what == "ask_until_none_is_left") ask_until_none_is_left(path);
  if (what == "go_on") go_on(path);
  if (what == "fill") fill(path, std::stoul(args.at(2)));
  if (what == "open_as_nobody") open_as_nobody(path, false);
  if (what == "create_as_nobody") open_as_nobody(path, true);
  if (what == "open_or_create") open_or_create(path);
  if (what == "ask_and_die") ask_and_die(path, std::stoi(args.at(2)));
  if (what == "ask_one_by_one") ask_one_by_one(path, std::stoi(args.at(2)));
  if (what == "hold_turn") hold_turn(path);
  if (what == "use") use(path);
  return 0;
}

}  // namespace
}  // namespace salvo::test

int main(int argc, char** argv) {
  if (argc > 2 && std::string(argv[1]) == "--helper") return salvo::test::run_helper({argv + 2, argv + argc});
  testing::InitGoogleTest(&argc, argv);
  return RUN_ALL_TESTS();
}
