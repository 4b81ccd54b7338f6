#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <salvo/fourier.h>

#include "bind.h"

namespace salvo::python {
namespace {

template <class Features>
PointsOut evaluated(const Features& features, Eigen::Index num_inputs, const PointsIn& points) {
  const Matrix X = to_matrix(points);
  if (X.cols() != num_inputs)
    throw std::invalid_argument(fmt::format("Features: expected {} columns, got {}", num_inputs, X.cols()));
  Matrix out;
  {
    const LongCall long_call;
    out = features.features(X);
  }
  return from_matrix(std::move(out));
}

FourierFeatures fourier(const std::string& type, double variance, const NumbersIn& lengthscales, int num_features,
                        const std::string& how, std::uint64_t seed) {
  const Kernel k = to_kernel(type, variance, lengthscales);
  const FeatureType chosen = parse<FeatureType>(how);
  const LongCall long_call;
  return fourier_features(k, num_features, Key(seed).fold("features"), chosen);
}

Eigenfunctions eigen(const std::string& type, double variance, const NumbersIn& lengthscales, int num_features) {
  const Kernel k = to_kernel(type, variance, lengthscales);
  const LongCall long_call;
  return eigenfunctions(EigenType::automatic, k, num_features);
}

}  // namespace

void bind_features(nb::module_& m) {
  nb::class_<FourierFeatures>(m, "FourierFeatures")
      .def(
          "features", [](const FourierFeatures& f, const PointsIn& X) { return evaluated(f, f.W.cols(), X); }, nb::arg("X"))
      .def("frequencies", [](const FourierFeatures& f) { return from_matrix(Matrix(f.W)); })
      .def("phases", [](const FourierFeatures& f) { return from_vector(Vector(f.b)); });
  nb::class_<Eigenfunctions>(m, "Eigenfunctions")
      .def(
          "features", [](const Eigenfunctions& f, const PointsIn& X) { return evaluated(f, f.num_dims(), X); }, nb::arg("X"))
      .def_prop_ro("captured", &Eigenfunctions::captured);
  m.def("fourier_features", &fourier, nb::arg("type"), nb::arg("variance"), nb::arg("lengthscales"), nb::arg("num_features"),
        nb::arg("how"), nb::arg("seed"));
  m.def("eigenfunctions", &eigen, nb::arg("type"), nb::arg("variance"), nb::arg("lengthscales"), nb::arg("num_features"));
}

}  // namespace salvo::python
