#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>

#include <memory>

#include "bind.h"
#include "study_box.h"

namespace salvo::python {
namespace {

Direction direction(std::string_view name) {
  if (name == "minimize") return Direction::minimize;
  if (name == "maximize") return Direction::maximize;
  throw std::invalid_argument(fmt::format("direction: expected \"minimize\" or \"maximize\", got \"{}\"", name));
}

Initial initial(std::string_view name) {
  if (name == "sobol") return Initial::sobol;
  if (name == "uniform") return Initial::uniform;
  throw std::invalid_argument(fmt::format("initial: expected \"sobol\" or \"uniform\", got \"{}\"", name));
}

// One of an enumeration's values by its name.
template <class Enum, std::size_t size>
Enum named(const char* what, const Enum (&all)[size], const std::string& name) {
  std::string known;
  for (const Enum each : all) {
    if (to_string(each) == name) return each;
    known += fmt::format("{}\"{}\"", known.empty() ? "" : ", ", to_string(each));
  }
  throw std::invalid_argument(fmt::format("{}: expected one of {}; got \"{}\"", what, known, name));
}

template <class T>
T get(const Dict& dict, const char* key) {
  if (!dict.contains(key)) throw std::invalid_argument(fmt::format("Study: the option \"{}\" is missing", key));
  return take<T>(key, dict[key]);
}

StudyOptions to_options(const Space& space, const Dict& d) {
  const auto m = get<nb::dict>(d, "model");
  return {.name = get<std::string>(d, "name"),
          .space = space,
          .direction = direction(get<std::string>(d, "direction")),
          .seed = get<std::uint64_t>(d, "seed"),
          .batch = get<int>(d, "batch"),
          .num_initial = get<int>(d, "num_initial"),
          .initial = initial(get<std::string>(d, "initial")),
          .method = method(get<std::string>(d, "method")),
          .model = {.type = named("model.type", kModelTypes, get<std::string>(m, "type")),
                    .kernel = kernel_choice(get<std::string>(m, "kernel")),
                    .fit = named("model.fit", kFitMethods, get<std::string>(m, "fit")),
                    .minibatch = get<int>(m, "minibatch"),
                    .num_inducing = get<int>(m, "num_inducing"),
                    .exact_until = get<int>(m, "exact_until"),
                    .max_kl = get<double>(m, "max_kl"),
                    .max_inducing = get<int>(m, "max_inducing"),
                    .num_features = get<int>(m, "num_features"),
                    .max_variance_error = get<double>(m, "max_variance_error"),
                    .max_features = get<int>(m, "max_features"),
                    .inducing = inducing(get<std::string>(m, "inducing")),
                    .kdpp_steps = get<int>(m, "kdpp_steps"),
                    .features = feature_type(get<std::string>(m, "features")),
                    .eigenfunctions = eigen_type(get<std::string>(m, "eigenfunctions")),
                    .alpha = m["alpha"].is_none() ? std::nullopt : std::optional(get<double>(m, "alpha")),
                    .alpha_rule = get<bool>(m, "alpha_by_theory") ? AlphaRule::theory : AlphaRule::constant,
                    .rkhs_norm = get<double>(m, "rkhs_norm"),
                    .noise_bound = get<double>(m, "noise_bound"),
                    .max_lengthscale = get<double>(m, "max_lengthscale"),
                    .refit_growth = get<double>(m, "refit_growth"),
                    .num_starts = get<int>(m, "num_starts"),
                    .num_candidates = get<int>(m, "num_candidates"),
                    .max_share = get<double>(m, "max_share"),
                    .near_share = get<double>(m, "near_share"),
                    .scout_share = get<double>(m, "scout_share"),
                    .max_grid_gib = get<double>(m, "max_grid_gib")}};
}

Dict from_options(const StudyOptions& options) {
  const ModelOptions& m = options.model;
  Dict model, out;
  const auto size = [](int given) { return given == 0 ? nb::object(nb::str("auto")) : nb::object(nb::int_(given)); };
  model["kernel"] = std::string(kernel_choice(m.kernel));
  model["type"] = std::string(to_string(m.type));
  model["fit"] = std::string(to_string(m.fit));
  model["num_inducing"] = size(m.num_inducing);
  model["max_kl"] = m.max_kl;
  model["max_inducing"] = m.max_inducing;
  model["num_features"] = size(m.num_features);
  model["max_variance_error"] = m.max_variance_error;
  model["max_features"] = m.max_features;
  model["minibatch"] = m.minibatch;
  model["kdpp_steps"] = m.kdpp_steps;
  model["max_grid_gib"] = m.max_grid_gib;
  model["inducing"] = std::string(to_string(m.inducing));
  model["features"] = std::string(to_string(m.features));
  model["eigenfunctions"] = std::string(to_string(m.eigenfunctions));
  if (m.alpha_rule == AlphaRule::theory)
    model["alpha"] = "theory";
  else
    model["alpha"] = m.alpha ? nb::object(nb::float_(*m.alpha)) : nb::object(nb::str("auto"));
  model["rkhs_norm"] = m.rkhs_norm;
  model["noise_bound"] = m.noise_bound;
  model["max_lengthscale"] = m.max_lengthscale;
  model["refit_growth"] = m.refit_growth;
  model["num_starts"] = m.num_starts;
  model["num_candidates"] = m.num_candidates;
  model["max_share"] = m.max_share;
  model["near_share"] = m.near_share;
  model["scout_share"] = m.scout_share;
  model["exact_until"] = m.exact_until;
  out["name"] = options.name;
  out["direction"] = std::string(to_string(options.direction));
  out["seed"] = options.seed;
  out["batch"] = options.batch;
  out["num_initial"] = options.num_initial;
  out["initial"] = std::string(to_string(options.initial));
  out["method"] = std::string(to_string(options.method));
  out["model"] = model;
  if (options.pool) out["pool_model"] = from_pool_options(options.pool_model);
  return out;
}

// (id, params, state, origin, value, error, asked_at, told_at)
Tuple from_trial(const Space& space, const Trial& t) {
  const auto text = [](std::string_view view) { return nb::str(view.data(), view.size()); };
  return nb::make_tuple(t.id, from_params(space, t.params), text(to_string(t.state)), text(to_string(t.origin)), t.value, t.error,
                        t.asked_at, t.told_at);
}

List from_trials(const Space& space, const std::vector<Trial>& trials) {
  List out;
  for (const Trial& trial : trials) out.append(from_trial(space, trial));
  return out;
}

nb::object from_trial(const Space& space, const std::optional<Trial>& trial) {
  return trial ? nb::object(from_trial(space, *trial)) : nb::none();
}

std::vector<std::int64_t> add(StudyBox& box, const nb::object& points, const NumbersIn& values) {
  const std::vector<Params> typed = to_points(box.space(), points);
  const Vector numbers = to_vector(values);
  return box.use([&](Study& study) { return study.add(typed, {numbers.data(), static_cast<std::size_t>(numbers.size())}); });
}

nb::object recommend(StudyBox& box) {
  const auto best = box.use([](Study& study) { return study.recommend(); });
  if (!best) return nb::none();
  return nb::make_tuple(from_trial(box.space(), best->trial), best->mean, best->stddev);
}

Tuple predict(StudyBox& box, const nb::object& points) {
  const std::vector<Params> typed = to_points(box.space(), points);
  Prediction prediction = box.use([&](Study& study) { return study.predict(typed); });
  return nb::make_tuple(from_vector(std::move(prediction.mean)), from_vector(std::move(prediction.variance)));
}

nb::object model_report(StudyBox& box) {
  auto report = box.use([](Study& study) { return study.model_report(); });
  if (!report) return nb::none();
  Dict out;
  out["num_observations"] = report->num_observations;
  out["num_inducing"] = report->num_inducing;
  out["kernel"] = report->kernel;
  out["lengthscales"] = from_vector(std::move(report->lengthscales));
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
  return out;
}

Dict seconds(StudyBox& box) {
  const Seconds spent = box.use([](Study& study) { return study.seconds(); });
  Dict out;
  out["fit"] = spent.fit;
  out["draw"] = spent.draw;
  out["maximise"] = spent.maximise;
  out["store"] = spent.store;
  return out;
}

Tuple counts(StudyBox& box) {
  const Counts c = box.use([](Study& study) { return study.counts(); });
  return nb::make_tuple(c.pending, c.done, c.failed, c.abandoned);
}

std::unique_ptr<StudyBox> open_or_create(const Space& space, const Dict& options, const std::string& path, const Pool* pool) {
  StudyOptions typed = to_options(pool ? Space() : space, options);
  if (pool) {
    typed.pool = *pool;
    typed.pool_model = to_pool_options(get<nb::dict>(options, "pool_model"));
  }
  const LongCall long_call;
  return std::make_unique<StudyBox>(Study::open_or_create(typed, path));
}

std::unique_ptr<StudyBox> open(const std::string& path, const Pool* pool) {
  const LongCall long_call;
  return std::make_unique<StudyBox>(Study::open(path, pool ? std::optional(*pool) : std::nullopt));
}

}  // namespace

std::vector<Outcome> to_outcomes(const List& list) {
  std::vector<Outcome> outcomes;
  for (const nb::handle item : list) {
    const Tuple outcome = take_tuple("tell", item, 4);
    outcomes.push_back({.id = take<std::int64_t>("tell: trial", outcome[0]),
                        .value = take<std::optional<double>>("tell: value", outcome[1]),
                        .error = take<std::string>("tell: error", outcome[2]),
                        .abandoned = take<bool>("tell: abandoned", outcome[3])});
  }
  return outcomes;
}

void bind_study(nb::module_& m) {
  nb::class_<StudyBox>(m, "Study")
      .def_static("open_or_create", &open_or_create, nb::arg("space"), nb::arg("options"), nb::arg("path"),
                  nb::arg("pool") = nb::none())
      .def_static("open", &open, nb::arg("path"), nb::arg("pool") = nb::none())
      .def("close", &StudyBox::close)
      .def(
          "ask",
          [](StudyBox& box, int size, const std::string& owner) {
            return from_trials(box.space(), box.use([&](Study& study) { return study.ask(size, owner); }));
          },
          nb::arg("size"), nb::arg("owner") = "")
      .def(
          "tell",
          [](StudyBox& box, const List& list) {
            const std::vector<Outcome> outcomes = to_outcomes(list);
            box.use([&](Study& study) { study.tell(outcomes); });
          },
          nb::arg("outcomes"))
      .def("add", &add, nb::arg("points"), nb::arg("values"))
      .def("recommend", &recommend)
      .def("observed_best",
           [](StudyBox& box) { return from_trial(box.space(), box.use([](Study& study) { return study.observed_best(); })); })
      .def("predict", &predict, nb::arg("points"))
      .def("model_report", &model_report)
      .def("options", [](StudyBox& box) { return from_options(box.use([](Study& study) { return study.options(); })); })
      .def("pool", [](StudyBox& box) { return box.use([](Study& study) { return study.options().pool; }); })
      .def_prop_ro("space", &StudyBox::space, nb::rv_policy::reference_internal)
      .def("path", [](StudyBox& box) { return box.use([](Study& study) { return study.path(); }); })
      .def("counts", &counts)
      .def("trials", [](StudyBox& box) { return from_trials(box.space(), box.use([](Study& study) { return study.trials(); })); })
      .def(
          "trial",
          [](StudyBox& box, std::int64_t id) {
            return from_trial(box.space(), box.use([&](Study& study) { return study.trial(id); }));
          },
          nb::arg("id"))
      .def("pending",
           [](StudyBox& box) { return from_trials(box.space(), box.use([](Study& study) { return study.pending(); })); })
      .def(
          "claim_orphans",
          [](StudyBox& box, const std::string& owner) {
            return from_trials(box.space(), box.use([&](Study& study) { return study.claim_orphans(owner); }));
          },
          nb::arg("owner"))
      .def("seconds", &seconds)
      .def(
          "set_note",
          [](StudyBox& box, const std::string& key, const std::string& value) {
            box.use([&](Study& study) { study.set_note(key, value); });
          },
          nb::arg("key"), nb::arg("value"))
      .def(
          "note", [](StudyBox& box, const std::string& key) { return box.use([&](Study& study) { return study.note(key); }); },
          nb::arg("key"));
  m.def("methods", [] {  // [(name, summary), …]
    List out;
    for (const MethodInfo& each : methods()) out.append(nb::make_tuple(std::string(each.name), std::string(each.summary)));
    return out;
  });
  m.def("owner_of_this_process", &owner_of_this_process);
}

}  // namespace salvo::python
