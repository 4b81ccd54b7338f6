#pragma once
#include <salvo/sparse_gp.h>
#include <salvo/study.h>

namespace salvo {

// The model itself with the data it has, in the model's units: the encoded unit cube, and y = (sign · value − centre)/scale
// (values far below all the first ones count as less far; where the values are squeezed, those worse than the median do not
// obey this).
struct FittedModel {
  SparseGp gp;
  Matrix X;  // [n,d]
  Vector y;  // [n]
  double sign = 1, centre = 0, scale = 1;
  int num_features = 0;  // M of its paths
};

}  // namespace salvo
