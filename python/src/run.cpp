#include <nanobind/stl/optional.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/string_view.h>
#include <salvo/failing.h>
#include <salvo/stopping.h>

#include <utility>

#include "bind.h"
#include "trial.h"

namespace salvo::python {
namespace {

// ([id taken, …], [why refused, …])
Tuple from_recorded(const RunPolicy::Recorded& recorded) {
  List taken, refused;
  for (const Told& told : recorded.taken) taken.append(told.id);
  for (const RunPolicy::Refused& each : recorded.refused) refused.append(each.why);
  return nb::make_tuple(taken, refused);
}

void construct(RunPolicy* policy, StudyBox& box, std::int64_t evaluations, int batch, bool refill, int retries) {
  const RunPolicyOptions options{
      .evaluations = evaluations, .batch = batch, .at_once = batch, .refill = refill, .retries = retries};
  box.use([&](Study& study) { new (policy) RunPolicy(study, options); });
}

Tuple record(RunPolicy& policy, StudyBox& box, const List& list) {
  std::vector<Told> outcomes = to_told(box, list);
  return from_recorded(box.use([&](Study& study) { return policy.record(study, std::move(outcomes)); }));
}

Tuple tell(StudyBox& box, const List& list) {
  std::vector<Told> outcomes = to_told(box, list);
  return from_recorded(box.use([&](Study& study) { return RunPolicy::tell(study, std::move(outcomes)); }));
}

// (how many, the last error, whether they are still pending), or None while there is no reason to give up
nb::object all_failed(const RunPolicy& policy, bool nothing_left) {
  const auto why = policy.all_failed(nothing_left);
  if (!why) return nb::none();
  return nb::make_tuple(why->num_failures, why->last_error, why->held);
}

// (attempts that the machine ended, [trials left pending], the last error, whether it stays broken)
nb::object machine(const RunPolicy& policy) {
  const RunPolicy::MachineFailed& found = policy.machine();
  List left;
  for (const std::int64_t id : found.left) left.append(id);
  return nb::make_tuple(found.num_failures, left, found.last_error, found.broken);
}

// (how many, of how many, the last one's reason) when most have failed lately, else None
nb::object failing(FailureWatch& watch, bool batch_done) {
  const auto news = watch.look(batch_done);
  if (!news) return nb::none();
  return nb::make_tuple(news->failed, news->of, news->reason);
}

void construct_stopping(Stopping* stopping, StudyBox& box, double time, std::optional<double> target, std::int64_t patience,
                        double gain) {
  const Budget budget{.time = time, .target = target, .patience = patience, .gain = gain};
  box.use([&](Study& study) { new (stopping) Stopping(budget, study.options().direction()); });
}

std::optional<std::string> words(const std::optional<WhyStop>& why) { return why ? std::optional(why->words) : std::nullopt; }

}  // namespace

void bind_run(nb::module_& m) {
  nb::class_<RunPolicy>(m, "RunPolicy")
      .def("__init__", &construct, nb::arg("study"), nb::arg("evaluations"), nb::arg("batch"), nb::arg("refill"),
           nb::arg("retries"))
      .def_prop_ro("owner", &RunPolicy::owner)
      .def("close", &RunPolicy::release_owner)
      .def(
          "room",
          [](RunPolicy& policy, StudyBox& box, std::int64_t num_out) {
            return box.use([&](Study& study) { return policy.room(study, num_out); });
          },
          nb::arg("study"), nb::arg("num_out"))
      .def("retry", &RunPolicy::retry, nb::arg("trial"))
      .def("retry_machine", &RunPolicy::retry_machine, nb::arg("trial"), nb::arg("why"))
      .def("machine", &machine)
      .def("record", &record, nb::arg("study"), nb::arg("outcomes"))
      .def_static("tell", &tell, nb::arg("study"), nb::arg("outcomes"))
      .def("all_failed", &all_failed, nb::arg("nothing_left"));
  nb::class_<FailureWatch>(m, "FailureWatch")
      .def(nb::init<bool>(), nb::arg("refill"))
      .def(
          "count",
          [](FailureWatch& watch, const std::optional<std::string>& error) {
            watch.count(error ? Outcome(Failure{*error}) : Outcome(Values{}));
          },
          nb::arg("error").none())
      .def("look", &failing, nb::arg("batch_done"));
  nb::class_<Stopping>(m, "Stopping")
      .def("__init__", &construct_stopping, nb::arg("study"), nb::arg("time"), nb::arg("target").none(), nb::arg("patience"),
           nb::arg("gain"))
      .def(
          "look",
          [](Stopping& stopping, StudyBox& box) { return box.use([&](Study& study) { return words(stopping.look(study)); }); },
          nb::arg("study"))
      .def("clock", [](Stopping& stopping) { return words(stopping.look()); })
      .def("reaches", &Stopping::reaches, nb::arg("value"));
  m.def("seconds_of", &seconds_of, nb::arg("duration"));
}

}  // namespace salvo::python
