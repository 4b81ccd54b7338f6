// Random lines of shell tokens with random nasty values: either the line is refused, or every program that it starts gets the
// values byte by byte and none of them runs. SALVO_FUZZ_COMMANDS=20000 tries so many.
#include <gtest/gtest.h>
#include <salvo/error.h>
#include <salvo/random.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>
#include <vector>

#include "run/command.h"
#include "run/process.h"
#include "support/folder.h"

namespace salvo::runner {
namespace {

namespace fs = std::filesystem;

// Picks one after the other, by a seed.
class Dice {
 public:
  explicit Dice(std::uint64_t seed) : key_(Key(seed).fold("fuzz")) {}
  std::uint64_t below(std::uint64_t n) { return key_.bits(index_++) % n; }
  template <class List>
  std::string pick(const List& list) {
    return std::string(list[below(std::size(list))]);
  }

 private:
  Key key_;
  std::uint64_t index_ = 0;
};

// "%" is the value's placeholder; rec records its arguments, each between a fixed frame.
const char* const kTokens[] = {"rec %",
                               "rec a%b",
                               "rec \"%\"",
                               "rec '%'",
                               "rec \"a%b\"",
                               "rec x'y%z'",
                               "%",
                               " ",
                               " ",
                               " ",
                               "'",
                               "\"",
                               "`",
                               "\\",
                               "$(",
                               ")",
                               "$HOME",
                               "\"$HOME\"",
                               "${{A:-",
                               "}}",
                               "# don't\n",
                               "#",
                               "\n",
                               ";",
                               "&&",
                               "||",
                               "|",
                               " & ",
                               ">f",
                               "2>&1",
                               "<<E\n",
                               "\nE\n",
                               "eval ",
                               "sh -c ",
                               "bash -c ",
                               "xargs ",
                               "env ",
                               "A=",
                               "rec",
                               " rec ",
                               "sh ",
                               "python3 -c ",
                               "awk ",
                               "$",
                               "\\\n",
                               "if rec; then ",
                               "; fi",
                               "case % in ",
                               "*) rec %;; esac",
                               "{{ ",
                               "; }}",
                               "(",
                               "!",
                               "~",
                               "*",
                               " - ",
                               "-",
                               "nice ",
                               "exec ",
                               "printf %s ",
                               "| sh",
                               "rec % ",
                               "rec % | cat",
                               ". ./",
                               " | sh /dev/stdin",
                               " |\n",
                               "prlimit ",
                               "timeout -s KILL 5 ",
                               "env -u A ",
                               "test -v ",
                               "python3 -m timeit ",
                               "\t",
                               "é"};
const char* const kBits[] = {"'",
                             "\"",
                             "`touch PWN`",
                             "$(touch PWN)",
                             "; touch PWN #",
                             "\n",
                             "\ntouch PWN\n",
                             "\\",
                             " ",
                             "$HOME",
                             "&",
                             "| ",
                             "E",
                             "\nE\ntouch PWN\n",
                             "é",
                             "-c",
                             "x",
                             "${A}",
                             "*",
                             "#",
                             "\t",
                             "~",
                             "}",
                             "!",
                             ")",
                             "-e",
                             "touch PWN",
                             "=",
                             ";;",
                             "<",
                             ">PWN ",
                             "%",
                             "\x7f",
                             "\xc3\x81\xc2\x88"};

std::string random_value(Dice& dice) {
  std::string out;
  const std::uint64_t length = dice.below(5);
  for (std::uint64_t i = 0; i < length; ++i) out += dice.pick(kBits);
  return dice.below(2) == 0 ? "Qa" + out + "Qz" : out;
}

std::string random_line(Dice& dice) {
  std::string out;
  const std::uint64_t length = 1 + dice.below(5);
  for (std::uint64_t i = 0; i < length; ++i) out += dice.pick(kTokens);
  std::string line;
  for (const char c : out) c == '%' ? line += "{c}" : line += c;
  return line;
}

// A framed value is either whole in a word or not in it at all.
bool is_whole(const std::string& got, const std::string& value) {
  if (!value.starts_with("Qa")) return true;
  std::string rest = got;
  for (std::size_t at = 0; (at = rest.find(value)) != std::string::npos;) rest.erase(at, value.size());
  return rest.find("Qa") == std::string::npos && rest.find("Qz") == std::string::npos;
}

struct Fuzz {
  test::Folder folder;
  int accepted = 0;

  Fuzz() {
    std::ofstream out(folder.path("rec"));
    // Every argument followed by a NUL.
    out << "#!/bin/sh\n[ $# -eq 0 ] || printf '%s\\0' \"$@\" >> \"$RECORD\"\n";
    out.close();
    fs::permissions(folder.path("rec"), fs::perms::owner_all);
  }

