#include "report.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <string>

namespace salvo::python {
namespace {

Dict from_report(const ModelReport* report) {
  Dict out;
  out["num_observations"] = report->num_observations;
  out["num_inducing"] = report->num_inducing;
  out["kernel"] = report->kernel;
  out["lengthscales"] = from_vector(Eigen::Map<const Vector>(report->lengthscales.data(), std::ssize(report->lengthscales)));
  out["coordinates"] = report->coordinates;
  out["signal_std"] = report->signal_stddev;
  out["noise_std"] = report->noise_stddev;
  out["mean"] = report->mean;
  out["theta_over_tau"] = report->theta_over_tau;
  out["jitter"] = report->jitter;
  out["num_features"] = report->num_features;
  out["alpha"] = report->alpha;
  out["type"] = std::string(to_string(report->type));
  out["fit"] = report->fit.message;
  out["sizes"] = report->sizes;
  out["captured"] = report->captured;
  if (const auto& local = report->local) {
    nb::dict around;
    around["share"] = local->share;
    around["length"] = local->length;
    around["turned"] = local->turned;
    around["noise"] = local->noise;
    out["local"] = around;
  } else {
    out["local"] = nb::none();
  }
  if (const auto& expected = report->prior) {
    nb::dict known;
    known["source"] = expected->from;
    known["num_points"] = expected->num_points;
    known["slope"] = expected->slope;
    known["explained"] = expected->explained;
    out["prior"] = known;
  } else {
    out["prior"] = nb::none();
  }
  if (const auto& failing = report->failing) {
    nb::dict known;
    known["num_failures"] = failing->num_failures;
    known["share"] = failing->share;
    known["anywhere"] = failing->anywhere;
    out["failing"] = known;
  } else {
    out["failing"] = nb::none();
  }
  return out;
}

}  // namespace

nb::object model_report(StudyBox& box) {
  const auto report = box.use([](Study& study) { return study.model_report(); });
  return report ? nb::object(from_report(&*report)) : nb::none();
}

List model_reports(StudyBox& box) {
  List out;
  for (const ModelReport& report : box.use([](Study& study) { return study.model_reports(); })) out.append(from_report(&report));
  return out;
}

}  // namespace salvo::python
