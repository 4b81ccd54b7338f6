#pragma once
#include <salvo/sparse_gp.h>

namespace salvo {

// Shapes and finiteness of what a caller hands to the model; `where` names the function in the message.
void check_hyper(const char* where, const Hyperparameters& hyper, Eigen::Index dims);
void check_data(const char* where, const Matrix& X, const Vector& y, Eigen::Index dims);
// r: the noise of each value over τ; empty: 1 for all.
void check_ratios(const char* where, const Vector& r, Eigen::Index n);
void check_points(const char* where, const char* name, const Matrix& X, Eigen::Index dims);

}  // namespace salvo