  // What earlier lines wrote: a * would show it.
  [[nodiscard]] std::vector<fs::path> others_than_rec() const {
    std::vector<fs::path> found;
    for (const auto& entry : fs::directory_iterator(folder.path()))
      if (entry.path().filename() != "rec") found.push_back(entry.path());
    return found;
  }

  static std::string shown(const CommandLine& command) {
    return command.line + (command.words.empty() ? "" : testing::PrintToString(command.words));
  }

  void run(const CommandLine& line, const std::string& value, bool whole_words) {
    if (shown(line).find("{c}") == std::string::npos) return;  // env | sh, without a value in it, is the user's own wish
    StudyOptions study{
        .outputs = one_objective(Direction::minimize),
        .search = SpaceSearch{.space = Space({{"c", Categorical{{std::string("other"), value}}}, {"x", Float{0, 1}}})}};
    ObjectiveOptions options;
    options.command = line;
    options.directory = folder.path();
    options.timeout = 5;
    Trial trial;
    trial.id = 1;
    trial.params = {value, 0.5};
    Command command;
    try {
      command = Evaluation(options, study).command(trial);
    } catch (const InputError&) {
      return;
    }
    ++accepted;
    const std::string record = folder.path("record");
    for (const fs::path& left : others_than_rec()) fs::remove_all(left);
    command.environment.emplace_back("PATH", folder.path() + ":/usr/bin:/bin");
    command.environment.emplace_back("RECORD", record);
    ProcessPool pool(1);
    pool.start(0, command);
    while (pool.wait(10).empty()) {
    }
    ASSERT_FALSE(fs::exists(folder.path("PWN"))) << "ran: " << shown(line) << "\nwith: " << value;
    std::string words = fs::exists(record) ? test::contents(record) : "";
    for (std::size_t end = 0; (end = words.find('\0')) != std::string::npos; words.erase(0, end + 1)) {
      const std::string got = words.substr(0, end);
      ASSERT_TRUE(is_whole(got, value)) << "got: " << got << "\nfrom: " << shown(line) << "\nwith: " << value;
      if (whole_words) {
        ASSERT_EQ(got, value) << shown(line);
      }
    }
  }
};

TEST(CommandFuzz, NoValueRunsAndAllArriveByteByByte) {
  const char* wanted = std::getenv("SALVO_FUZZ_COMMANDS");
  const int count = wanted ? std::atoi(wanted) : 2000;  // most are refused, which takes no time
  Fuzz fuzz;
  for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
    Dice dice(static_cast<std::uint64_t>(i));
    fuzz.run(random_line(dice), random_value(dice), false);
  }
  EXPECT_GT(fuzz.accepted, count / 20);
}

// The same without a shell: words of which some start other programs.
TEST(CommandFuzz, NoValueRunsOutOfAListOfWords) {
  const char* const kWords[] = {"{c}",     "a{c}b",   "{c}", "-c",   "sh",   "bash",    "env",   "rec {c}", "rec",
                                "A={c}",   "eval",    "-",   "--",   "nice", "./rec",   "xargs", "-e",      "{x}",
                                "prlimit", "timeout", "-s",  "KILL", "5",    "python3", "-m",    "timeit"};
  const char* wanted = std::getenv("SALVO_FUZZ_COMMANDS");
  const int count = wanted ? std::atoi(wanted) : 1500;
  Fuzz fuzz;
  for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
    Dice dice(static_cast<std::uint64_t>(i) + 2'000'000);
    std::vector<std::string> words = {dice.below(2) == 0 ? std::string("rec") : dice.pick(kWords)};
    for (std::uint64_t more = dice.below(5); more > 0; --more) words.push_back(dice.pick(kWords));
    fuzz.run(words, random_value(dice), false);
  }
  EXPECT_GT(fuzz.accepted, count / 20);
}

// Lines that must be understood: then the value arrives, whatever it is.
TEST(CommandFuzz, SimpleLinesTakeAnyValue) {
  const char* wanted = std::getenv("SALVO_FUZZ_COMMANDS");
  const int count = wanted ? std::atoi(wanted) / 10 : 60;
  const char* const kLines[] = {"rec {c}",
                                "rec \"{c}\" '{c}'",
                                "rec {c} {c}; rec {c} && rec '{c}' | cat",
                                "rec \\\n{c} 2>&1 > f",
                                "A=b env B=c rec {c}",
                                "cd . && rec {c}\nrec \"\"{c}''"};
  Fuzz fuzz;
  for (int i = 0; i < count && !testing::Test::HasFatalFailure(); ++i) {
    Dice dice(static_cast<std::uint64_t>(i) + 1'000'000);
    const std::string value = random_value(dice);
    fuzz.run(dice.pick(kLines), value, true);
  }
  EXPECT_EQ(fuzz.accepted, count);
}

}  // namespace
}  // namespace salvo::runner
