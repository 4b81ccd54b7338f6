#pragma once
#include <chrono>
#include <memory>
#include <string>

#include "store/store.h"

namespace salvo {

// How long others wait for an ask that does not end, before they go on without its turn.
inline constexpr std::chrono::milliseconds kPatience = std::chrono::minutes(5);

// A turn in the queue of a study's file. The queue is a file beside it (-turn), there only while somebody asks. Each asker
// locks a byte of its own, its number in the queue, and waits until none before it is locked: first come, first served, and the
// kernel takes the dead out of the queue. Nothing when the place does not allow locks or files: then nobody waits.
[[nodiscard]] std::unique_ptr<Turn> take_file_turn(const std::string& study, std::chrono::milliseconds patience = kPatience);

}  // namespace salvo
