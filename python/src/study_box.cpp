#include "study_box.h"

#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace salvo::python {

StudyBox::StudyBox(Study study)
    : study_(std::move(study)), space_(study_->space()), outputs_(study_->options().outputs), process_(getpid()) {}

StudyBox::~StudyBox() {
  if (process_ != getpid() && study_) new Study(std::move(*study_));  // kept for ever: closing it is the parent's affair
}

void StudyBox::check_process() const {
  if (process_ != getpid())
    throw std::runtime_error("Study: this one was opened by another process, before a fork. Open it again in this one");
}

std::mutex& StudyBox::free() {
  if (inside_ == std::this_thread::get_id())
    throw std::runtime_error(
        "Study: called by a signal handler while the same thread is in a call of this study. Let the handler set a flag, "
        "and look at it after the call");
  return mutex_;
}

Study& StudyBox::opened() {
  if (!study_) throw std::invalid_argument("Study: this one is closed. Open it again");
  return *study_;
}

void StudyBox::close() {
  const LongCall long_call;
  check_process();
  const Turn turn(*this);
  study_.reset();
}

}  // namespace salvo::python
