#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <cmath>
#include <memory>

#include "bind.h"

namespace salvo::python {
namespace {

void require_columns(const char* where, const Matrix& X, Eigen::Index columns) {
  if (X.cols() != columns) throw std::invalid_argument(fmt::format("{}: expected {} columns, got {}", where, columns, X.cols()));
  if (!X.allFinite()) throw std::invalid_argument(fmt::format("{}: expected finite numbers, got NaN or infinity", where));
}

PointsOut bind_gram(const std::string& type, double variance, const NumbersIn& lengthscales, const PointsIn& points,
                    const PointsIn& others) {
  const Kernel k = to_kernel(type, variance, lengthscales);
  const Matrix X = to_matrix(points), Z = to_matrix(others);
  require_columns("Kernel", X, k.lengthscales.size());
  require_columns("Kernel", Z, k.lengthscales.size());
  Matrix K;
  {
    const LongCall long_call;
    K = gram(k, X, Z);
  }
  return from_matrix(std::move(K));
}

PointsOut bind_choose(const std::string& how, const std::string& type, const NumbersIn& lengthscales, const PointsIn& points,
                      const NumbersIn& values, int num_inducing, std::uint64_t seed) {
  const Kernel k = to_kernel(type, 1.0, lengthscales);
  const Inducing selector = parse<Inducing>(how);
  const Matrix X = to_matrix(points);
  const Vector y = to_vector(values);
  Matrix Z;
  {
    const LongCall long_call;
    Z = choose_inducing(selector, k, X, y, num_inducing, Key(seed).fold("inducing"));
  }
  return from_matrix(std::move(Z));
}

FitOptions to_fit_options(const Dict& d) {
  FitOptions out;
  const auto read = [&](const char* key, auto& into) {
    if (d.contains(key)) into = take<std::remove_reference_t<decltype(into)>>(key, d[key]);
  };
  read("max_evaluations", out.max_evaluations);
  read("absolute_tolerance", out.absolute_tolerance);
  read("min_lengthscale", out.min_lengthscale);
  read("max_lengthscale", out.max_lengthscale);
  read("min_variance", out.min_variance);
  read("max_variance", out.max_variance);
  read("min_noise", out.min_noise);
  read("max_noise", out.max_noise);
  read("max_mean", out.max_mean);
  return out;
}

// Learns from the start given: (variance, lengthscales, noise, mean, summary).
Tuple bind_fit(const std::string& type, double variance, const NumbersIn& lengthscales, double noise, double mean,
               const PointsIn& inducing_points, const PointsIn& points, const NumbersIn& values, const Dict& options) {
  Hyperparameters hyper{to_kernel(type, variance, lengthscales), noise, mean};
  const Matrix Z = to_matrix(inducing_points), X = to_matrix(points);
  const Vector y = to_vector(values);
  const FitOptions typed = to_fit_options(options);
  FitSummary summary;
  {
    const LongCall long_call;
    summary = fit(hyper, Z, X, y, typed);
  }
  Dict said;
  said["num_evaluations"] = summary.num_evaluations;
  said["initial_bound"] = summary.initial_bound;
  said["bound"] = summary.bound;
  said["jitter"] = summary.jitter;
  said["message"] = summary.message;
  return nb::make_tuple(hyper.kernel.variance, from_vector(std::move(hyper.kernel.lengthscales)), hyper.noise, hyper.mean, said);
}

// The model given its data; it never changes afterwards, so any number of threads may ask it.
std::unique_ptr<SparseGp> conditioned(const std::string& type, double variance, const NumbersIn& lengthscales, double noise,
                                      double mean, const PointsIn& inducing_points, const PointsIn& points,
                                      const NumbersIn& values) {
  const Hyperparameters hyper{to_kernel(type, variance, lengthscales), noise, mean};
  Matrix Z = to_matrix(inducing_points);
  const Matrix X = to_matrix(points);
  const Vector y = to_vector(values);
  const LongCall long_call;
  auto gp = std::make_unique<SparseGp>(hyper, std::move(Z));
  gp->condition(X, y);
  return gp;
}

Tuple bind_predict(const SparseGp& gp, const PointsIn& points) {
  const Matrix X = to_matrix(points);
  Prediction out;
  {
    const LongCall long_call;
    out = gp.predict(X);
  }
  return nb::make_tuple(from_vector(std::move(out.mean)), from_vector(std::move(out.variance)));
}

NumbersOut bind_predict_mean(const SparseGp& gp, const PointsIn& points) {
  const Matrix X = to_matrix(points);
  Vector mean;
  {
    const LongCall long_call;
    mean = gp.predict_mean(X);
  }
  return from_vector(std::move(mean));
}

std::unique_ptr<Paths> bind_draw(const SparseGp& gp, int num_paths, int num_features, double alpha, const std::string& features,
                                 std::uint64_t seed) {
  const PathOptions options{
      .num_paths = num_paths, .num_features = num_features, .alpha = alpha, .features = parse<FeatureType>(features)};
  const LongCall long_call;
  if (options.features == FeatureType::eigen)
    require_captured("features", eigenfunctions(EigenType::automatic, gp.hyper().kernel, options.num_features), 0.9);
  return std::make_unique<Paths>(draw_paths(gp, options, Key(seed).fold("paths")));
}

PointsOut bind_values(const Paths& paths, const PointsIn& points) {
  const Matrix X = to_matrix(points);
  require_columns("Paths.value", X, paths.Z.cols());
  Matrix out;
  {
    const LongCall long_call;
    out = paths.values(X);
  }
  return from_matrix(std::move(out));
}

// Path index[k] at row k: values [K] and gradients [K,d].
Tuple bind_evaluate(const Paths& paths, const PointsIn& points, const std::vector<int>& index) {
  const Matrix X = to_matrix(points);
  require_columns("Path", X, paths.Z.cols());
  if (index.size() != static_cast<std::size_t>(X.rows()))
    throw std::invalid_argument(fmt::format("Path: expected one path for each of {} rows, got {}", X.rows(), index.size()));
  for (const int i : index)
    if (i < 0 || i >= paths.size())
      throw nb::index_error(fmt::format("Path: there are {} paths, got number {}", paths.size(), i).c_str());
  Vector values;
  Matrix gradients;
  {
    const LongCall long_call;
    paths.evaluate(X, index, values, &gradients);
  }
  return nb::make_tuple(from_vector(std::move(values)), from_matrix(std::move(gradients)));
}

// The same functions of u, where x = low + width·u.
Paths over_unit_box(Paths paths, const Vector& low, const Vector& width) {
  if (paths.W.rows() > 0) {
    paths.b += paths.W * low;
    paths.W.array().rowwise() *= width.transpose().array();
  }
  if (Eigenfunctions& eigen = paths.eigen; eigen.size() > 0) {
    eigen.centre = (eigen.centre - low).cwiseQuotient(width);
    eigen.width.array() /= width.array();
    eigen.kernel.lengthscales.array() /= width.array();
    if (eigen.type == EigenType::box) eigen.scale /= std::sqrt(width.prod());  // its functions are of norm 1 over the box
  }
  paths.Z = (paths.Z.rowwise() - low.transpose()).array().rowwise() / width.transpose().array();
  paths.kernel.lengthscales.array() /= width.array();
  return paths;
}

PointsOut bind_maximise(const Paths& paths, const Space& over, const PointsIn& taken_points, const NumbersIn& low,
                        const NumbersIn& width, const std::vector<int>& index, int num_candidates, int num_starts,
                        int max_iterations, std::uint64_t seed) {
  const Vector from = to_vector(low), scale = to_vector(width);
  if (from.size() != paths.Z.cols() || scale.size() != paths.Z.cols())
    throw std::invalid_argument(
        fmt::format("maximize: expected bounds for {} inputs, got {} and {}", paths.Z.cols(), from.size(), scale.size()));
  const Encoding space(over);
  const Matrix taken = to_matrix(taken_points);
  if (taken.rows() > 0) require_columns("maximize", taken, space.num_dims());
  for (const int i : index)
    if (i < 0 || i >= paths.size())
      throw nb::index_error(fmt::format("Path: there are {} paths, got number {}", paths.size(), i).c_str());
  Matrix best;
  {
    const LongCall long_call;
    Paths chosen = over_unit_box(paths, from, scale);
    if (!index.empty()) {
      chosen.w = Matrix(paths.w(index, Eigen::all));
      chosen.e = Matrix(paths.e(index, Eigen::all));
      chosen.v = Matrix(paths.v(index, Eigen::all));
    }
    best = maximise(chosen, space, taken, {num_candidates, num_starts, max_iterations}, Key(seed).fold("maximise"));
  }
  return from_matrix(std::move(best));
}

}  // namespace

Kernel to_kernel(const std::string& type, double variance, const NumbersIn& lengthscales) {
  Kernel out{.type = parse<KernelType>(type), .variance = variance, .lengthscales = to_vector(lengthscales)};
  out.validate();
  return out;
}

void bind_model(nb::module_& m) {
  m.def("gram", &bind_gram, nb::arg("type"), nb::arg("variance"), nb::arg("lengthscales"), nb::arg("X"), nb::arg("Z"));
  m.def("choose_inducing", &bind_choose, nb::arg("how"), nb::arg("type"), nb::arg("lengthscales"), nb::arg("X"), nb::arg("y"),
        nb::arg("num_inducing"), nb::arg("seed"));
  m.def("fit", &bind_fit, nb::arg("type"), nb::arg("variance"), nb::arg("lengthscales"), nb::arg("noise"), nb::arg("mean"),
        nb::arg("Z"), nb::arg("X"), nb::arg("y"), nb::arg("options"));
  m.def("condition", &conditioned, nb::arg("type"), nb::arg("variance"), nb::arg("lengthscales"), nb::arg("noise"),
        nb::arg("mean"), nb::arg("Z"), nb::arg("X"), nb::arg("y"));

  nb::class_<SparseGp>(m, "SparseGp")
      .def("predict", &bind_predict, nb::arg("X"))
      .def("predict_mean", &bind_predict_mean, nb::arg("X"))
      .def("draw_paths", &bind_draw, nb::arg("num_paths"), nb::arg("num_features"), nb::arg("alpha"), nb::arg("features"),
           nb::arg("seed"))
      .def_prop_ro("bound", &SparseGp::bound)
      .def_prop_ro("theta", &SparseGp::theta)
      .def_prop_ro("jitter", &SparseGp::jitter)
      .def_prop_ro("num_observations", &SparseGp::num_observations);
  nb::class_<Paths>(m, "Paths")
      .def_prop_ro("size", &Paths::size)
      .def_prop_ro("num_inputs", [](const Paths& paths) { return paths.Z.cols(); })
      .def_prop_ro("everywhere", [](const Paths& paths) { return paths.eigen.size() == 0; })
      .def("values", &bind_values, nb::arg("X"))
      .def("evaluate", &bind_evaluate, nb::arg("X"), nb::arg("index"))
      .def("maximise", &bind_maximise, nb::arg("space"), nb::arg("taken"), nb::arg("low"), nb::arg("width"), nb::arg("index"),
           nb::arg("num_candidates"), nb::arg("num_starts"), nb::arg("max_iterations"), nb::arg("seed"));
}

}  // namespace salvo::python
