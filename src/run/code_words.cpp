// Programs that read their arguments or their input as code: there a value that may hold anything would be run.
#include <fmt/format.h>

#include <algorithm>

#include "run/shell_line.h"

namespace salvo::runner {
namespace {

using Words = std::vector<ProgramWord>;
using ProgramNames = std::vector<std::string_view>;

// What follows their options is a script, and then its own arguments.
const ProgramNames kShells = {"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "rbash"};
const ProgramNames kPythons = {"python", "pypy", "ipython"};
const ProgramNames kInterpreters = {"perl",   "ruby", "node", "nodejs", "lua",   "luajit", "php",   "Rscript", "julia",
                                    "octave", "fish", "csh",  "tcsh",   "tclsh", "wish",   "guile", "racket",  "expect"};
// Never in one line with such a value, wherever it stands: they run what they are given or what they read.
const ProgramNames kRunners = {"eval", "xargs", "parallel", "alias", "trap"};
// Not with such a value among their own arguments.
const ProgramNames kLanguages = {"awk",      "gawk",    "mawk",    "nawk",    "sed",   "gsed",     "find",    "make",   "gmake",
                                 "jq",       "bc",      "dc",      "expr",    "m4",    "ed",       "ex",      "vi",     "vim",
                                 "emacs",    "psql",    "mysql",   "sqlite3", "ssh",   "rsh",      "mosh",    "su",     "sg",
                                 "runuser",  "watch",   "script",  "flock",   "at",    "batch",    "crontab", "sbatch", "qsub",
                                 "bsub",     "gnuplot", "gdb",     "tmux",    "rsync", "deno",     "bun",     "R",      "export",
                                 "readonly", "declare", "typeset", "local",   "set",   "osascript"};
// They start another program of their arguments, so that every word must be known.
const ProgramNames kStarters = {"env",     "nice",    "ionice",      "timeout",   "time",    "nohup",   "exec",    "command",
                                "builtin", "setsid",  "stdbuf",      "taskset",   "chrt",    "numactl", "sudo",    "doas",
                                "chroot",  "unshare", "strace",      "mpirun",    "mpiexec", "srun",    "busybox", "docker",
                                "podman",  "kubectl", "singularity", "apptainer", "conda",   "uv",      "poetry"};

std::string_view program_name(std::string_view word) { return word.substr(word.find_last_of('/') + 1); }

// python3.11 is python.
bool is_one_of(std::string_view name, const ProgramNames& names) {
  const auto is_listed = [&] { return std::find(names.begin(), names.end(), name) != names.end(); };
  if (is_listed()) return true;
  while (name.size() > 1 && std::string_view("0123456789.-").find(name.back()) != std::string_view::npos) name.remove_suffix(1);
  return is_listed();
}

bool made_of(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

// Options that take no argument of their own, so that the next word is known for what it is.
bool is_plain_option(std::string_view letters, bool shell, bool python) {
  if (shell) return made_of(letters, "euxfvaC");
  if (python) return made_of(letters, "uOBIsSEbqP");
  return letters == "w" || letters == "-vanilla";
}

// -c and -m; of the others -e, and only where no such value is among the arguments, since more code may follow.
bool announces_code(std::string_view letters, bool shell, bool python, bool wild) {
  if (shell) return made_of(letters, "euxfvaCc") && letters.find('c') != std::string_view::npos;
  if (python) return letters == "c" || letters == "m";
  return !wild && made_of(letters, "nplawe0") && letters.ends_with('e');
}

// Where the interpreter at words[at] finds its code: a script or an option's argument, and both must be known. What follows is
// the script's own. We know few options, and refuse the others.
std::string interpreter_problem(const Words& words, std::size_t at, std::string_view name, bool wild) {
  const bool shell = is_one_of(name, kShells), python = is_one_of(name, kPythons);
  bool code = false;
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const ProgramWord& word = words[i];
    const std::string& text = word.text;
    if (word.value) return fmt::format("{} would read the value as code or as an option", name);
    const bool option = text.starts_with('-') || (shell && text.starts_with('+'));
    if (code && word.variable) return fmt::format("{} runs what a variable holds", name);
    if (code && !(shell && option)) return "";
    if (text.empty() || text[0] == ProgramWord::kGap) {
      if (text.find('/') != std::string::npos) return "";
      return fmt::format("the script of {} is not known", name);
    }
    if (!option) return "";
    const std::string_view letters = std::string_view(text).substr(1);
    if (letters.empty() || letters == "-" || (shell && letters == "s"))
      return fmt::format("{} {} would read its input as code", name, text);
    if (text[0] == '-' && !code && announces_code(letters, shell, python, wild))
      code = true;
    else if (!is_plain_option(letters, shell, python))
      return fmt::format("what {} does with {} is not known here", name, text);
  }
  return fmt::format("{} reads code from its standard input", name);
}

bool is_assignment(const ProgramWord& word) {
  const std::size_t equal = word.text.find('=');
  return equal != std::string::npos && equal > 0 && equal < word.text.find(ProgramWord::kGap);
}

bool is_duration(std::string_view text) { return text.find_first_not_of("0123456789.smhd") == std::string_view::npos; }

bool is_interpreter(const ProgramWord& word) {
  const std::string_view name = program_name(word.text);
  return word.literal() && (is_one_of(name, kShells) || is_one_of(name, kPythons) || is_one_of(name, kInterpreters));
}

// -c, -lc, -e, --eval: of an interpreter that the one before starts in a way of its own, as docker --entrypoint sh IMAGE -c.
bool announces(const ProgramWord& word) {
  const std::string& text = word.text;
  return text.starts_with("--eval") || text.starts_with("--command") ||
         (text.starts_with('-') && !text.starts_with("--") && text.find_first_of("ceE") != std::string::npos);
}

// env A=B nice -n 5 PROGRAM …: a program must be named before such a value, and no word may be left open.
std::string starter_problem(const Words& words, std::size_t at, std::string_view name) {
  const bool runs_code = std::any_of(words.begin(), words.end(), [](const ProgramWord& word) { return is_interpreter(word); });
  bool named = false;
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const ProgramWord& word = words[i];
    if (word.variable) return fmt::format("{} starts another program, and with a variable it is not known which", name);
    const bool splits = word.text.starts_with("--split") ||
                        (word.text.starts_with('-') && !word.text.starts_with("--") && word.text.find('S') != std::string::npos);
    if (name == "env" && !named && splits) return "env -S reads code";
    if (is_assignment(word) && !named) {
      if (word.wild) return "such a value may not be that of a variable, which other programs may run";
      continue;
    }
    if (word.wild && runs_code && announces(words[i - 1]))
      return fmt::format("{} may start an interpreter with it as code", name);
    if (word.value && !named) return fmt::format("{} would take the value for a program", name);
    named = named || (!word.text.starts_with('-') && !is_duration(word.text));
  }
  return "";
}

// The value must be a word of its own or a part of one: with blanks or signs of the shell's beside it the word looks like code.
std::string word_problem(const ProgramWord& word) {
  for (const char c : word.text)
    if (std::string_view(" \t\n;|&<>()$`\"'\\").find(c) != std::string_view::npos)
      return "it stands in one word with blanks or signs of a shell, which some program might run";
  return "";
}

// The problem of a program at words[at], where we know it; `last`: what follows is its own.
std::string program_problem(const Words& words, std::size_t at, bool wild, bool& last) {
  const std::string_view name = program_name(words[at].text);
  if (is_one_of(name, kRunners)) return fmt::format("{} runs what it is given", name);
  if (is_interpreter(words[at])) {
    last = true;
    return interpreter_problem(words, at, name, wild);
  }
  if (!wild) return "";
  if (is_one_of(name, kLanguages)) return fmt::format("{} reads its arguments as code", name);
  if ((name == "." || name == "source") && at + 1 < words.size() && words[at + 1].value)
    return "the value would name a file of commands";
  if (is_one_of(name, kStarters)) return starter_problem(words, at, name);
  return "";
}

}  // namespace

std::string code_problem(const Words& words) {
  const bool wild = std::any_of(words.begin(), words.end(), [](const ProgramWord& word) { return word.wild; });
  for (const ProgramWord& word : words) {
    const std::string problem = word.wild ? word_problem(word) : "";
    if (!problem.empty()) return problem;
  }
  std::size_t at = 0;
  for (; at < words.size() && is_assignment(words[at]); ++at)
    if (words[at].wild) return "such a value may not be that of a variable, which other programs may run";
  if (at == words.size()) return "";
  if (!words[at].literal()) return "which program would run is not known";
  // Behind a program that starts others any word may be the next one.
  const bool starter = is_one_of(program_name(words[at].text), kStarters);
  for (bool last = false; at < words.size() && !last; ++at) {
    if (words[at].literal()) {
      const std::string problem = program_problem(words, at, wild, last);
      if (!problem.empty()) return problem;
    }
    last = last || !starter;
  }
  return "";
}

}  // namespace salvo::runner
