#pragma once
#include <vector>

#include "sample/functions.h"

namespace salvo {

// Where the local searches of one function ended.
struct Summits {
  Matrix X;  // [k,d] valid encoded points
  Vector f;  // [k] the function there
};

// For each of the functions `members`: the best of each of k runs of the candidates C starts a search.
[[nodiscard]] std::vector<Summits> find_summits(const Functions& functions, const std::vector<int>& members,
                                                const Encoding& space, const Matrix& C, int k, int max_iterations);

}  // namespace salvo
