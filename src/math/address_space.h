#pragma once

namespace salvo {

// Of the threads wanted, those whose work space fits under the limits on this process's memory (ulimit -v, ulimit -d). OpenBLAS
// maps a large buffer for each thread and, where it gets none, asks again for ever; so this is asked before the first call of
// it. Throws Error with the limit and the need when not even one thread fits.
[[nodiscard]] int threads_that_fit(int wanted);

}  // namespace salvo
