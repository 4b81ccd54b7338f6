#pragma once
#include <functional>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

extern const char* const kRunExamples;
// The options of `salvo run`, which `salvo screen` has as well; args() is where they go.
void add_run_options(CLI::App& sub, const std::function<RunArgs&()>& args);

}  // namespace salvo::app
