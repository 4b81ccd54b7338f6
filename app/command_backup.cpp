#include <fmt/format.h>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "source.h"
#include "text.h"

namespace salvo::app {

int execute(const Common& common, const BackupArgs& args) {
  check_output(common, args.output, "FILE");
  Source source = open_to_look(common);
  source.study.backup(args.output);
  const std::int64_t trials = Study::open(args.output).counts().total();  // what was written can be read
  if (common.json)
    print(JsonObject().add("event", "backup").add("file", args.output).add("trials", trials).line());
  else if (!common.quiet)
    print(fmt::format("{} in {}: a study of its own, salvo status {}\n", plural(trials, "trial"), args.output,
                      shell_word(args.output)));
  return 0;
}

}  // namespace salvo::app
