#pragma once
#include <string>

namespace salvo::test {

// The message of the exception that f throws.
template <class Exception, class F>
[[nodiscard]] std::string message(F f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

}  // namespace salvo::test
