#pragma once
#include <salvo/random.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/shell_line.h"
#include "run/spawn.h"

namespace salvo::runner {

// The user's command, read once: {name} and {trial} are places for values, {{ and }} are braces. Words of a program get the
// values as they are. Into a line for the shell only inert values are written as text (see is_inert); for others a reference
// to an environment variable, "${SALVO_PARAM_X}", and only where we surely understand the line.
class CommandTemplate {
 public:
  struct Names {
    std::vector<std::string> names;
    std::vector<std::string> variables;  // of the environment, by name
    // A value of a name that is not inert, if there is one.
    std::function<std::optional<std::string>(int name)> wild;
    std::string key = "objective.command";  // what messages call the command
  };
  // Throws InputError that names the placeholder: unknown, unclosed, after a $, or where a value might be run or be lost.
  CommandTemplate(const CommandLine& command, const Names& names);
  [[nodiscard]] CommandLine render(std::int64_t trial, const std::vector<std::string>& values) const;  // one per name

 private:
  [[nodiscard]] std::string fill(const std::vector<Piece>& pieces, std::int64_t trial,
                                 const std::vector<std::string>& values) const;
  void check_line();
  void check_words();
  [[noreturn]] void refuse(int name, const std::string& why) const;

  bool shell_ = true;
  std::vector<std::vector<Piece>> words_;  // one line of the shell's, or each word of a program
  Names names_;
};

// SALVO_PARAM_X of a parameter x.
[[nodiscard]] std::string variable_name(std::string_view parameter);

// Everything one evaluation of a trial needs.
class Evaluation {
 public:
  // Throws InputError when the objective does not fit the study; `key` is what its messages call the command.
  Evaluation(const ObjectiveOptions& objective, const StudyOptions& study, const std::string& key = "objective.command");
  [[nodiscard]] Command command(const Trial& trial) const;

 private:
  [[nodiscard]] Params values(const Trial& trial) const;
  [[nodiscard]] CommandTemplate::Names template_names(const StudyOptions& study, const std::string& key) const;

  const ObjectiveOptions& objective_;
  const Pool* pool_;
  std::vector<std::string> names_;      // parameters; over a pool the candidate, its id and the columns kept with it
  std::vector<std::string> variables_;  // SALVO_PARAM_… by name
  CommandTemplate template_;
  Key seeds_;
};

// For people: the line, or the words as a shell would need them.
[[nodiscard]] std::string shown_command(const Command& command);
[[nodiscard]] std::string shell_quote(std::string_view text);

}  // namespace salvo::runner
