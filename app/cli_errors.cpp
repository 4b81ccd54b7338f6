#include "cli_errors.h"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <vector>

#include "nearest.h"

namespace salvo::app {
namespace {

CLI::App& chosen(CLI::App& app) {
  const std::vector<CLI::App*> parsed = app.get_subcommands();
  return parsed.empty() ? app : *parsed.front();
}

std::vector<std::string> command_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::App* sub : app.get_subcommands([](const CLI::App*) { return true; })) names.push_back(sub->get_name());
  return names;
}

std::vector<std::string> option_names(const CLI::App& app) {
  std::vector<std::string> names;
  for (const CLI::Option* option : app.get_options()) {
    for (const std::string& name : option->get_lnames()) names.push_back("--" + name);
  }
  return names;
}

}  // namespace

std::string explain(CLI::App& app, const CLI::ParseError& error) {
  CLI::App& sub = chosen(app);
  const bool top = &sub == &app;
  const std::string where = top ? "" : sub.get_name() + ": ",
                    see = fmt::format("; see salvo {}--help", top ? "" : sub.get_name() + " ");
  const std::vector<std::string> left = app.remaining(true);
  for (const std::string& word : left) {
    if (word.size() < 2 || word[0] != '-') continue;
    const std::string name = word.substr(0, word.find('='));
    return fmt::format("{}unknown option {}{}{}", where, name, suggestion(name, option_names(sub)), see);
  }
  if (top && !left.empty()) return fmt::format("unknown command {}{}{}", left[0], suggestion(left[0], command_names(app)), see);
  if (top && dynamic_cast<const CLI::RequiredError*>(&error))
    return fmt::format("a command is needed: {}{}", fmt::join(command_names(app), ", "), see);
  if (!left.empty()) return fmt::format("{}unexpected argument \"{}\"{}", where, left[0], see);
  return fmt::format("{}{}{}", where, error.what(), see);
}

}  // namespace salvo::app
