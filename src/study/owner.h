#pragma once
#include <string>
#include <string_view>

namespace salvo {

// Who evaluates a trial: "host pid starttime". The start time (of /proc/PID/stat) tells a process from a later one
// that was given the same number.
[[nodiscard]] std::string owner_of_this_process();

// True only when it is certain: the owner ran on this host and is gone. Of other hosts nothing is known, so their
// trials stay theirs until a user abandons them. Text that is not an owner's is nobody's, and nobody does not die.
[[nodiscard]] bool is_dead(std::string_view owner);

}  // namespace salvo
