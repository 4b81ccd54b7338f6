#pragma once
#include <cstdint>
#include <functional>

namespace salvo {

// Runs body(0) … body(num_tasks − 1) on Salvo's threads and returns when all are done. What a task computes
// must not depend on which thread runs it: then results are the same for any number of threads. The first
// exception is rethrown. Calls from inside a task run on the calling thread.
void parallel_for(std::int64_t num_tasks, const std::function<void(std::int64_t)>& body);

// Splits [0, size) into blocks of at most `block` and runs body(begin, end) for each. The split depends on size alone.
void parallel_blocks(std::int64_t size, std::int64_t block, const std::function<void(std::int64_t, std::int64_t)>& body);

// What a long call does now and then: it runs the check of this thread's Watch, if there is one.
void look_around();

// Cores this process may run on: a container or taskset may allow fewer than the machine has. Starts no threads.
[[nodiscard]] int allowed_cores();

}  // namespace salvo
