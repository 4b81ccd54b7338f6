#pragma once
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <string>

namespace salvo::experiments {

// A file for runs that is gone in the end; `salvo bench` is the form that keeps them.
struct Scratch {
  std::string path = (std::filesystem::temp_directory_path() / "experiment-XXXXXX").string();
  Scratch() { close(mkstemp(path.data())); }
  ~Scratch() { unlink(path.c_str()); }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
};

}  // namespace salvo::experiments
