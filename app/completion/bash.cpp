#include <fmt/format.h>

#include "completion/scripts.h"

namespace salvo::app {
namespace {

std::string option_words(const CommandSpec& command) {
  std::vector<std::string> words;
  for (const OptionSpec& option : command.options) {
    words.push_back(option.long_name);
    if (!option.short_name.empty()) words.push_back(option.short_name);
  }
  return fmt::format("{}", fmt::join(words, " "));
}

// What may follow an option that takes a value.
std::string value_cases(const CommandSpec& command) {
  std::string text;
  for (const OptionSpec& option : command.options) {
    if (!option.takes_value) continue;
    const std::string names = option.short_name.empty()
                                  ? command.name + ":" + option.long_name
                                  : fmt::format("{0}:{1}|{0}:{2}", command.name, option.long_name, option.short_name);
    const bool half = option.long_name == "--set";  // the value is still to come: no blank after the key
    const std::string answer = option.takes_file ? "$(compgen -f -- \"$word\")"
                               : !option.choices.empty()
                                   ? fmt::format("$(compgen -W \"{}\" -- \"$word\")", fmt::join(option.choices, " "))
                                   : "";
    text +=
        fmt::format("        {}) {}COMPREPLY=({}); return ;;\n", names, half ? "compopt -o nospace 2>/dev/null; " : "", answer);
  }
  return text;
}

}  // namespace

std::string bash_completion(const std::vector<CommandSpec>& commands) {
  std::vector<std::string> names;
  std::string values, options;
  for (const CommandSpec& command : commands) {
    names.push_back(command.name);
    values += value_cases(command);
    const std::string words = fmt::format("{}", fmt::join(command.words, " "));
    options += fmt::format("        {}) options=\"{}\"; words=\"{}\" ;;\n", command.name, option_words(command), words);
  }
  return fmt::format(R"(# bash completion for salvo; load it with: source <(salvo completion bash)
_salvo() {{
    local word="${{COMP_WORDS[COMP_CWORD]}}" before="${{COMP_WORDS[COMP_CWORD-1]}}" command="" options="" words="" i
    for ((i = 1; i < COMP_CWORD; i++)); do
        case "${{COMP_WORDS[i]}}" in
        {}) command="${{COMP_WORDS[i]}}"; break ;;
        esac
    done
    if [[ -z $command ]]; then
        COMPREPLY=($(compgen -W "{} --help --version" -- "$word"))
        return
    fi
    case "$command:$before" in
{}    esac
    case "$command" in
{}    esac
    if [[ $word == -* ]]; then
        COMPREPLY=($(compgen -W "$options" -- "$word"))
    elif [[ -n $words ]]; then
        COMPREPLY=($(compgen -W "$words" -- "$word"))
    else
        compopt -o filenames 2>/dev/null
        COMPREPLY=($(compgen -f -- "$word"))
    fi
}}
complete -F _salvo salvo
)",
                     fmt::join(names, "|"), fmt::join(names, " "), values, options);
}

}  // namespace salvo::app
