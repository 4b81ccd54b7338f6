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
// Not with such a value among their own arguments: languages, and options that run a command.
const ProgramNames kLanguages = {
    "awk",     "gawk",    "mawk",    "nawk",   "sed",   "gsed",  "find",      "make",   "gmake",     "jq",    "bc",
    "dc",      "expr",    "m4",      "ed",     "ex",    "vi",    "vim",       "nvim",   "view",      "emacs", "psql",
    "mysql",   "mariadb", "sqlite3", "sqlite", "ssh",   "rsh",   "mosh",      "scp",    "sftp",      "su",    "sg",
    "runuser", "watch",   "script",  "flock",  "at",    "batch", "crontab",   "sbatch", "qsub",      "bsub",  "gnuplot",
    "gdb",     "lldb",    "tmux",    "screen", "rsync", "deno",  "bun",       "R",      "osascript", "split", "csplit",
    "tar",     "bsdtar",  "cpio",    "zip",    "sort",  "git",   "hyperfine", "matlab", "pwsh",      "sage",  "maxima",
    "gp",      "socat",   "nc",      "ncat",   "lftp",  "wget",  "man",       "less",   "more",      "cmake"};
// Nor among those of the shell's own: where /bin/sh is bash, the index in the name of a variable is run.
const ProgramNames kBuiltins = {"test",     "[",       "[[",      "read",    "let",      "mapfile", "readarray", "compgen",
                                "complete", "wait",    "declare", "typeset", "local",    "export",  "readonly",  "unset",
                                "set",      "getopts", "enable",  "bind",    "fc",       "jobs",    "shopt",     "exit",
                                "return",   "shift",   "ulimit",  "break",   "continue", "source",  "."};
// They start another program of their arguments, so that every word must be known.
const ProgramNames kStarters = {"env",       "nice",     "ionice",   "timeout",    "time",     "nohup",    "exec",
                                "command",   "builtin",  "setsid",   "stdbuf",     "taskset",  "chrt",     "numactl",
                                "sudo",      "doas",     "chroot",   "unshare",    "strace",   "ltrace",   "mpirun",
                                "mpiexec",   "srun",     "busybox",  "docker",     "podman",   "kubectl",  "singularity",
                                "apptainer", "conda",    "uv",       "poetry",     "prlimit",  "setpriv",  "setarch",
                                "linux32",   "linux64",  "fakeroot", "perf",       "valgrind", "nsenter",  "dbus-run-session",
                                "sshpass",   "firejail", "bwrap",    "cpulimit",   "unbuffer", "xvfb-run", "proot",
                                "catchsegv", "gosu",     "pkexec",   "systemd-run"};
// The first word behind these that is no option, number or variable is the program, when no option came before it.
const ProgramNames kPlainStarters = {"env",     "nice",    "ionice",   "timeout",  "time",    "nohup",   "exec",
                                     "command", "builtin", "setsid",   "stdbuf",   "chrt",    "numactl", "sudo",
                                     "doas",    "strace",  "ltrace",   "mpirun",   "mpiexec", "srun",    "busybox",
                                     "linux32", "linux64", "fakeroot", "valgrind", "prlimit", "unbuffer"};
// Of these a path may be an image's.
const ProgramNames kContainers = {"docker", "podman", "kubectl", "singularity", "apptainer"};
// The next word is a file or a folder, not the program.
const ProgramNames kFileOptions = {
    "-o",     "-e",    "-C",     "-D",        "-R",         "--output",     "--error",       "--input", "--chdir",
    "--root", "-wdir", "--wdir", "-hostfile", "--hostfile", "-machinefile", "--machinefile", "--prefix"};
const ProgramNames kContainerFileOptions = {"-v",     "-w",         "-B",      "--volume", "--workdir",
                                            "--bind", "--env-file", "--mount", "--pwd"};
// A program that we do not know may start another one, too. These names are hardly anything else among its words.
const ProgramNames kStarted = {"awk",     "gawk", "mawk",    "nawk", "sed",   "gsed", "ssh",  "rsh",      "su",
                               "runuser", "sudo", "doas",    "eval", "find",  "tar",  "make", "parallel", "busybox",
                               "vim",     "gdb",  "sqlite3", "psql", "xargs", "m4",   "rsync"};
// Behind a pipe from a command with such a value: they read lines, and nothing in these tells them what to do.
const ProgramNames kFilters = {"tail",  "head", "cat", "cut", "tr",   "sort",   "uniq", "wc",    "tee",
                               "paste", "nl",   "rev", "tac", "fold", "column", "grep", "egrep", "fgrep"};
// python -m: they run their arguments.
const ProgramNames kModules = {"timeit", "pdb", "ipdb", "trace", "cProfile", "profile", "runpy", "code", "IPython"};

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
    if (code && wild && python && words[i - 1].text == "-m" && is_one_of(text, kModules))
      return fmt::format("{} -m {} reads its arguments as code", name, text);
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

bool names_interpreter(std::string_view name) {
  return is_one_of(name, kShells) || is_one_of(name, kPythons) || is_one_of(name, kInterpreters);
}

bool is_interpreter(const ProgramWord& word) { return word.literal() && names_interpreter(program_name(word.text)); }

// -c, -lc, -e, --eval: of an interpreter that the one before starts in a way of its own, as docker --entrypoint sh IMAGE -c.
bool announces(const ProgramWord& word) {
  const std::string& text = word.text;
  return text.starts_with("--eval") || text.starts_with("--command") ||
         (text.starts_with('-') && !text.starts_with("--") && text.find_first_of("ceE") != std::string::npos);
}

