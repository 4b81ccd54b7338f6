#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <stdexcept>
#include <utility>

#include "run/command.h"
#include "run/text.h"

namespace salvo::runner {
namespace {

[[noreturn]] void bad_command(const std::string& key, const std::string& what) {
  throw InputError(fmt::format("{}: {}", key, what));
}

std::string known_names(const std::vector<std::string>& names) {
  std::string out = "{trial}";
  for (std::size_t i = 0; i < names.size() && i < 20; ++i) out += fmt::format(", {{{}}}", names[i]);
  return out + (names.size() > 20 ? ", …" : "");
}

std::vector<Piece> split_pieces(std::string_view text, const CommandTemplate::Names& known) {
  const std::vector<std::string>& names = known.names;
  if (text.find('\0') != std::string_view::npos) bad_command(known.key, "a command cannot hold a NUL byte");
  std::vector<Piece> pieces;
  Piece piece;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      piece.text += c;
      ++i;
      continue;
    }
    if (c == '}')
      bad_command(known.key, fmt::format("a }} at character {} closes nothing; write }}}} for a brace of the shell's", i + 1));
    if (c != '{') {
      piece.text += c;
      continue;
    }
    const std::size_t close = text.find('}', i);
    if (close == std::string_view::npos)
      bad_command(known.key, fmt::format("the {{ at character {} is never closed; write {{{{ for a brace of the shell's", i + 1));
    const std::string name(text.substr(i + 1, close - i - 1));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() && name != "trial")
      bad_command(known.key,
                  fmt::format("unknown placeholder {{{}}}: expected one of {}; write {{{{ and }}}} for braces of the shell's",
                              printable(name), known_names(names)));
    piece.name = found != names.end() ? static_cast<int>(found - names.begin()) : Piece::kTrial;
    pieces.push_back(std::exchange(piece, {}));
    i = close;
  }
  if (!piece.text.empty()) pieces.push_back(std::move(piece));
  return pieces;
}

std::string name_of(const Piece& piece, const CommandTemplate::Names& known) {
  return piece.name == Piece::kTrial ? "trial" : known.names[static_cast<std::size_t>(piece.name)];
}

// {rate}> and $A{rate}: the program would never see the value.
void check_lost(const std::vector<Piece>& pieces, const CommandTemplate::Names& known) {
  const std::optional<LostValue> lost = find_lost_value(pieces);
  if (!lost) return;
  std::size_t count = 0;
  for (const Piece& piece : pieces)
    if (piece.name != Piece::kNone && count++ == lost->placeholder)
      bad_command(known.key,
                  fmt::format("the value of {{{}}} would not reach the program: {}", name_of(piece, known), lost->why));
}

// ${rate} and \{rate}: a value there would become a part of something else.
void check_before(const std::vector<Piece>& pieces, const CommandTemplate::Names& known) {
  for (const Piece& piece : pieces) {
    if (piece.name == Piece::kNone || piece.text.empty()) continue;
    std::size_t backslashes = 0;
    while (backslashes < piece.text.size() && piece.text[piece.text.size() - 1 - backslashes] == '\\') ++backslashes;
    const bool dollar = piece.text.back() == '$', escaped = backslashes % 2 == 1;
    if (!dollar && !escaped) continue;
    const std::string name = name_of(piece, known);
    bad_command(known.key,
                fmt::format("{{{0}}} stands right after a {1}: write {{{0}}} alone for the value, or ${{{{VARIABLE}}}} for a "
                            "variable of the shell's",
                            name, escaped ? '\\' : '$'));
  }
}

ProgramWord word_of(const std::vector<Piece>& pieces) {
  ProgramWord word;
  for (const Piece& piece : pieces) {
    word.text += piece.text;
    if (piece.name == Piece::kNone) continue;
    word.text += ProgramWord::kGap;
    word.value = true;
    word.wild = word.wild || piece.wild;
  }
  return word;
}

