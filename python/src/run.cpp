#include <nanobind/stl/string.h>

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
      .def("record", &record, nb::arg("study"), nb::arg("outcomes"))
      .def_static("tell", &tell, nb::arg("study"), nb::arg("outcomes"))
      .def("all_failed", &all_failed, nb::arg("nothing_left"));
}

}  // namespace salvo::python
