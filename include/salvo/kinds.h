#pragma once
#include <salvo/names.h>

// The kinds of things that options choose among, each with its word.
namespace salvo {

// additive: the mean of one-dimensional kernels, for sums of functions of one input each.
enum class KernelType { se, matern12, matern32, matern52, additive32, additive52 };
template <>
struct Names<KernelType> {
  static constexpr std::string_view what = "kernel";
  static constexpr NameList<KernelType, 6> list{{{KernelType::se, "se"},
                                                 {KernelType::matern12, "matern12"},
                                                 {KernelType::matern32, "matern32"},
                                                 {KernelType::matern52, "matern52"},
                                                 {KernelType::additive32, "additive-matern32"},
                                                 {KernelType::additive52, "additive-matern52"}}};
};

// A mean of kernels of one input each.
[[nodiscard]] inline bool is_additive(KernelType type) {
  return type == KernelType::additive32 || type == KernelType::additive52;
}
// The kernel of all inputs together that is as smooth.
[[nodiscard]] inline KernelType joint(KernelType type) {
  if (type == KernelType::additive32) return KernelType::matern32;
  return type == KernelType::additive52 ? KernelType::matern52 : type;
}
[[nodiscard]] inline KernelType additive(KernelType type) {
  return joint(type) == KernelType::matern32 ? KernelType::additive32 : KernelType::additive52;
}

// Ways to choose inducing points (docs/math.md §4).
enum class Inducing { automatic, coverage, kmeans, greedy, kdpp, uniform, sobol, gradient, quality };
template <>
struct Names<Inducing> {
  static constexpr std::string_view what = "inducing";
  static constexpr NameList<Inducing, 9> list{{{Inducing::automatic, "auto"},
                                               {Inducing::coverage, "coverage"},
                                               {Inducing::kmeans, "kmeans"},
                                               {Inducing::greedy, "greedy"},
                                               {Inducing::kdpp, "kdpp"},
                                               {Inducing::uniform, "uniform"},
                                               {Inducing::sobol, "sobol"},
                                               {Inducing::gradient, "gradient"},
                                               {Inducing::quality, "quality"}}};
};

// Features of the prior, Φ(x)ᵀΦ(x') ≈ k(x,x') (docs/math.md §2): cosines with random frequencies and phases, sine and
// cosine of each random frequency, the same with orthogonal or quasi-random frequencies, eigenfunctions of the kernel.
// automatic, of least error at equal M: quasi-random up to 32 coordinates, orthogonal beyond (experiments features).
enum class FeatureType { automatic, fourier, fourier_pairs, orthogonal, quasi_random, eigen };
template <>
struct Names<FeatureType> {
  static constexpr std::string_view what = "features";
  static constexpr NameList<FeatureType, 6> list{{{FeatureType::automatic, "auto"},
                                                  {FeatureType::fourier, "fourier"},
                                                  {FeatureType::fourier_pairs, "fourier-pairs"},
                                                  {FeatureType::orthogonal, "orthogonal"},
                                                  {FeatureType::quasi_random, "quasi-random"},
                                                  {FeatureType::eigen, "eigen"}}};
};

// box: the Laplacian's eigenfunctions on an extension of the unit box (Hilbert-space form), for every stationary kernel.
// gaussian: Mercer's eigenfunctions under a Gaussian measure (Hermite functions), for the squared exponential alone.
// Arc-cosine kernels have step features instead; they are not functions of this kind.
enum class EigenType { automatic, box, gaussian };
template <>
struct Names<EigenType> {
  static constexpr std::string_view what = "eigenfunctions";
  static constexpr NameList<EigenType, 3> list{
      {{EigenType::automatic, "auto"}, {EigenType::box, "box"}, {EigenType::gaussian, "gaussian"}}};
};

enum class ModelType { inducing_points, inducing_features };
template <>
struct Names<ModelType> {
  static constexpr std::string_view what = "type";
  static constexpr NameList<ModelType, 2> list{
      {{ModelType::inducing_points, "inducing-points"}, {ModelType::inducing_features, "inducing-features"}}};
};

enum class FitMethod { collapsed, stochastic };
template <>
struct Names<FitMethod> {
  static constexpr std::string_view what = "fit";
  static constexpr NameList<FitMethod, 2> list{{{FitMethod::collapsed, "collapsed"}, {FitMethod::stochastic, "stochastic"}}};
};

enum class AlphaRule { constant, theory };
template <>
struct Names<AlphaRule> {
  static constexpr std::string_view what = "alpha_rule";
  static constexpr NameList<AlphaRule, 2> list{{{AlphaRule::constant, "constant"}, {AlphaRule::theory, "theory"}}};
};

// How the model sees the values. squeeze: those worse than the median logarithmically so, for values that span decades.
enum class Transform { automatic, none, squeeze };
template <>
struct Names<Transform> {
  static constexpr std::string_view what = "transform";
  static constexpr NameList<Transform, 3> list{
      {{Transform::automatic, "auto"}, {Transform::none, "none"}, {Transform::squeeze, "squeeze"}}};
};

// What is made of evaluations that failed: the search keeps away from where they were, or goes on as if nothing had been tried.
enum class FailureUse { learn, ignore };
template <>
struct Names<FailureUse> {
  static constexpr std::string_view what = "failures";
  static constexpr NameList<FailureUse, 2> list{{{FailureUse::learn, "learn"}, {FailureUse::ignore, "ignore"}}};
};

enum class Initial { sobol, uniform };
template <>
struct Names<Initial> {
  static constexpr std::string_view what = "initial";
  static constexpr NameList<Initial, 2> list{{{Initial::sobol, "sobol"}, {Initial::uniform, "uniform"}}};
};

enum class PoolKind { bits, numbers };
template <>
struct Names<PoolKind> {
  static constexpr std::string_view what = "kind of a pool";
  static constexpr NameList<PoolKind, 2> list{{{PoolKind::bits, "bits"}, {PoolKind::numbers, "numbers"}}};
};

// Kernels between candidates (docs/math.md §11): the first two over bits, the others over numbers.
enum class PoolKernelType { arccosine, tanimoto, se, matern12, matern32, matern52 };
template <>
struct Names<PoolKernelType> {
  static constexpr std::string_view what = "kernel of a pool";
  static constexpr NameList<PoolKernelType, 6> list{{{PoolKernelType::tanimoto, "tanimoto"},
                                                     {PoolKernelType::arccosine, "arccosine"},
                                                     {PoolKernelType::matern52, "matern52"},
                                                     {PoolKernelType::matern32, "matern32"},
                                                     {PoolKernelType::matern12, "matern12"},
                                                     {PoolKernelType::se, "se"}}};
};
[[nodiscard]] inline PoolKind kind_of(PoolKernelType type) {  // what it is a kernel over
  return type == PoolKernelType::arccosine || type == PoolKernelType::tanimoto ? PoolKind::bits : PoolKind::numbers;
}

// Which of the observed candidates the model keeps as inducing points. uniform: a random subset, the paper's choice here;
// greedy: each next one has the largest variance given those before; leaders: half are the best observed, half uniform.
enum class PoolInducing { uniform, greedy, leaders };
template <>
struct Names<PoolInducing> {
  static constexpr std::string_view what = "inducing of a pool";
  static constexpr NameList<PoolInducing, 3> list{
      {{PoolInducing::uniform, "uniform"}, {PoolInducing::greedy, "greedy"}, {PoolInducing::leaders, "leaders"}}};
};

}  // namespace salvo
