#pragma once
#include <salvo/space.h>

#include <map>
#include <string>
#include <vector>

namespace salvo::app {

// NAME=VALUE of parameters, as a command line gives them; `option` is where, for the errors: InputError.
[[nodiscard]] std::map<std::string, Value> assignments(const std::string& option, const std::vector<std::string>& words,
                                                       const Space& space);

}  // namespace salvo::app
