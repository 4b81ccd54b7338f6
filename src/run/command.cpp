#include "run/command.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "config/objective.h"

namespace salvo::runner {
namespace {

std::optional<std::string> wild_one(const std::vector<Value>& choices) {
  for (const Value& choice : choices)
    if (const std::string text = to_string(choice); !is_inert(text)) return text;
  return std::nullopt;
}

std::optional<std::string> wild_value(const Domain& domain) {
  if (const auto* d = std::get_if<Categorical>(&domain)) return wild_one(d->choices);
  if (const auto* d = std::get_if<Ordinal>(&domain)) return wild_one(d->choices);
  if (const auto* d = std::get_if<Fixed>(&domain)) return wild_one({d->value});
  return std::nullopt;  // numbers
}

std::optional<std::string> wild_id(const Pool& pool) {
  for (std::int64_t row = 0; row < pool.size(); ++row) {
    if (!is_inert(pool.id(row))) return std::string(pool.id(row));
    if (pool.num_ids() == pool.size()) continue;
    for (const std::string_view id : pool.all_ids(row))
      if (!is_inert(id)) return std::string(id);
  }
  return std::nullopt;
}

std::optional<std::string> wild_text(const Pool& pool, int column) {
  for (std::int64_t row = 0; row < pool.size(); ++row)
    if (!is_inert(pool.text(row, column))) return std::string(pool.text(row, column));
  return std::nullopt;
}

nlohmann::json to_json(const Value& value) {
  return std::visit([](const auto& v) { return nlohmann::json(v); }, value);
}

std::vector<std::string> variable_names(const std::vector<std::string>& names) {
  std::vector<std::string> out;
  for (const std::string& name : names) out.push_back(variable_name(name));
  return out;
}

}  // namespace

std::string shell_quote(std::string_view text) {
  if (is_inert(text)) return std::string(text);
  std::string out = "'";
  for (const char c : text) c == '\'' ? out += "'\\''" : out += c;
  return out + "'";
}

std::string shown_command(const Command& command) {
  std::string out = command.text;
  for (const std::string& word : command.words) {
    if (!out.empty()) out += ' ';
    out += shell_quote(word);
  }
  return out;
}

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

Evaluation::Evaluation(const ObjectiveOptions& objective, const StudyOptions& study, const std::string& key)
    : objective_(objective),
      pool_(study.pool()),
      names_(placeholder_names(study)),
      variables_(variable_names(names_)),
      template_(objective.command, template_names(study, key)),
      seeds_(Key(study.seed).fold("evaluation")) {}

CommandTemplate::Names Evaluation::template_names(const StudyOptions& study, const std::string& key) const {
  const auto wild = [this, &study](int name) -> std::optional<std::string> {
    const auto i = static_cast<std::size_t>(name);
    if (!pool_) return wild_value(study.space().parameters()[i].domain);
    return name < 2 ? wild_id(*pool_) : wild_text(*pool_, pool_->find_text(names_[i]));
  };
  return {.names = names_, .variables = variables_, .wild = wild, .key = key};
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
  CommandLine filled = template_.render(trial.id, texts);
  Command command{.text = std::move(filled.line),
                  .words = std::move(filled.words),
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
