#pragma once
#include <functional>
#include <string>
#include <vector>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

extern const char* const kPlanExamples;
extern const std::vector<std::string> kPlanKernels;
// The options of `salvo plan`; args() is where they go.
void add_plan_options(CLI::App& sub, const std::function<PlanArgs&()>& args);

extern const char* const kDiagnoseExamples;
void add_diagnose_options(CLI::App& sub, const std::function<DiagnoseArgs&()>& args);

}  // namespace salvo::app
