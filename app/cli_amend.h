#pragma once
#include <functional>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

extern const char *const kAmendExamples, *const kForgetExamples, *const kReviveExamples;
// The options of `salvo amend`, and of `forget` and `revive`, which say what by their name; args() is where they go.
void add_amend_options(CLI::App& sub, const std::function<AmendArgs&()>& args);
void add_forget_options(CLI::App& sub, const std::function<AmendArgs&()>& args);

}  // namespace salvo::app
