#pragma once
#include <salvo/study.h>

#include <mutex>
#include <optional>
#include <string>

#include "convert.h"

namespace salvo::python {

// A Study for Python's threads: one at a time, none of them holding the interpreter while it waits or computes.
// A study does not survive a fork (SQLite's connections do not), so in a child it refuses to serve and is not closed.
class StudyBox {
 public:
  StudyBox(Study study);
  ~StudyBox();
  StudyBox(const StudyBox&) = delete;
  StudyBox& operator=(const StudyBox&) = delete;

  template <class Function>
  auto use(Function function) {
    const LongCall long_call;
    check_process();
    const std::lock_guard lock(mutex_);
    return function(opened());
  }
  [[nodiscard]] const Space& space() const { return space_; }  // never changes, so it needs no lock
  void close();

 private:
  void check_process() const;
  Study& opened();

  std::mutex mutex_;
  std::optional<Study> study_;
  Space space_;
  long process_;
};

}  // namespace salvo::python
