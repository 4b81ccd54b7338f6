#include <fcntl.h>
#include <fmt/core.h>
#include <salvo/error.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "text.h"

namespace salvo::app {

int execute(const Common& common, const InitArgs& args) {
  const std::string stem = args.name.ends_with(".toml") ? args.name.substr(0, args.name.size() - 5) : args.name;
  const std::string name = stem.substr(stem.find_last_of('/') + 1);
  if (name.empty()) throw InputError(fmt::format("init: expected a name for the study, got \"{}\"", args.name));
  const std::string path = stem + ".toml", text = study_file_template(name);
  (void)parse_study_file(text, path);  // a name that no study may have is told before there is a file

  if (!args.force) {  // made here or not at all, whatever other processes do meanwhile
    const int fd = ::open(path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (fd < 0 && errno == EEXIST) throw InputError(fmt::format("{} exists; --force overwrites it", path));
    if (fd < 0) throw Error(fmt::format("cannot write {}: {}", path, std::strerror(errno)));
    ::close(fd);
  }
  Output file(path);
  file.write(text);
  file.finish();
  if (common.json) {
    print(JsonObject().add("event", "created").add("file", path).line());
  } else if (!common.quiet) {
    print(fmt::format("Wrote {}. Say in it what may vary and how to evaluate a point, then: salvo run {}\n", path,
                      shell_word(path)));
  }
  return 0;
}

}  // namespace salvo::app
