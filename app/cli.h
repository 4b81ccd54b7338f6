#pragma once
#include <string>
#include <vector>

#include "arguments.h"

namespace salvo::app {

struct Invocation {
  Common common;
  Args args;
  std::string print;  // not empty: print this and end (help, version)
};

// Throws InputError, with the nearest known command or option.
[[nodiscard]] Invocation parse_command_line(int argc, const char* const* argv);

// The commands and options as data, for the completion scripts.
struct OptionSpec {
  std::string long_name, short_name;  // "--format", "-o" or empty
  std::string help;
  bool takes_value = false;
  bool takes_file = false;
  std::vector<std::string> choices;
};
struct CommandSpec {
  std::string name, help;
  std::vector<OptionSpec> options;
  std::vector<std::string> words;  // choices of the positional argument; empty: files
};
[[nodiscard]] std::vector<CommandSpec> command_specs();

}  // namespace salvo::app
