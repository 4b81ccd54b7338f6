#pragma once
#include <nanobind/nanobind.h>
#include <salvo/threads.h>

namespace salvo::python {

// Around a call that may take long: other threads of Python run meanwhile, and Ctrl-C ends it with KeyboardInterrupt.
// (Only in Python's main thread: elsewhere PyErr_CheckSignals has nothing to say.)
class LongCall {
 public:
  LongCall() : watch_(&look_for_signals) {}
  void look() { watch_.look(); }  // for what has loops of its own

 private:
  static void look_for_signals() {
    const nanobind::gil_scoped_acquire held;
    if (PyErr_CheckSignals() != 0) throw nanobind::python_error();
  }

  nanobind::gil_scoped_release released_;
  Watch watch_;
};

}  // namespace salvo::python
