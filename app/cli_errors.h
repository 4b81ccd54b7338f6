#pragma once
#include <string>

namespace CLI {
class App;
class ParseError;
}  // namespace CLI

namespace salvo::app {

// What is wrong with a command line, in our words, with the nearest known command or option.
[[nodiscard]] std::string explain(CLI::App& app, const CLI::ParseError& error);

}  // namespace salvo::app
