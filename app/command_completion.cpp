#include "arguments.h"
#include "completion/scripts.h"
#include "json.h"
#include "output.h"

namespace salvo::app {

int execute(const Common& common, const CompletionArgs& args) {
  const std::vector<CommandSpec> commands = command_specs();
  const std::string script = args.shell == "bash"  ? bash_completion(commands)
                             : args.shell == "zsh" ? zsh_completion(commands)
                                                   : fish_completion(commands);
  print(common.json ? JsonObject().add("event", "completion").add("shell", args.shell).add("script", script).line() : script);
  return 0;
}

}  // namespace salvo::app
