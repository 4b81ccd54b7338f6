#include "run/shell_line.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <utility>

namespace salvo::runner {
namespace {

constexpr std::string_view kInert = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:@%,+-";
constexpr std::array<std::string_view, 16> kReserved = {"if", "then", "else", "elif", "fi",   "for",      "while",  "until",
                                                        "do", "done", "in",   "case", "esac", "function", "select", "coproc"};

bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_'; }
bool is_name(char c) { return is_letter(c) || (c >= '0' && c <= '9'); }

[[noreturn]] void beyond(const std::string& what) { throw std::invalid_argument(what); }

class ShellLineReader {
 public:
  using Commands = std::vector<std::vector<ProgramWord>>;

  Commands read(std::vector<Piece>& pieces) {
    for (Piece& piece : pieces) {
      text_ = piece.text;
      for (at_ = 0; at_ < text_.size(); ++at_) {
        ends_in_variable_ = false;
        step();
      }
      if (piece.name != Piece::kNone) placeholder(piece);
      ends_in_variable_ = false;
    }
    if (quote_ != 0) beyond(fmt::format("a {} that is never closed", quote_));
    end_command();
    if (redirect_) beyond("a redirection to nothing");
    return std::move(commands_);
  }

 private:
  [[nodiscard]] char next() const { return at_ + 1 < text_.size() ? text_[at_ + 1] : '\0'; }

  void step() {
    const char c = text_[at_];
    if (quote_ == '\'') {
      if (c == '\'')
        quote_ = 0;
      else
        word_.text += c;
      return;
    }
    if (c == '$') return variable();
    if (c == '`') beyond("a backquote");
    if (quote_ == '"') {
      if (c == '\\') beyond("a backslash inside \"…\"");
      if (c == '"')
        quote_ = 0;
      else
        word_.text += c;
      return;
    }
    bare(c);
  }

  void bare(char c) {
    if (c == '\'' || c == '"') {
      quote_ = c;
      in_word_ = true;
    } else if (c == '\\' && next() == '\n') {
      ++at_;  // a line that goes on: the shell takes both away
    } else if (c == ' ' || c == '\t') {
      end_word();
    } else if (c == '\n' || c == ';' || c == '&' || c == '|') {
      separator(c);
    } else if (c == '<' || c == '>') {
      redirection(c);
    } else if (kInert.find(c) != std::string_view::npos || c == '=' || (c == '~' && !in_word_)) {
      word_.text += c;
      in_word_ = true;
    } else {
      beyond(unknown(c));
    }
  }

  static std::string unknown(char c) {
    if (c == '#') return "a comment (#)";
    if (c == '\\') return "a backslash";
    if (c == '(' || c == ')') return "a parenthesis";
    if (c == '{' || c == '}') return "a brace of the shell's";
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte >= 0x7F) return fmt::format("the byte \\x{:02x} outside of quotes", byte);
    return fmt::format("the character {} outside of quotes", c);
  }

  // $NAME. A bare one may become several words or none; a name of its own would swallow what follows.
  void variable() {
    if (!is_letter(next())) beyond("a $ other than of $NAME");
    while (is_name(next())) ++at_;
    word_.text += ProgramWord::kGap;
    word_.variable = true;
    ends_in_variable_ = true;
    split_ = split_ || quote_ == 0;
    in_word_ = true;
  }

  void placeholder(Piece& piece) {
    if (ends_in_variable_) beyond("a variable right before a value");
    if (quote_ == 0 && word_.text.starts_with('~') && word_.text.find('/') == std::string::npos)
      beyond("a ~ right before a value");
    piece.place = quote_ == '"' ? Piece::Place::double_quotes : quote_ ? Piece::Place::single_quotes : Piece::Place::bare;
    word_.text += ProgramWord::kGap;
    word_.value = true;
    word_.wild = word_.wild || piece.wild;
    in_word_ = true;
  }

  void separator(char c) {
    end_command();
    if (redirect_) beyond("a redirection to nothing");
    if ((c == '&' || c == '|') && next() == c) ++at_;
    const char after = next();
    if (c == ';' && (after == ';' || after == '&')) beyond("a ;; of the shell's");
    if ((c == '|' && after == '&') || (c == '&' && (after == '>' || after == '<'))) beyond(fmt::format("{}{}", c, after));
  }

  void redirection(char c) {
    // 3>file means another thing than 3 >file; a value there would be taken for such a number.
    if (word_.value) beyond(fmt::format("a {} right after a value (put a space before it)", c));
    const bool number = !word_.text.empty() && word_.literal() && word_.text.find_first_not_of("0123456789") == std::string::npos;
    if (number) discard_word();
    end_word();
    if (redirect_) beyond("a redirection to nothing");
    if (c == '>' && next() == '>') ++at_;
    const char after = next();
    if (after == '<') beyond("a here-document (<<)");
    if (after == '>' || after == '|' || after == '(') beyond(fmt::format("{}{}", c, after));
    if (after == '&') {
      ++at_;
      if (next() < '0' || next() > '9') beyond(fmt::format("{}& without a number", c));
    }
    redirect_ = true;
  }

  void discard_word() {
    word_ = {};
    in_word_ = false;
    split_ = false;
  }

  void end_word() {
    if (!in_word_) return;
    if (redirect_) {
      if (word_.wild) beyond("a file of that name to write or read (> or <); name files by {trial}");
      redirect_ = false;
    } else {
      if (command_.empty() && std::find(kReserved.begin(), kReserved.end(), word_.text) != kReserved.end())
        beyond(fmt::format("the word \"{}\" of the shell's", word_.text));
      split_command_ = split_command_ || split_;
      command_.push_back(word_);
    }
    discard_word();
  }

  void end_command() {
    end_word();
    const bool wild = std::any_of(command_.begin(), command_.end(), [](const ProgramWord& word) { return word.wild; });
    if (wild && split_command_) beyond("a variable outside of quotes in the same command (write \"$NAME\")");
    if (!command_.empty()) commands_.push_back(std::exchange(command_, {}));
    split_command_ = false;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  char quote_ = 0;
  bool in_word_ = false, split_ = false, ends_in_variable_ = false, redirect_ = false, split_command_ = false;
  ProgramWord word_;
  std::vector<ProgramWord> command_;
  Commands commands_;
};

}  // namespace

bool is_inert(std::string_view value) { return !value.empty() && value.find_first_not_of(kInert) == std::string_view::npos; }

std::vector<std::vector<ProgramWord>> read_shell_line(std::vector<Piece>& pieces) { return ShellLineReader().read(pieces); }

}  // namespace salvo::runner
