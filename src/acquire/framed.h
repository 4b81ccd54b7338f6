#pragma once
#include <salvo/paths.h>

#include "acquire/frame.h"
#include "sample/path_functions.h"

namespace salvo {

// Sample paths of a model in the coordinates of a frame, as functions over the cube. Both must live as long.
class FramedPaths : public Functions {
 public:
  FramedPaths(const Paths& paths, const Frame& frame)
      : Functions(paths.size(), paths.kernel, 1e-6), paths_(paths), frame_(frame) {}

  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const override {
    paths_.evaluate(frame_.inside(X), index, values, gradients);
    if (gradients) *gradients = (*gradients * frame_.to.transpose()).eval();
  }
  [[nodiscard]] Matrix values(const Matrix& X) const override { return paths_.values(frame_.inside(X)); }

 private:
  PathFunctions paths_;
  const Frame& frame_;
};

}  // namespace salvo
