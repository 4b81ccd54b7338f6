// Programs that read their arguments or their input as code: there a value that may hold anything would be run.
#include <fmt/format.h>

#include <algorithm>

#include "run/shell_line.h"

namespace salvo::runner {
namespace {

using Words = std::vector<ProgramWord>;
using ProgramNames = std::vector<std::string_view>;

// What follows their options is a script, and its own arguments after it. Of the others we know no option at all.
const ProgramNames kShells = {"sh", "bash", "dash", "ash", "ksh", "mksh", "zsh", "rbash"};
const ProgramNames kPythons = {"python", "pypy", "ipython"};
const ProgramNames kInterpreters = {"perl",   "ruby", "node",    "nodejs", "deno",  "bun",    "lua",
                                    "luajit", "php",  "Rscript", "R",      "julia", "octave", "fish",
                                    "csh",    "tcsh", "tclsh",   "wish",   "guile", "racket", "expect"};
// Never in one line with such a value, wherever it stands: they run what they are given or what they read.
const ProgramNames kRunners = {"eval", "xargs", "parallel", "alias", "trap"};
// Not with such a value among their own arguments.
const ProgramNames kLanguages = {
    "awk",  "gawk",    "mawk",   "nawk",     "sed",     "gsed",    "find",  "make", "gmake",    "jq",      "bc",     "dc",
    "expr", "m4",      "ed",     "ex",       "vi",      "vim",     "emacs", "psql", "mysql",    "sqlite3", "ssh",    "rsh",
    "mosh", "su",      "sg",     "runuser",  "watch",   "script",  "flock", "at",   "batch",    "crontab", "sbatch", "qsub",
    "bsub", "gnuplot", "export", "readonly", "declare", "typeset", "local", "set",  "osascript"};
// They start another program of their arguments, so that every word must be known.
const ProgramNames kStarters = {"env",     "nice",    "ionice",      "timeout",   "time",    "nohup",   "exec",    "command",
                                "builtin", "setsid",  "stdbuf",      "taskset",   "chrt",    "numactl", "sudo",    "doas",
                                "chroot",  "unshare", "strace",      "mpirun",    "mpiexec", "srun",    "busybox", "docker",
                                "podman",  "kubectl", "singularity", "apptainer", "conda",   "uv",      "poetry"};

bool is_one_of(std::string_view word, const ProgramNames& names) {
  return std::find(names.begin(), names.end(), word) != names.end();
}

// "/usr/bin/python3.11" is python.
std::string_view program_name(std::string_view word) {
  word.remove_prefix(word.find_last_of('/') + 1);
  while (word.size() > 1 && std::string_view("0123456789.-").find(word.back()) != std::string_view::npos) word.remove_suffix(1);
  return word;
}

bool made_of(std::string_view text, std::string_view allowed) {
  return text.find_first_not_of(allowed) == std::string_view::npos;
}

// Where the interpreter at words[at] finds its code; what follows is the script's own.
std::string interpreter_problem(const Words& words, std::size_t at, std::string_view name) {
  const bool shell = is_one_of(name, kShells), python = is_one_of(name, kPythons);
  bool code = false;
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const ProgramWord& word = words[i];
    if (word.value) return fmt::format("{} would read the value as code or as an option", name);
    if (code) return "";
    const std::string& text = word.text;
    if (text.empty() || text[0] == ProgramWord::kGap) {
      if (text.find('/') != std::string::npos) return "";
      return fmt::format("the script of {} is not known", name);
    }
    if (text[0] != '-') return "";
    const std::string_view letters = std::string_view(text).substr(1);
    if (letters.empty() || letters == "-") return fmt::format("{} {} would read its input as code", name, text);
    if (shell && made_of(letters, "euxfvaCc"))
      code = letters.find('c') != std::string_view::npos;
    else if (python && (letters == "c" || letters == "m"))
      code = true;
    else if (!(python && made_of(letters, "uOBIsSEbqP")) && letters != "w" && letters != "-vanilla")
      return fmt::format("what {} does with {} is not known here", name, text);
  }
  return fmt::format("{} reads code from its standard input", name);
}

bool is_assignment(const ProgramWord& word) {
  const std::size_t equal = word.text.find('=');
  return equal != std::string::npos && equal > 0 && equal < word.text.find(ProgramWord::kGap);
}

// A shell or another interpreter without code of its own takes its input for it.
std::string input_problem(const Words& words, std::size_t at, std::string_view name) {
  bool code = false;
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const std::string& text = words[i].text;
    if (text == "-s" || text == "-") break;
    if (code && words[i].variable) return fmt::format("{} runs what a variable holds", name);
    if (!text.starts_with('-')) return "";
    code = true;  // -c, -e, -ne: we do not look closer
  }
  return fmt::format("{} reads code from its standard input", name);
}

bool is_duration(std::string_view text) { return text.find_first_not_of("0123456789.smhd") == std::string_view::npos; }

// env A=B nice -n 5 PROGRAM …: a program must be named before such a value, and no word may be left open.
std::string starter_problem(const Words& words, std::size_t at, std::string_view name) {
  bool named = false;
  for (std::size_t i = at + 1; i < words.size(); ++i) {
    const ProgramWord& word = words[i];
    if (word.variable) return fmt::format("{} starts another program, and with a variable it is not known which", name);
    if (name == "env" && (word.text.starts_with("-S") || word.text.starts_with("-vS") || word.text.starts_with("--split")))
      return "env -S reads code";
    if (is_assignment(word) && !named) {
      if (word.wild) return "such a value may not be that of a variable, which other programs may run";
      continue;
    }
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
  if (is_one_of(name, kShells) || is_one_of(name, kPythons) || is_one_of(name, kInterpreters)) {
    last = true;
    return wild ? interpreter_problem(words, at, name) : input_problem(words, at, name);
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
