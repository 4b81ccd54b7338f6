#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <string_view>

namespace salvo::benching {

using Emit = std::function<void(const std::string& line)>;

struct Replicates {
  int count = 0, jobs = 1;
  std::function<void(int index, const Emit& emit)> body;            // in a process of its own; lines go to on_line
  std::function<void(int index, std::string_view line)> on_line;    // these in the caller's process
  std::function<void(int index, const std::string& error)> on_end;  // error empty: it ended well
  std::function<void(int running)> on_tick;                         // several times a second
  const std::atomic<int>* stop = nullptr;                           // 1: start no more; 2: kill those that run
};

// Runs body(0) … body(count − 1), `jobs` at a time. The processes die with the caller's, however that dies, and get no
// signals of its terminal.
void replicate(const Replicates& what);

}  // namespace salvo::benching
