#pragma once
#include <salvo/random.h>
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "run/spawn.h"

namespace salvo::runner {

// The user's command line, read once: {name} and {trial} are places for values, {{ and }} are braces.
// A value is quoted for the place it stands in: bare, inside '…' or inside "…".
class CommandTemplate {
 public:
  // Throws InputError that names the placeholder: unknown, unclosed, after a $, or where no quoting is safe.
  CommandTemplate(std::string_view text, const std::vector<std::string>& names);
  [[nodiscard]] std::string render(std::int64_t trial, const std::vector<std::string>& values) const;  // one per name

 private:
  enum class Place { bare, single_quotes, double_quotes };
  struct Piece {
    std::string text;
    int name = -1;  // −1: text only; −2: the trial
    Place place = Place::bare;
  };
  static constexpr int kTrialId = -2;
  static std::string quote(const std::string& value, Place place);
  std::vector<Piece> pieces_;  // each: text, then a value
};

// Everything one evaluation of a trial needs.
class Evaluation {
 public:
  // Throws InputError when the objective does not fit the study.
  Evaluation(const ObjectiveOptions& objective, const StudyOptions& study);
  [[nodiscard]] Command command(const Trial& trial) const;

 private:
  [[nodiscard]] Params values(const Trial& trial) const;

  const ObjectiveOptions& objective_;
  const Pool* pool_;
  std::vector<std::string> names_;  // parameters; over a pool the candidate, its id and the columns kept with it
  CommandTemplate template_;
  std::vector<std::string> variables_;  // SALVO_PARAM_… by name
  Key seeds_;
};

[[nodiscard]] std::string shell_quote(std::string_view text);

}  // namespace salvo::runner
