#include <fmt/format.h>
#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <salvo/importance.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "bind.h"
#include "options.h"
#include "report.h"
#include "trial.h"

namespace salvo::python {
namespace {

// sds: of each value its standard error, NaN where nobody knows.
std::vector<Values> with_errors(const StudyBox& box, const NumbersIn& values, const std::optional<NumbersIn>& sds) {
  const Vector numbers = to_vector(values), known = sds ? to_vector(*sds) : Vector();
  std::vector<Values> each;
  for (Eigen::Index i = 0; i < numbers.size(); ++i) {
    each.push_back({{numbers(i)}});
    each.back().outputs.resize(box.outputs().size(), std::nan(""));  // of several outputs the first one
    if (i < known.size() && !std::isnan(known(i))) each.back().others[kStandardError] = known(i);
  }
  return each;
}

std::vector<std::int64_t> add(StudyBox& box, const nb::object& points, const NumbersIn& values,
                              const std::optional<NumbersIn>& sds) {
  const std::vector<Params> typed = to_points(box.space(), points);
  const std::vector<Values> each = with_errors(box, values, sds);
  return box.use([&](Study& study) { return study.add(typed, each); });
}

void set_prior(StudyBox& box, const nb::object& points, const NumbersIn& values, const std::string& source,
               const std::optional<NumbersIn>& sds) {
  const std::vector<Params> typed = to_points(box.space(), points);
  const std::vector<Values> each = with_errors(box, values, sds);
  box.use([&](Study& study) { study.set_prior(typed, each, source); });
}

// What else was measured and said stays, unless something is said of it.
void keep_others(const Values& before, Values& now) {
  const bool only_sd = now.others.size() == 1 && standard_error(now);
  const Values told = now;  // a text may become a number, and the other way round
  if (now.others.empty() || only_sd)
    for (const auto& [name, number] : before.others)
      if (!told.said.contains(name)) now.others.emplace(name, number);
  if (now.said.empty())
    for (const auto& [name, text] : before.said)
      if (!told.others.contains(name)) now.said.emplace(name, text);
}

// (at, source, num_trials) or none
nb::object prior(StudyBox& box) {
  const auto kept = box.use([](Study& study) { return study.prior(); });
  if (!kept) return nb::none();
  return nb::make_tuple(kept->at, kept->from, kept->num_trials);
}

// (trial, mean, stddev, feasible, allowed, {name: (mean, stddev)})
Tuple from_recommendation(const StudyBox& box, const Recommendation& found) {
  nb::dict outputs;
  for (std::size_t i = 0; i < std::min(found.outputs.size(), box.outputs().size()); ++i)
    outputs[box.outputs()[i].name.c_str()] = nb::make_tuple(found.outputs[i].mean, found.outputs[i].stddev);
  return nb::make_tuple(from_trial(box, found.trial), found.mean, found.stddev, found.feasible, found.allowed, outputs);
}

nb::object recommend(StudyBox& box, const Dict& weights) {
  Weights wanted;
  for (const auto& [name, weight] : weights) wanted[take<std::string>("weights", name)] = take<double>("weights", weight);
  const auto best = box.use([&](Study& study) { return study.recommend(wanted); });
  return best ? nb::object(from_recommendation(box, *best)) : nb::none();
}

// ([recommendation, …], {name: reference}, hypervolume)
Tuple front(StudyBox& box) {
  const Front found = box.use([](Study& study) { return study.front(); });
  List points;
  for (const Recommendation& point : found.points) points.append(from_recommendation(box, point));
  nb::dict reference;
  for (std::size_t i = 0; i < found.reference.size(); ++i) reference[box.outputs()[i].name.c_str()] = found.reference[i];
  return nb::make_tuple(points, reference, found.hypervolume);
}

Tuple predict_points(StudyBox& box, const nb::object& points, int output) {
  const std::vector<Params> typed = to_points(box.space(), points);
  std::vector<Estimate> estimates;
  if (output == 0) {
    estimates = box.use([&](Study& study) { return study.predict(typed); });
  } else {
    for (const std::vector<Estimate>& each : box.use([&](Study& study) { return study.predict_outputs(typed); }))
      estimates.push_back(each.at(static_cast<std::size_t>(output)));
  }
  Vector mean(std::ssize(estimates)), stddev(std::ssize(estimates));
  for (Eigen::Index i = 0; i < mean.size(); ++i) {
    mean[i] = estimates[static_cast<std::size_t>(i)].mean;
    stddev[i] = estimates[static_cast<std::size_t>(i)].stddev;
  }
  return nb::make_tuple(from_vector(std::move(mean)), from_vector(std::move(stddev)));
}

// [(name, (first, stddev), (total, stddev)), …], the largest total first
List importance_of(StudyBox& box, int num_points, int num_paths, std::uint64_t seed, int output) {
  const ImportanceOptions options{.num_points = num_points, .num_paths = num_paths, .seed = seed, .output = output};
  const Importance found = box.use([&](Study& study) { return importance(study, options); });
  List out;
  for (const ParameterImportance& each : found.parameters)
    out.append(nb::make_tuple(each.name, nb::make_tuple(each.first.value, each.first.stddev),
                              nb::make_tuple(each.total.value, each.total.stddev)));
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

std::optional<Pool> copied(const Pool* pool) { return pool ? std::optional(*pool) : std::nullopt; }

// The library speaks of arguments, Python of keywords.
std::invalid_argument in_keywords(const SpaceDiffers& error, const std::string& path) {
  const SpaceReview& review = error.review;
  std::string next = "Give accept_changes=True to change the study, or the space that it has.";
  if (!review.possible()) {
    next = "Say what is not known:";
    for (const Parameter& parameter : review.without_before) next += fmt::format(" before={{\"{}\": …}}", parameter.name);
    for (const Parameter& parameter : review.still_varying) next += fmt::format(" {}=salvo.Fixed(…)", parameter.name);
    next += ".";
  }
  return std::invalid_argument(fmt::format("space: it is not the one of the study in {}:\n  {}\n{} Nothing was changed", path,
                                           fmt::join(in_words(review), "\n  "), next));
}

std::unique_ptr<StudyBox> open_or_create(const Space& space, const Dict& given, const std::string& path, const Pool* pool,
                                         bool accept_changes, const Dict& before) {
  SpaceUpdate update{.accept = accept_changes};
  for (const auto& [name, value] : before) update.before.emplace(nb::cast<std::string>(name), to_value(value));
  std::optional<StudyOptions> stored;
  {
    const LongCall long_call;
    if (store_exists(path)) stored = Study::open(path, copied(pool)).options();
  }
  const StudyOptions options = to_options(given, space, pool, stored);
  const LongCall long_call;
  try {
    return std::make_unique<StudyBox>(Study::open_or_create(options, path, update));
  } catch (const SpaceDiffers& error) {
    throw in_keywords(error, path);
  }
}

// (at, words)
List space_changes(StudyBox& box) {
  List out;
  for (const SpaceChange& change : box.use([](Study& study) { return study.space_changes(); }))
    out.append(nb::make_tuple(change.at, change.words));
  return out;
}

std::unique_ptr<StudyBox> open(const std::string& path, const Pool* pool) {
  const LongCall long_call;
  return std::make_unique<StudyBox>(Study::open(path, copied(pool)));
}

}  // namespace

void bind_study(nb::module_& m) {
  nb::class_<StudyBox>(m, "Study")
      .def_static("open_or_create", &open_or_create, nb::arg("space"), nb::arg("given"), nb::arg("path"),
                  nb::arg("pool") = nb::none(), nb::arg("accept_changes") = false, nb::arg("before") = nb::dict())
      .def("space_changes", &space_changes)
      .def_static("open", &open, nb::arg("path"), nb::arg("pool") = nb::none())
      .def("close", &StudyBox::close)
      .def(
          "ask",
          [](StudyBox& box, int size, const std::string& owner, const Dict& fixed) {
            AskOptions wanted{.size = size, .owner = owner};
            for (const auto& [name, value] : fixed) wanted.fixed.emplace(nb::cast<std::string>(name), to_value(value));
            return from_trials(box, box.use([&](Study& study) { return study.ask(wanted); }));
          },
          nb::arg("size"), nb::arg("owner") = "", nb::arg("fixed") = nb::dict())
      .def(
          "enqueue",
          [](StudyBox& box, const nb::object& points, bool again) {
            const std::vector<Params> typed = to_points(box.space(), points);
            return box.use([&](Study& study) { return study.enqueue(typed, again); });
          },
          nb::arg("points"), nb::arg("again") = false)
      .def(
          "unqueue",
          [](StudyBox& box, const std::vector<std::int64_t>& ids) {
            return box.use([&](Study& study) { return study.unqueue(ids); });
          },
          nb::arg("numbers"))
      .def(
          "annotate",
          [](StudyBox& box, std::int64_t id, const std::string& text) {
            box.use([&](Study& study) { study.annotate(id, text); });
          },
          nb::arg("trial"), nb::arg("text"))
      .def("annotations",
           [](StudyBox& box) {
             List out;
             for (const auto& [id, text] : box.use([](Study& study) { return study.annotations(); }))
               out.append(nb::make_tuple(id, text));
             return out;
           })
      .def(
          "tag",
          [](StudyBox& box, const std::vector<std::int64_t>& ids, const std::vector<std::string>& names, bool carried) {
            Tags tags;
            for (const std::int64_t id : ids) tags[id] = names;
            box.use([&](Study& study) { carried ? study.tag(tags) : study.untag(tags); });
          },
          nb::arg("trials"), nb::arg("names"), nb::arg("carried"))
      .def("tags",
           [](StudyBox& box) {
             List out;
             for (const auto& [id, names] : box.use([](Study& study) { return study.tags(); }))
               out.append(nb::make_tuple(id, names));
             return out;
           })
      .def(
          "tags_of", [](StudyBox& box, std::int64_t id) { return box.use([&](Study& study) { return study.tags(id); }); },
          nb::arg("trial"))
      .def("queue",
           [](StudyBox& box) {
             List out;
             for (const Queued& each : box.use([](Study& study) { return study.queue(); }))
               out.append(nb::make_tuple(each.id, from_params(box.space(), each.params)));
             return out;
           })
      .def(
          "tell",
          [](StudyBox& box, const List& list) {
            const std::vector<Told> outcomes = to_told(box, list);
            box.use([&](Study& study) { study.tell(outcomes); });
          },
          nb::arg("outcomes"))
      .def(
          "amend",
          [](StudyBox& box, const List& list, const std::string& reason, const std::vector<std::int64_t>& without_sd) {
            std::vector<Told> outcomes = to_told(box, list);
            box.use([&](Study& study) {
              std::vector<Correction> corrections;
              for (Told& told : outcomes) {
                auto* now = std::get_if<Values>(&told.outcome);
                const std::optional<Trial> trial = study.trial(told.id);
                const auto* before = trial && trial->outcome ? std::get_if<Values>(&*trial->outcome) : nullptr;
                if (now && before) keep_others(*before, *now);
                if (now && before)
                  for (std::size_t i = 0; i < now->outputs.size(); ++i)  // of several outputs those that are not said
                    if (std::isnan(now->outputs[i]) && box.outputs().size() > 1) now->outputs[i] = before->outputs.at(i);
                if (now && std::find(without_sd.begin(), without_sd.end(), told.id) != without_sd.end())
                  now->others.erase(kStandardError);
                corrections.push_back({told.id, std::move(told.outcome), reason});
              }
              study.amend(corrections);
            });
          },
          nb::arg("outcomes"), nb::arg("reason"), nb::arg("without_sd") = std::vector<std::int64_t>())
      .def(
          "forget",
          [](StudyBox& box, const std::vector<std::int64_t>& ids, const std::string& reason) {
            box.use([&](Study& study) { study.forget(ids, reason); });
          },
          nb::arg("trials"), nb::arg("reason"))
      .def(
          "revive",
          [](StudyBox& box, const std::vector<std::int64_t>& ids, const std::string& reason) {
            box.use([&](Study& study) { study.revive(ids, reason); });
          },
          nb::arg("trials"), nb::arg("reason"))
      .def("amendments",
           [](StudyBox& box) { return from_amendments(box, box.use([](Study& study) { return study.amendments(); })); })
      .def(
          "backup", [](StudyBox& box, const std::string& path) { box.use([&](Study& study) { study.backup(path); }); },
          nb::arg("path"))
      .def("add", &add, nb::arg("points"), nb::arg("values"), nb::arg("sds") = nb::none())
      .def("set_prior", &set_prior, nb::arg("points"), nb::arg("values"), nb::arg("source"), nb::arg("sds") = nb::none())
      .def("remove_prior", [](StudyBox& box) { return box.use([](Study& study) { return study.remove_prior(); }); })
      .def("prior", &prior)
      .def("recommend", &recommend, nb::arg("weights") = nb::dict())
      .def("front", &front)
      .def(
          "add_outcomes",
          [](StudyBox& box, const nb::object& points, const List& values) {
            const std::vector<Params> typed = to_points(box.space(), points);
            const std::vector<Outcome> each = to_outcomes(box, values, "add");
            return box.use([&](Study& study) { return study.add(typed, each); });
          },
          nb::arg("points"), nb::arg("outcomes"))
      .def("observed_best",
           [](StudyBox& box) { return from_trial(box, box.use([](Study& study) { return study.observed_best(); })); })
      .def("predict", &predict_points, nb::arg("points"), nb::arg("output") = 0)
      .def("importance", &importance_of, nb::arg("num_points"), nb::arg("num_paths"), nb::arg("seed"), nb::arg("output") = 0)
      .def("expected_gain", [](StudyBox& box) { return box.use([](Study& study) { return study.expected_gain(); }); })
      .def("model_report", &model_report)
      .def("model_reports", &model_reports)
      .def("options", [](StudyBox& box) { return from_options(box.use([](Study& study) { return study.options(); })); })
      .def("pool", [](StudyBox& box) { return box.use([](Study& study) { return copied(study.options().pool()); }); })
      .def_prop_ro("space", &StudyBox::space, nb::rv_policy::reference_internal)
      .def_prop_ro("outputs", [](const StudyBox& box) { return from_outputs(box.outputs()); })
      .def("path", [](StudyBox& box) { return box.use([](Study& study) { return study.path(); }); })
      .def("counts", &counts)
      .def("trials", [](StudyBox& box) { return from_trials(box, box.use([](Study& study) { return study.trials(); })); })
      .def(
          "trial",
          [](StudyBox& box, std::int64_t id) { return from_trial(box, box.use([&](Study& study) { return study.trial(id); })); },
          nb::arg("id"))
      .def("pending", [](StudyBox& box) { return from_trials(box, box.use([](Study& study) { return study.pending(); })); })
      .def(
          "claim_orphans",
          [](StudyBox& box, const std::string& owner) {
            return from_trials(box, box.use([&](Study& study) { return study.claim_orphans(owner); }));
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
  m.attr("REMARK") = "remark";  // the key of the note about the study, as the command has it
  m.def("methods", [] {         // [(name, summary), …]
    List out;
    for (const MethodInfo& each : methods())
      out.append(nb::make_tuple(std::string(to_string(each.method)), std::string(each.summary)));
    return out;
  });
  m.def("store_exists", &store_exists, nb::arg("url"));
  m.def("owner_of_this_process", &owner_of_this_process);
}

}  // namespace salvo::python
