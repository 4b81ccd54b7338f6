#pragma once
#include <salvo/study.h>
#include <sys/types.h>

#include <filesystem>
#include <string>
#include <vector>

namespace salvo::test {

// A folder of its own that goes away with the test.
class Folder {
 public:
  Folder();
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder();
  [[nodiscard]] std::string path(const std::string& name) const { return (root_ / name).string(); }

 private:
  std::filesystem::path root_;
};

[[nodiscard]] Space mixed_space();  // float, log float, int, ordinal, categorical, fixed
[[nodiscard]] StudyOptions small_options(Space space, std::uint64_t seed = 0);  // a model that fits in milliseconds
[[nodiscard]] double objective(const Params& params);                           // a function of the point alone, rough like noise
void tell_all(Study& study, const std::vector<Trial>& trials);
[[nodiscard]] std::vector<Params> points(const std::vector<Trial>& trials);
[[nodiscard]] std::string contents(const std::string& path);
// The message of the exception that f throws; fails the test when it throws none of this type.
template <class Exception, class F>
[[nodiscard]] std::string message(F f) {
  try {
    f();
  } catch (const Exception& error) {
    return error.what();
  }
  return "(nothing was thrown)";
}

// A process of this test program that runs one of the helpers of helpers.cpp.
class Helper {
 public:
  explicit Helper(const std::vector<std::string>& args);
  Helper(const Helper&) = delete;
  Helper& operator=(const Helper&) = delete;
  ~Helper();
  void wait_for_output();                               // until it has written something or ended
  void kill();                                          // SIGKILL
  [[nodiscard]] std::string finish();                   // waits for its end and returns all it wrote
  [[nodiscard]] int status() const { return status_; }  // of waitpid, after finish()
  [[nodiscard]] pid_t pid() const { return pid_; }

 private:
  pid_t pid_ = -1;
  int output_ = -1;
  int status_ = 0;
};

int run_helper(const std::vector<std::string>& args);

}  // namespace salvo::test
