#pragma once
#include <salvo/paths.h>

#include <vector>

namespace salvo {

// Where the local searches of one path ended.
struct Summits {
  Matrix X;  // [k,d] valid encoded points
  Vector f;  // [k] the path there
};

// For each of the paths `members`: the best of each of k runs of the candidates C starts a search.
[[nodiscard]] std::vector<Summits> find_summits(const Paths& paths, const std::vector<int>& members, const Encoding& space,
                                                const Matrix& C, int k, int max_iterations);

}  // namespace salvo
