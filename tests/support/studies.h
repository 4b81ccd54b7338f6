#pragma once
#include <salvo/study.h>

#include <vector>

#include "support/options.h"

namespace salvo::test {

[[nodiscard]] double objective(const Params& params);  // a function of the point alone, rough like noise
void tell_all(Study& study, const std::vector<Trial>& trials);
[[nodiscard]] std::vector<Params> points(const std::vector<Trial>& trials);

}  // namespace salvo::test
