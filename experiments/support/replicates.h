#pragma once
#include <functional>
#include <string>
#include <vector>

namespace salvo::experiments {

// Runs body(0) … body(count − 1), each in a process of its own, `jobs` at a time, and gives what each returned.
// A replicate that dies gives an empty string. done(i, result) is called as they finish.
std::vector<std::string> replicate(int count, int jobs, const std::function<std::string(int)>& body,
                                   const std::function<void(int, const std::string&)>& done);

// As the command line does: freed matrices stay with the process.
void keep_memory();

}  // namespace salvo::experiments
