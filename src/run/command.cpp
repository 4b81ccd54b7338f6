#include "run/command.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/objective.h"
#include "run/text.h"

namespace salvo::runner {
namespace {

constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_./:=@%,+-";

bool needs_quotes(std::string_view text) { return text.empty() || text.find_first_not_of(kPlain) != std::string_view::npos; }

std::string escape(std::string_view text, std::string_view special, std::string_view with) {
  std::string out;
  for (const char c : text) {
    if (special.find(c) != std::string_view::npos) out += with;
    out += c;
  }
  return out;
}

// Follows the shell's quotes through the command's own text, to know where a placeholder stands.
struct QuoteScanner {
  char quote = 0;             // 0, ' or "
  bool escaped = false;       // the next character is taken as it is
  bool substitution = false;  // inside "…": a $( or ` has opened, where our quoting would not hold
  char previous = 0;

  void step(char c) {
    const bool was_escaped = std::exchange(escaped, false);
    const char before = std::exchange(previous, was_escaped ? '\0' : c);
    if (was_escaped) return;
    if (quote == '\'') {
      if (c == '\'') quote = 0;
      return;
    }
    if (c == '\\') {
      escaped = true;
    } else if (c == '"') {
      quote = quote == '"' ? 0 : '"';
      substitution = false;
    } else if (c == '\'' && quote == 0) {
      quote = '\'';
    } else if (quote == '"' && (c == '`' || (c == '(' && before == '$'))) {
      substitution = true;
    }
  }
};

std::string known_names(const std::vector<std::string>& names) {
  std::string out = "{trial}";
  for (std::size_t i = 0; i < names.size() && i < 20; ++i) out += fmt::format(", {{{}}}", names[i]);
  return out + (names.size() > 20 ? ", …" : "");
}

[[noreturn]] void bad(const std::string& what) { throw InputError("objective.command: " + what); }

std::string variable_name(std::string_view parameter) {
  std::string out = "SALVO_PARAM_";
  for (const char c : parameter) {
    if (c >= 'a' && c <= 'z')
      out += static_cast<char>(c - 'a' + 'A');
    else
      out += (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ? c : '_';
  }
  return out;
}

void check_place(const QuoteScanner& scanner, const std::string& name) {
  if (scanner.escaped || scanner.previous == '$')
    bad(
        fmt::format("{{{0}}} stands right after a {1}: write {{{0}}} alone for the value, or ${{{{VARIABLE}}}} for a "
                    "variable of the shell's",
                    name, scanner.escaped ? '\\' : '$'));
  if (scanner.quote == '"' && scanner.substitution)
    bad(fmt::format("{{{}}} stands inside \"… $(…) …\", where it cannot be quoted safely; use the environment variable {} there",
                    name, name == "trial" ? "SALVO_TRIAL" : variable_name(name)));
}

nlohmann::json to_json(const Value& value) {
  return std::visit([](const auto& v) { return nlohmann::json(v); }, value);
}

}  // namespace

std::string shell_quote(std::string_view text) {
  if (!needs_quotes(text)) return std::string(text);
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

std::string CommandTemplate::quote(const std::string& value, Place place) {
  if (place == Place::bare) return shell_quote(value);
  if (place == Place::double_quotes) return escape(value, "\\\"$`", "\\");
  std::string out;
  for (const char c : value) c == '\'' ? out += "'\\''" : out += c;
  return out;
}

CommandTemplate::CommandTemplate(std::string_view text, const std::vector<std::string>& names) {
  if (trim(text).empty()) bad("expected a command line, got an empty one");
  if (text.find('\0') != std::string_view::npos) bad("a command line cannot hold a NUL byte");
  QuoteScanner scanner;
  Piece piece;
  const auto add = [&](char c) {
    piece.text += c;
    scanner.step(c);
  };
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if ((c == '{' || c == '}') && i + 1 < text.size() && text[i + 1] == c) {
      add(c);
      ++i;
      continue;
    }
    if (c == '}') bad(fmt::format("a }} at character {} closes nothing; write }}}} for a brace of the shell's", i + 1));
    if (c != '{') {
      add(c);
      continue;
    }
    const std::size_t close = text.find('}', i);
    if (close == std::string_view::npos)
      bad(fmt::format("the {{ at character {} is never closed; write {{{{ for a brace of the shell's", i + 1));
    const std::string name(text.substr(i + 1, close - i - 1));
    const auto found = std::find(names.begin(), names.end(), name);
    if (found == names.end() && name != "trial")
      bad(fmt::format("unknown placeholder {{{}}}: expected one of {}; write {{{{ and }}}} for braces of the shell's",
                      printable(name), known_names(names)));
    check_place(scanner, name);
    piece.name = found != names.end() ? static_cast<int>(found - names.begin()) : kTrialId;
    piece.place = scanner.quote == '"' ? Place::double_quotes : scanner.quote ? Place::single_quotes : Place::bare;
    scanner.previous = 0;
    pieces_.push_back(std::exchange(piece, {}));
    i = close;
  }
  if (!piece.text.empty()) pieces_.push_back(std::move(piece));
}

std::string CommandTemplate::render(std::int64_t trial, const std::vector<std::string>& values) const {
  std::string out;
  for (const Piece& piece : pieces_) {
    out += piece.text;
    if (piece.name == kTrialId)
      out += std::to_string(trial);
    else if (piece.name >= 0)
      out += quote(values[static_cast<std::size_t>(piece.name)], piece.place);
  }
  return out;
}

Evaluation::Evaluation(const ObjectiveOptions& objective, const StudyOptions& study)
    : objective_(objective),
      pool_(study.pool()),
      names_(placeholder_names(study)),
      template_(objective.command, names_),
      seeds_(Key(study.seed).fold("evaluation")) {
  for (const std::string& name : names_) variables_.push_back(variable_name(name));
}

Params Evaluation::values(const Trial& trial) const {
  if (!pool_) return trial.params;
  const std::int64_t row = pool_->find(to_string(trial.params.at(0)));
  Params values = {trial.params[0], trial.params[0]};
  for (std::size_t i = values.size(); i < names_.size(); ++i)
    values.emplace_back(std::string(pool_->text(row, pool_->find_text(names_[i]))));
  return values;
}

Command Evaluation::command(const Trial& trial) const {
  const Params values = this->values(trial);
  std::vector<std::string> texts;
  for (const Value& value : values) texts.push_back(to_string(value));
  Command command{.text = template_.render(trial.id, texts),
                  .directory = objective_.directory,
                  .environment = {},
                  .input = std::nullopt,
                  .timeout = objective_.timeout};
  // 31 bits: every language's generator takes such a seed.
  const std::uint64_t seed = seeds_.fold(static_cast<std::uint64_t>(trial.id)).bits(0) >> 33;
  command.environment = {{"SALVO_TRIAL", std::to_string(trial.id)}, {"SALVO_SEED", std::to_string(seed)}};
  nlohmann::ordered_json params = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < variables_.size(); ++i) {
    command.environment.emplace_back(variables_[i], texts[i]);
    params[names_[i]] = to_json(values[i]);
  }
  if (objective_.input == CommandInput::json) {
    const nlohmann::ordered_json input{{"trial", trial.id}, {"seed", seed}, {"params", std::move(params)}};
    command.input = input.dump(-1, ' ', false, nlohmann::json::error_handler_t::replace) + "\n";
  }
  return command;
}

}  // namespace salvo::runner