// Whether words[i] is surely the program that the starter at words[at] starts, and not the argument of an option of its.
bool is_surely_program(const Words& words, std::size_t at, std::size_t i) {
  const std::string_view text = words[i].text, starter = program_name(words[at].text);
  if (text.starts_with('-') || words[i].value) return false;
  if (is_interpreter(words[i])) return true;
  const auto is_argument = [&](const ProgramWord& word) { return !is_assignment(word) && !is_duration(word.text); };
  const bool first = std::none_of(words.begin() + static_cast<std::ptrdiff_t>(at) + 1,
                                  words.begin() + static_cast<std::ptrdiff_t>(i), is_argument);
  if (first && is_one_of(starter, kPlainStarters)) return !is_duration(text);
  const bool path = text.find('/') != std::string_view::npos || text.ends_with(".py") || text.ends_with(".sh");
  const auto is_among = [&](const ProgramNames& options) {
    return std::find(options.begin(), options.end(), words[i - 1].text) != options.end();
  };
  const bool container = is_one_of(starter, kContainers);
  if (!path || is_among(kFileOptions) || (container && is_among(kContainerFileOptions))) return false;
  if (starter == "chroot") return !first && !words[i - 1].text.starts_with('-');
  const bool image = (text[0] != '.' && text[0] != '/') || text.ends_with(".sif") || text.ends_with(".simg");
  return !container || !image;
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
    if (word.value && word.wild && !named)
      return fmt::format("{} might take the value for a program (name the program with its path before it, as ./program)", name);
    named = named || is_surely_program(words, at, i);
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

// A command of the shell's own stands first, or behind another one that starts it.
bool may_be_builtin(const Words& words, std::size_t at) {
  return std::all_of(words.begin(), words.begin() + static_cast<std::ptrdiff_t>(at), [](const ProgramWord& word) {
    return is_assignment(word) || word.text.starts_with('-') || word.text == "command" || word.text == "builtin" ||
           word.text == "time";
  });
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
  if (may_be_builtin(words, at) && is_one_of(name, kBuiltins)) return fmt::format("{} may read its arguments as code", name);
  if (name == "printf" && at + 1 < words.size() && (words[at + 1].value || words[at + 1].text.starts_with("-v")))
    return "printf -v reads the name of a variable, in which a shell may run code: write printf '%s\\n' first";
  if (is_one_of(name, kStarters)) return starter_problem(words, at, name);
  return "";
}

// sh -c … and python3 -u sim.py: what follows is surely the script's own.
bool is_settled(const Words& words, std::size_t interpreter) {
  for (std::size_t i = interpreter + 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (!text.starts_with('-')) return text.find_first_of("./") != std::string::npos;
    if (text.ends_with('c') || text == "-m") return true;
  }
  return false;
}

// A word behind a program of any kind, which may start what it names. `open`: an interpreter or an unknown program may have been
// named before it.
std::string started_problem(const Words& words, std::size_t at, bool& open, bool& last) {
  const ProgramWord& word = words[at];
  if (word.wild && open && announces(words[at - 1])) return "an interpreter may be started with it as code";
  if (word.variable) open = true;
  const std::string_view text = word.text;
  const bool option = text.starts_with('-') && text.find('=') != std::string_view::npos;
  const std::string_view name = program_name(option ? text.substr(text.find('=') + 1) : text);
  if (is_one_of(name, kStarted)) return fmt::format("{} may be started with it, and reads its arguments as code", name);
  if (!names_interpreter(name)) return "";
  if (option || words[at - 1].text == "--entrypoint") return fmt::format("{} may be started with it", name);
  open = true;
  last = is_settled(words, at);
  return interpreter_problem(words, at, name, true);
}

// Of the program at words[at] and of those that it may start: every word before such a value is looked at.
std::string words_problem(const Words& words, std::size_t at, bool wild) {
  bool last = false, open = false;
  std::string problem = program_problem(words, at, wild, last);
  if (!problem.empty() || last) return problem;
  const bool starter = is_one_of(program_name(words[at].text), kStarters);
  std::size_t end = words.size();
  while (wild && !words[end - 1].wild) --end;
  for (std::size_t i = at + 1; i < end && !last; ++i) {
    if (starter && words[i].literal()) problem = program_problem(words, i, wild, last);
    last = last && (!wild || is_settled(words, i));
    if (problem.empty() && wild) problem = started_problem(words, i, open, last);
    if (!problem.empty()) return problem;
  }
  return "";
}

constexpr std::string_view kFedProblem =
    "it may come through a pipe, where only tail, head, cat, cut, tr, sort, uniq, wc, tee, paste, nl, rev, tac, fold, column and "
    "grep may read it: do what the pipe does in a program of your own";

bool is_filter(const Words& words) {
  std::size_t at = 0;
  while (at < words.size() && is_assignment(words[at]) && words[at].literal()) ++at;
  if (at == words.size() || !words[at].literal()) return false;
  return std::find(kFilters.begin(), kFilters.end(), words[at].text) != kFilters.end();
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
  return words_problem(words, at, wild);
}

std::string code_problem(const ShellCommand& command) {
  return command.fed && !is_filter(command.words) ? std::string(kFedProblem) : code_problem(command.words);
}

}  // namespace salvo::runner
