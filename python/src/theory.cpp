#include <salvo/diagnose.h>
#include <salvo/forecast.h>
#include <salvo/plan.h>

#include "bind.h"
#include "study_box.h"

namespace salvo::python {
namespace {

Dict from(const Approximation& a) {
  Dict out;
  out["kappa"] = a.kappa;
  out["a_low"] = a.a_low;
  out["a_high"] = a.a_high;
  out["c"] = a.c;
  out["epsilon"] = a.epsilon;
  out["speaks"] = a.speaks();
  return out;
}

Dict from(const RegretBound& b) {
  Dict out;
  out["alpha"] = b.alpha;
  out["b"] = b.b;
  out["beta"] = b.beta;
  out["exploring"] = b.exploring;
  out["approximating"] = b.approximating;
  out["constant"] = b.constant;
  out["total"] = b.total();
  return out;
}

nb::object from(const std::optional<RegretBound>& bound) { return bound ? nb::object(from(*bound)) : nb::none(); }

Dict from(const GainBound& g) {
  Dict out;
  out["greedy"] = g.greedy;
  out["over_guarantee"] = g.over_guarantee;
  out["spectral"] = g.spectral;
  out["value"] = g.value;
  return out;
}

Dict from(const RulePlan& r) {
  Dict out;
  out["rule"] = r.rule;
  out["m"] = r.m;
  out["M"] = r.M;
  out["more_than_data"] = r.more_than_data;
  out["approximation"] = from(r.approximation);
  out["cost"] = r.cost;
  out["bound"] = from(r.bound);
  out["m_order"] = r.m_order;
  out["M_order"] = r.M_order;
  out["cost_order"] = r.cost_order;
  out["given"] = from(r.given);
  out["m_to_speak"] = r.m_to_speak;
  out["given_bound"] = from(r.given_bound);
  return out;
}

Dict bind_plan(const Dict& d) {
  PlanOptions options;
  const auto read = [&](const char* key, auto& into) {
    if (d.contains(key)) into = take<std::remove_reference_t<decltype(into)>>(key, d[key]);
  };
  if (d.contains("kernel")) options.kernel = parse<KernelType>(take<std::string>("kernel", d["kernel"]));
  read("num_dims", options.num_dims);
  read("steps", options.steps);
  read("batch", options.batch);
  read("noise", options.noise);
  read("lengthscale", options.lengthscale);
  read("norm", options.norm);
  read("subgaussian", options.subgaussian);
  read("delta", options.delta);
  read("epsilon0", options.epsilon0);
  read("kappa", options.kappa);
  read("num_inducing", options.num_inducing);
  read("num_features", options.num_features);
  read("num_candidates", options.num_candidates);
  Plan found;
  {
    const LongCall long_call;
    found = plan(options);
  }
  List rules, notes;
  for (const RulePlan& rule : found.rules) rules.append(from(rule));
  for (const std::string& note : found.notes) notes.append(note);
  Dict out;
  out["num_observations"] = found.num_observations;
  out["gamma_steps"] = from(found.gamma_steps);
  out["gamma_all"] = from(found.gamma_all);
  out["inverse_norm"] = found.inverse_norm;
  out["trivial"] = found.trivial;
  out["rules"] = rules;
  out["notes"] = notes;
  return out;
}

Dict from(const MeasuredQuality& q) {
  Dict out;
  out["a_low"] = q.a_low;
  out["a_high"] = q.a_high;
  out["c"] = q.c;
  out["epsilon"] = q.epsilon;
  return out;
}

Dict bind_diagnose(StudyBox& box, int max_observations, int num_points) {
  const Diagnosis found = box.use([&](Study& study) { return diagnose(study, {max_observations, num_points}); });
  List places, advice;
  for (const Diagnosis::Place& place : found.places) {
    Dict one;
    one["where"] = place.where;
    one["num_points"] = place.num_points;
    one["worst"] = from(place.worst);
    one["usual"] = from(place.usual);
    places.append(one);
  }
  for (const std::string& each : found.advice) advice.append(each);
  Dict out;
  out["trust"] = std::string(to_string(found.trust));
  out["verdict"] = found.verdict;
  out["advice"] = advice;
  out["places"] = places;
  out["num_observations"] = found.num_observations;
  out["num_compared"] = found.num_compared;
  out["type"] = std::string(to_string(found.type));
  out["num_inducing"] = found.num_inducing;
  out["num_features"] = found.num_features;
  out["sizes"] = found.sizes;
  out["theta_over_tau"] = found.theta_over_tau;
  out["promised"] = from(found.promised);
  out["jitter"] = found.jitter;
  out["lost_mean"] = found.lost_mean;
  out["lost_worst"] = found.lost_worst;
  return out;
}

Dict bind_forecast(StudyBox& box, std::int64_t evaluations, double seconds) {
  const StudyOptions options = box.use([](Study& study) { return study.options(); });
  Forecast found;
  {
    const LongCall long_call;
    found = forecast(options, {.evaluations = evaluations, .seconds = seconds});
  }
  Dict out;
  out["evaluations"] = found.evaluations;
  out["batch"] = found.batch;
  out["batches"] = found.batches;
  out["learning"] = found.learning;
  out["choosing"] = found.choosing;
  out["storing"] = found.storing;
  out["storing_one_by_one"] = found.storing_one_by_one;
  out["mean_batch"] = found.mean_batch;
  out["longest_batch"] = found.longest_batch;
  out["num_fits"] = found.num_fits;
  out["memory"] = found.memory;
  out["base_memory"] = found.base_memory;
  out["disk"] = found.disk;
  out["bytes_per_trial"] = found.bytes_per_trial;
  out["num_inducing"] = found.num_inducing;
  out["num_features"] = found.num_features;
  out["theta_over_tau"] = found.theta_over_tau;
  out["whole"] = found.whole();
  out["measuring"] = found.measuring;
  return out;
}

}  // namespace

void bind_theory(nb::module_& m) {
  m.def("plan", &bind_plan, nb::arg("options"));
  m.def("diagnose", &bind_diagnose, nb::arg("study"), nb::arg("max_observations"), nb::arg("num_points"));
  m.def("forecast", &bind_forecast, nb::arg("study"), nb::arg("evaluations"), nb::arg("seconds"));
}

}  // namespace salvo::python
