#pragma once

namespace salvo {

// An OpenBLAS that does not know this processor takes its kernels of 2004, far slower than the processor's own: tells it
// which to take. Leaves alone what it did recognise, and what OPENBLAS_CORETYPE says. To be called while no thread is in
// OpenBLAS, as when a program is loaded; true where something was changed.
bool choose_blas_core();

}  // namespace salvo
