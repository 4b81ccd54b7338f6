#include "arguments.h"
#include "completion/scripts.h"
#include "output.h"

namespace salvo::app {

int execute(const Common&, const CompletionArgs& args) {
  const std::vector<CommandSpec> commands = command_specs();
  print(args.shell == "bash"  ? bash_completion(commands)
        : args.shell == "zsh" ? zsh_completion(commands)
                              : fish_completion(commands));
  return 0;
}

}  // namespace salvo::app
