#pragma once
#include <salvo/paths.h>

#include "sample/functions.h"

namespace salvo {

// The maximiser of every function, as maximise() of paths (salvo/paths.h) has it.
[[nodiscard]] Matrix maximise(const Functions& functions, const Encoding& space, const Matrix& taken,
                              const MaximiseOptions& options, Key key);

}  // namespace salvo
