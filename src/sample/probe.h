#pragma once
#include <vector>

#include "sample/functions.h"

namespace salvo {

// Improves the rows of X, row i for function index[i] with the value f(i), by random steps that become ever shorter; continuous
// coordinates alone move. For functions with kinks, of which a gradient says nothing a little way off.
void probe(const Functions& functions, const Encoding& space, const std::vector<int>& index, Matrix& X, Vector& f);

}  // namespace salvo
