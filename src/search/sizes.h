#pragma once
#include <salvo/model_options.h>
#include <salvo/sparse_gp.h>

#include <string>
#include <string_view>

namespace salvo {

inline constexpr int kFewestInducing = 125;  // of an automatic m: up to as many observations the model is exact

struct PointChoice {
  Matrix Z;
  std::string_view stopped{};  // what kept an automatic m from growing; empty: it is large enough
  std::string chain{};         // how far the chain of a k-DPP went
};

// What the model summarises the data by; an automatic m is the first of 125, 250, 500, … for which θ/τ ≤ max_kl at the
// hyperparameters given, within max_inducing and a budget of operations: sizes decide, never the clock.
[[nodiscard]] PointChoice choose_points(const ModelOptions& model, const Hyperparameters& hyper, const Matrix& X, const Vector& y,
                                        Key key);
[[nodiscard]] Eigenfunctions choose_eigenfunctions(const ModelOptions& model, const Hyperparameters& hyper, const Matrix& X);

// θ/τ; of points from a few thousand random rows when there are more.
[[nodiscard]] double kl_bound(const Hyperparameters& hyper, const Matrix& Z, const Matrix& X, const Vector& y, Key key);
[[nodiscard]] double kl_bound(const Eigenfunctions& functions, const Hyperparameters& hyper, const Matrix& X);

// How sizes were found, for people; empty where they were given.
[[nodiscard]] std::string size_words(const ModelOptions& model, const PointChoice& points, double kl);
[[nodiscard]] std::string size_words(const ModelOptions& model, const Eigenfunctions& functions, double kl);

}  // namespace salvo
