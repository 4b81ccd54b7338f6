#pragma once
#include "convert.h"

namespace salvo::python {

void bind_space(nb::module_& module);
void bind_study(nb::module_& module);
void bind_model(nb::module_& module);
void bind_pool(nb::module_& module);
void bind_theory(nb::module_& module);

}  // namespace salvo::python
