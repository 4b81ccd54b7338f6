#pragma once
#include <functional>
#include <string>
#include <vector>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

extern const std::vector<std::string> kPoolActions;
extern const char* const kPoolExamples;

// The options of `salvo pool`; `args` is where they put what they read.
void add_pool_options(CLI::App& sub, const std::function<PoolArgs&()>& args);
extern const char* const kScreenExamples;
void add_screen_options(CLI::App& sub, const std::function<ScreenArgs&()>& args);

// What says where the features of a library are: of `salvo pool build` and of `salvo screen`.
void add_library_options(CLI::App& sub, const std::function<PoolBuildOptions&()>& build);

}  // namespace salvo::app
