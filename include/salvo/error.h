#pragma once
#include <stdexcept>
#include <string>

namespace salvo {

// A caller's mistake is a std::invalid_argument that names the argument, what was expected and what came.
// InputError is the same for something a person wrote (a study file, a CSV row): it also names file and line.
struct InputError : std::invalid_argument {
  using std::invalid_argument::invalid_argument;
};

// The world's failure: a disk, a process, another program. The message carries the system's own words.
struct Error : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// The study database: not a study, damaged, from a newer version, read-only, full disk.
struct StoreError : Error {
  using Error::Error;
};

}  // namespace salvo
