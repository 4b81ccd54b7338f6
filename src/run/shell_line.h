#pragma once
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace salvo::runner {

// A command of the user's in parts: text as it stands, then a placeholder.
struct Piece {
  std::string text{};
  int name = kNone;   // which name, or one of these
  bool wild = false;  // its values may hold anything: a reference is written, never the value
  enum class Place { bare, single_quotes, double_quotes } place = Place::bare;

  static constexpr int kNone = -1, kTrial = -2;
};

// One word of a command as its program gets it. What is not known before it runs is a gap in the text.
struct ProgramWord {
  std::string text{};     // without quotes
  bool wild = false;      // holds a value that may be anything
  bool value = false;     // holds a value
  bool variable = false;  // holds a variable of the shell's

  static constexpr char kGap = '\0';
  [[nodiscard]] bool literal() const { return !value && !variable; }
};

struct ShellCommand {
  std::vector<ProgramWord> words{};
  bool fed = false;  // stands behind a pipe through which such a value may come
};

// Reads the small part of the shell's language in which a value of any kind may stand: commands of plain words, '…' and "…"
// strings, $NAME, joined by ; && || | & and line breaks, with > < and >> into files. Sets the place of each placeholder and
// gives the words of each command. Throws std::invalid_argument with what it does not understand, as "a comment (#)".
[[nodiscard]] std::vector<ShellCommand> read_shell_line(std::vector<Piece>& pieces);

// A placeholder whose value, however plain, would not reach the program: {n}> (a number of a file), $A{n} (another variable),
// ~{n} (somebody's home). For any line: where we lose track of it we say nothing.
struct LostValue {
  std::size_t placeholder;  // the how many-th of the line
  std::string why;
};
[[nodiscard]] std::optional<LostValue> find_lost_value(const std::vector<Piece>& pieces);

// What is wrong with a command of these words where values of any kind stand in it or are given to it, empty when nothing is:
// its program would read such a value as code, as far as we know programs.
[[nodiscard]] std::string code_problem(const std::vector<ProgramWord>& words);
// The same of a command in a line, which may also read such a value from a pipe.
[[nodiscard]] std::string code_problem(const ShellCommand& command);

// Characters that mean nothing to a shell or to a language in it: numbers, names, paths. Where all values are made of them, a
// placeholder may stand anywhere. No '=': in front of a command A=B would set a variable.
[[nodiscard]] bool is_inert(std::string_view value);

}  // namespace salvo::runner
