// salvo._core: Salvo's public C++ API, thinly. What a person sees is the Python package around it.
#include <nanobind/stl/function.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"
#include "options.h"

namespace salvo::python {
namespace {

void bind_problems(nb::module_& m) {
  nb::class_<Problem>(m, "Problem", "A built-in test problem: minimise `value` over `space`.")
      .def_ro("name", &Problem::name)
      .def_ro("space", &Problem::space)
      .def_ro("noise_variance", &Problem::noise_variance)
      .def_ro("optimum", &Problem::optimum)
      .def(
          "value", [](const Problem& p, const nb::object& params) { return p.value(to_params(p.space, params)); },
          nb::arg("params"), "The true value, without noise.")
      .def_prop_ro("outputs", [](const Problem& p) { return from_outputs(p.outputs); })
      .def_ro("hypervolume", &Problem::hypervolume)
      .def(
          "values", [](const Problem& p, const nb::object& params) { return p.values(to_params(p.space, params)); },
          nb::arg("params"), "Of every output.");
  m.def("problem_names", &problem_names);
  m.def(
      "problem", [](const std::string& name) { return problem(name); }, nb::arg("name"));
}

}  // namespace
}  // namespace salvo::python

NB_MODULE(_core, m) {
  using namespace salvo;
  namespace nb = nanobind;
  nb::set_leak_warnings(false);  // objects alive at exit are freed by the process
  m.attr("__version__") = SALVO_VERSION;
  nb::exception<StoreError>(m, "StoreError", PyExc_OSError);
  m.def("set_num_threads", &set_num_threads, nb::arg("num_threads"));
  m.def("num_threads", &num_threads);
  python::bind_space(m);
  python::bind_options(m);
  python::bind_study(m);
  python::bind_run(m);
  python::bind_features(m);
  python::bind_model(m);
  python::bind_pool(m);
  python::bind_theory(m);
  python::bind_problems(m);
}
