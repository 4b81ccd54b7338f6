#pragma once
#include <functional>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

extern const char* const kBenchExamples;
// The options of `salvo bench`; args() is where they go.
void add_bench_options(CLI::App& sub, const std::function<BenchArgs&()>& args);

}  // namespace salvo::app