// Single quotes are closed for it; in all three places the shell makes exactly the value of it, as a part of that word.
std::string reference(const std::string& variable, Piece::Place place) {
  const std::string inside = fmt::format("${{{}}}", variable);
  if (place == Piece::Place::double_quotes) return inside;
  return place == Piece::Place::bare ? fmt::format("\"{}\"", inside) : fmt::format("'\"{}\"'", inside);
}

}  // namespace

CommandTemplate::CommandTemplate(const CommandLine& command, const Names& names) : shell_(command.words.empty()), names_(names) {
  if (shell_ && trim(command.line).empty()) bad_command(names_.key, "expected a command line, got an empty one");
  if (!shell_ && command.words[0].empty())
    bad_command(names_.key, "expected the name of a program as the first word, got an empty one");
  if (shell_)
    words_.push_back(split_pieces(command.line, names_));
  else
    for (const std::string& word : command.words) words_.push_back(split_pieces(word, names_));
  for (std::vector<Piece>& word : words_)
    for (Piece& piece : word) piece.wild = piece.name >= 0 && names_.wild(piece.name).has_value();
  if (shell_)
    check_line();
  else
    check_words();
  names_.wild = nullptr;  // it may look at what lives no longer than this call
}

void CommandTemplate::refuse(int name, const std::string& why) const {
  const auto i = static_cast<std::size_t>(name);
  bad_command(names_.key,
              fmt::format("{{{0}}} can be {1}, which a shell or another program might run: {2}. Write the command as a list, "
                          "command = [\"program\", \"{{{0}}}\"], with {{{0}}} a word of its own; or let the program read the "
                          "environment variable {3}, in a shell \"${3}\" with its quotes",
                          names_.names[i], excerpt(*names_.wild(name), 40), why, names_.variables[i]));
}

void CommandTemplate::check_line() {
  std::vector<Piece>& line = words_[0];
  check_before(line, names_);
  const auto wild = std::find_if(line.begin(), line.end(), [](const Piece& piece) { return piece.wild; });
  if (wild == line.end()) return check_lost(line, names_);
  for (const Piece& piece : line)
    if (piece.wild &&
        std::count(names_.variables.begin(), names_.variables.end(), names_.variables[static_cast<std::size_t>(piece.name)]) > 1)
      refuse(piece.name, "another name has the same variable");
  std::vector<ShellCommand> commands;
  try {
    commands = read_shell_line(line);
  } catch (const std::invalid_argument& error) {
    refuse(wild->name, fmt::format("the line holds {}", error.what()));
  }
  for (const ShellCommand& command : commands) {
    const std::string problem = code_problem(command);
    if (!problem.empty()) refuse(wild->name, problem);
  }
  check_lost(line, names_);
}

void CommandTemplate::check_words() {
  std::vector<ProgramWord> words;
  int wild = Piece::kNone;
  for (const std::vector<Piece>& word : words_) {
    words.push_back(word_of(word));
    for (const Piece& piece : word)
      if (piece.wild) wild = piece.name;
  }
  if (wild < 0) return;
  const std::string problem = code_problem(words);
  if (!problem.empty()) refuse(wild, problem);
}

std::string CommandTemplate::fill(const std::vector<Piece>& pieces, std::int64_t trial,
                                  const std::vector<std::string>& values) const {
  std::string out;
  for (const Piece& piece : pieces) {
    out += piece.text;
    if (piece.name == Piece::kTrial) out += std::to_string(trial);
    if (piece.name < 0) continue;
    const auto i = static_cast<std::size_t>(piece.name);
    if (shell_ && piece.wild)
      out += reference(names_.variables[i], piece.place);
    else if (shell_ && !is_inert(values[i]))
      throw Error(
          fmt::format("trial {}: {} is {}, none of the values that the study has", trial, names_.names[i], excerpt(values[i])));
    else
      out += values[i];
  }
  return out;
}

CommandLine CommandTemplate::render(std::int64_t trial, const std::vector<std::string>& values) const {
  if (shell_) return fill(words_[0], trial, values);
  std::vector<std::string> words;
  for (const std::vector<Piece>& word : words_) words.push_back(fill(word, trial, values));
  return words;
}

}  // namespace salvo::runner
