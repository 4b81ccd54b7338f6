#pragma once
#include <functional>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

extern const char* const kWatchExamples;
// The options of `salvo watch`; args() is where they go.
void add_watch_options(CLI::App& sub, const std::function<WatchArgs&()>& args);

}  // namespace salvo::app
