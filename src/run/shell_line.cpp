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
  using Commands = std::vector<ShellCommand>;

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
    const bool any = end_command();
    if (redirect_) beyond("a redirection to nothing");
    const bool pipe = c == '|' && next() != '|';
    // A line break behind a | goes on with it, and so may what we read as an empty command.
    if (any || pipe) fed_ = pipe && (fed_ || wild_command_);
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

  // Whether there was one.
  bool end_command() {
    end_word();
    wild_command_ = std::any_of(command_.begin(), command_.end(), [](const ProgramWord& word) { return word.wild; });
    if (wild_command_ && split_command_) beyond("a variable outside of quotes in the same command (write \"$NAME\")");
    split_command_ = false;
    if (command_.empty()) return false;
    commands_.push_back({.words = std::exchange(command_, {}), .fed = fed_});
    return true;
  }

  std::string_view text_;
  std::size_t at_ = 0;
  char quote_ = 0;
  bool in_word_ = false, split_ = false, ends_in_variable_ = false, redirect_ = false, split_command_ = false;
  bool fed_ = false, wild_command_ = false;
  ProgramWord word_;
  std::vector<ProgramWord> command_;
  Commands commands_;
};

// Follows quotes, $(…), comments and here-documents of any line, to know what stands right beside a placeholder.
class LostValueFinder {
 public:
  explicit LostValueFinder(const std::vector<Piece>& pieces) {
    for (const Piece& piece : pieces) {
      text_ += piece.text;
      if (piece.name != Piece::kNone) text_ += ProgramWord::kGap;
    }
  }

  std::optional<LostValue> find() {
    for (at_ = 0; at_ < text_.size() && !lost_; ++at_) step();
    return lost_;
  }

 private:
  struct Document {
    std::string end;
    bool quoted = false;
  };

  [[nodiscard]] char peek(std::size_t ahead = 1) const { return at_ + ahead < text_.size() ? text_[at_ + ahead] : '\n'; }
  [[nodiscard]] bool joins_lines() const { return at_ + 1 < text_.size() && text_[at_] == '\\' && text_[at_ + 1] == '\n'; }

  void lose(const std::string& why) {
    const auto before = std::count(text_.begin(), text_.begin() + static_cast<std::ptrdiff_t>(at_), ProgramWord::kGap);
    if (!lost_) lost_ = LostValue{.placeholder = static_cast<std::size_t>(before), .why = why};
  }

  void step() {
    const char c = text_[at_];
    const char inside = inside_.back();
    if (inside == '\'') {
      if (c == '\'') inside_.pop_back();
      return;
    }
    if (joins_lines()) {
      ++at_;  // the shell takes both away: what was before stays right before
      return;
    }
    const bool after_value = std::exchange(after_value_, false), word_start = std::exchange(word_start_, false);
    if (c == '\\') {
      ++at_;
    } else if (c == '$') {
      dollar();
    } else if (c == '`') {
      inside == '`' ? inside_.pop_back() : inside_.push_back(c);
      word_start_ = true;
    } else if (inside == '"') {
      if (c == '"') inside_.pop_back();
    } else {
      bare(c, after_value, word_start);
    }
  }

  void bare(char c, bool after_value, bool word_start) {
    if (c == '~' && word_start)
      tilde_ = true;
    else if (c == ProgramWord::kGap)
      value();
    else if (c == '#' && word_start)
      while (peek() != '\n') ++at_;
    else if (c == '\'' || c == '"')
      inside_.push_back(c);
    else if (c == '(')
      open();
    else if (c == ')')
      close();
    else if (c == '<' || c == '>')
      redirection(c, after_value);
    if (std::string_view("/'\" \t\n;&|<>()").find(c) != std::string_view::npos) tilde_ = false;
    if (std::string_view(" \t\n;&|<>()").find(c) != std::string_view::npos) word_start_ = true;
    if (c == '\n') documents();
  }

  void value() {
    if (tilde_) lose("a word that begins with ~ would become somebody's home folder: write a / or quotes between them");
    after_value_ = true;
  }

  // $(( and (( hold numbers, where < compares.
  void open() {
    const bool numbers = inside_.back() == '+' || peek() == '(';
    inside_.push_back(numbers ? '+' : '(');
  }

  void close() {
    if (inside_.back() == '+' || inside_.back() == '(') inside_.pop_back();
  }

  void dollar() {
    if (peek() == '(') {
      ++at_;
      word_start_ = true;
      return open();
    }
    if (!is_letter(peek())) return;
    std::string name;
    while (is_name(peek()) || (peek() == '\\' && peek(2) == '\n')) {
      if (is_name(peek()))
        name += peek();
      else
        ++at_;
      ++at_;
    }
    if (peek() != ProgramWord::kGap || at_ + 1 >= text_.size()) return;
    lose(fmt::format("the shell would read a longer name than ${0}: write ${{{{{0}}}}}", name));
  }

  void redirection(char c, bool after_value) {
    if (inside_.back() == '+') return;
    if (after_value) {
      --at_;  // the placeholder itself is not to be counted
      while (text_[at_] != ProgramWord::kGap) --at_;
      return lose(fmt::format("a number right before {0} tells the shell which file is meant: put a blank before the {0}", c));
    }
    if (c != '<' || peek() != '<') return;
    ++at_;
    if (peek() == '<')
      ++at_;  // <<< is no document
    else
      document();
  }

  void document() {
    if (peek() == '-') ++at_;
    while (peek() == ' ' || peek() == '\t') ++at_;
    Document found;
    for (; std::string_view(" \t\n;&|<>()").find(peek()) == std::string_view::npos; ++at_) {
      if (std::string_view("'\"\\").find(peek()) != std::string_view::npos)
        found.quoted = true;
      else
        found.end += peek();
    }
    if (!found.end.empty() && !(found.end[0] >= '0' && found.end[0] <= '9')) documents_.push_back(found);
  }

  // The texts behind a line with <<: at_ is at its end, and then at the end of the last text.
  void documents() {
    for (const Document& document : std::exchange(documents_, {})) {
      while (at_ + 1 < text_.size() && !lost_) {
        const std::size_t end = std::min(text_.find('\n', at_ + 1), text_.size());
        std::string_view line = std::string_view(text_).substr(at_ + 1, end - at_ - 1);
        line.remove_prefix(std::min(line.find_first_not_of('\t'), line.size()));
        if (!document.quoted && line != document.end) {
          while (at_ + 1 < end && !lost_) {
            ++at_;
            if (text_[at_] == '\\')
              ++at_;
            else if (text_[at_] == '$' && peek() != '(')
              dollar();
          }
        }
        if (lost_) return;
        at_ = end;
        if (line == document.end) break;
      }
    }
  }

  std::string text_;
  std::size_t at_ = 0;
  std::string inside_ = " ";  // what we are in, the innermost last: ' " ` ( and + for numbers
  bool word_start_ = true, tilde_ = false, after_value_ = false;
  std::vector<Document> documents_;
  std::optional<LostValue> lost_;
};

}  // namespace

bool is_inert(std::string_view value) { return !value.empty() && value.find_first_not_of(kInert) == std::string_view::npos; }

std::vector<ShellCommand> read_shell_line(std::vector<Piece>& pieces) { return ShellLineReader().read(pieces); }

std::optional<LostValue> find_lost_value(const std::vector<Piece>& pieces) { return LostValueFinder(pieces).find(); }

}  // namespace salvo::runner
