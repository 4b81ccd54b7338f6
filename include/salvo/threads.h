#pragma once

namespace salvo {

// Threads that Salvo's own loops use; 0 means one per core this process may run on. Results do not depend on it.
void set_num_threads(int num_threads);
[[nodiscard]] int num_threads();

}  // namespace salvo
