#include <fmt/format.h>

#include "completion/scripts.h"

namespace salvo::app {
namespace {

// Inside '…[help]…': brackets, colons and quotes have a meaning there.
std::string plain(const std::string& help) {
  std::string text;
  for (const char c : help) {
    if (c == '[' || c == ']' || c == ':' || c == '\\') text += '\\';
    text += c == '\'' ? '`' : c;
  }
  return text;
}

std::string specification(const OptionSpec& option) {
  const std::string value = !option.takes_value       ? ""
                            : option.takes_file       ? ":file:_files"
                            : !option.choices.empty() ? fmt::format(":value:({})", fmt::join(option.choices, " "))
                                                      : ":value: ";
  const std::string help = plain(option.help);
  std::string text = fmt::format("            '{}[{}]{}' \\\n", option.long_name, help, value);
  if (!option.short_name.empty()) text += fmt::format("            '{}[{}]{}' \\\n", option.short_name, help, value);
  return text;
}

}  // namespace

std::string zsh_completion(const std::vector<CommandSpec>& commands) {
  std::string names, cases;
  for (const CommandSpec& command : commands) {
    names += fmt::format("        '{}:{}'\n", command.name, plain(command.help));
    cases += fmt::format("    {})\n        _arguments \\\n", command.name);
    for (const OptionSpec& option : command.options) cases += specification(option);
    cases += command.words.empty() ? "            '*:file:_files' ;;\n"
                                   : fmt::format("            '1:word:({})' ;;\n", fmt::join(command.words, " "));
  }
  return fmt::format(R"(#compdef salvo
# zsh completion for salvo; put it in a folder of $fpath as _salvo
_salvo() {{
    local -a commands
    commands=(
{}    )
    if (( CURRENT == 2 )); then
        _describe 'command' commands
        return
    fi
    local chosen="$words[2]"
    shift words
    (( CURRENT-- ))
    case "$chosen" in
{}    esac
}}
if [[ "$funcstack[1]" == _salvo ]]; then
    _salvo "$@"
else
    compdef _salvo salvo
fi
)",
                     names, cases);
}

}  // namespace salvo::app
