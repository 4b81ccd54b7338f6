#pragma once
#include <functional>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

// The options of `salvo import`; args() is where they go.
extern const char* const kImportExamples;
void add_import_options(CLI::App& sub, const std::function<ImportArgs&()>& args);

}  // namespace salvo::app
