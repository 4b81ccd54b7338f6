#pragma once
#include <salvo/study.h>

#include <atomic>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

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
    const Turn turn(*this);
    return function(opened());
  }
  // These never change, so they need no lock.
  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] const std::vector<Output>& outputs() const { return outputs_; }
  void close();

 private:
  // A thread's turn. A signal's handler runs in the midst of a call, in the same thread: it would wait for itself.
  class Turn {
   public:
    explicit Turn(StudyBox& box) : box_(box), lock_(box.free()) { box_.inside_ = std::this_thread::get_id(); }
    ~Turn() { box_.inside_ = std::thread::id(); }
    Turn(const Turn&) = delete;
    Turn& operator=(const Turn&) = delete;

   private:
    StudyBox& box_;
    std::lock_guard<std::mutex> lock_;
  };
  std::mutex& free();  // throws when this thread is inside

  void check_process() const;
  Study& opened();

  std::mutex mutex_;
  std::atomic<std::thread::id> inside_{};
  std::optional<Study> study_;
  Space space_;
  std::vector<Output> outputs_;
  long process_;
};

}  // namespace salvo::python
