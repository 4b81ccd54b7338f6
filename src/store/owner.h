#pragma once
#include <string>
#include <string_view>

namespace salvo {

// True only when it is certain: the owner ran on this host and is gone. Of other hosts nothing is known, so their
// trials stay theirs until a user abandons them. Text that is not an owner's is nobody's, and nobody does not die.
[[nodiscard]] bool is_dead(std::string_view owner);

}  // namespace salvo
