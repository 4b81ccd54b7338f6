#pragma once
#include <vector>

#include "run/process.h"

namespace salvo::runner {

// Whether it was the machine that ended a command, by these exit codes; a shell says 128 + n of a child that signal n killed, and
// so are signals named here. A timeout is the command's own.
[[nodiscard]] bool by_machine(const ProcessResult& result, const std::vector<int>& codes);

}  // namespace salvo::runner
