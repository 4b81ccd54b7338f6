#include "assignments.h"

#include <fmt/core.h>
#include <salvo/error.h>

#include <algorithm>

#include "text.h"
#include "text/text.h"

namespace salvo::app {

std::map<std::string, Value> assignments(const std::string& option, const std::vector<std::string>& words, const Space& space) {
  std::map<std::string, Value> out;
  for (const std::string& word : words) {
    const std::size_t equals = word.find('=');
    if (equals == std::string::npos) throw InputError(fmt::format("{}: expected NAME=VALUE, got \"{}\"", option, one_line(word)));
    const std::string name = word.substr(0, equals);
    const int i = space.find(name);
    if (i < 0) {
      std::vector<std::string_view> known;
      for (const Parameter& parameter : space.parameters()) known.push_back(parameter.name);
      throw InputError(fmt::format("{}: no parameter is called \"{}\"{}", option, one_line(name), hint(name, known)));
    }
    if (out.contains(name)) throw InputError(fmt::format("{}: {} is there twice", option, name));
    try {
      out.emplace(name, space.parse(i, word.substr(equals + 1)));
    } catch (const std::invalid_argument& error) {
      const auto follows = [&](const Parameter& parameter) { return word.find("," + parameter.name + "=") != std::string::npos; };
      const bool commas = std::any_of(space.parameters().begin(), space.parameters().end(), follows);
      throw InputError(fmt::format("{}: {}{}", option, error.what(),
                                   commas ? "; put a space between one parameter and the next, no comma" : ""));
    }
  }
  return out;
}

}  // namespace salvo::app
