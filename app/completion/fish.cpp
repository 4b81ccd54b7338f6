#include <fmt/format.h>

#include "completion/scripts.h"

namespace salvo::app {
namespace {

std::string quoted(const std::string& help) {
  std::string text = "'";
  for (const char c : help) {
    if (c == '\'' || c == '\\') text += '\\';
    text += c;
  }
  return text + "'";
}

}  // namespace

std::string fish_completion(const std::vector<CommandSpec>& commands) {
  std::string text = "# fish completion for salvo; put it in ~/.config/fish/completions/salvo.fish\n";
  for (const CommandSpec& command : commands) {
    text += fmt::format("complete -c salvo -n __fish_use_subcommand -f -a {} -d {}\n", command.name, quoted(command.help));
  }
  for (const CommandSpec& command : commands) {
    const std::string here = fmt::format("complete -c salvo -n '__fish_seen_subcommand_from {}'", command.name);
    if (!command.words.empty()) text += fmt::format("{} -f -a '{}'\n", here, fmt::join(command.words, " "));
    for (const OptionSpec& option : command.options) {
      const std::string brief = option.short_name.empty() ? "" : " -s " + option.short_name.substr(1);
      const std::string value = !option.takes_value       ? ""
                                : option.takes_file       ? " -r -F"
                                : !option.choices.empty() ? fmt::format(" -x -a '{}'", fmt::join(option.choices, " "))
                                                          : " -x";
      text += fmt::format("{}{} -l {}{} -d {}\n", here, brief, option.long_name.substr(2), value, quoted(option.help));
    }
  }
  return text;
}

}  // namespace salvo::app
