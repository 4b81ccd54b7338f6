#pragma once
#include "convert.h"

namespace salvo::python {

[[nodiscard]] Kernel to_kernel(const std::string& type, double variance, const NumbersIn& lengthscales);  // checked

void bind_space(nb::module_& module);
void bind_options(nb::module_& module);
void bind_study(nb::module_& module);
void bind_run(nb::module_& module);
void bind_features(nb::module_& module);
void bind_model(nb::module_& module);
void bind_pool(nb::module_& module);
void bind_theory(nb::module_& module);

}  // namespace salvo::python
