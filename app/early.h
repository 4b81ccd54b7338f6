#pragma once

namespace salvo::app {

// Under a limit on memory (ulimit -v, ulimit -d) the program starts itself a second time with one BLAS thread, before OpenBLAS
// is loaded: its own threads, which we never use, each map 128 MiB and wait for ever where they get none. This takes the
// setting back, so that the commands we start decide for themselves.
void forget_early_settings();

}  // namespace salvo::app
