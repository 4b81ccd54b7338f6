#pragma once
#include <functional>
#include <string>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

// Options that several commands have.
void add_format(CLI::App& sub, std::function<void(Format)> use);
void add_output(CLI::App& sub, const std::function<void(const std::string&)>& use);

// Of the commands that work: --accept-changes.
void add_value(CLI::App& sub, const char* help, const std::function<void(const std::string&)>& use);  // may be given often
void add_accept_changes(CLI::App& sub, bool& accept);

}  // namespace salvo::app
