#include "study_box.h"

#include <unistd.h>

#include <stdexcept>
#include <utility>

namespace salvo::python {

StudyBox::StudyBox(Study study) : study_(std::move(study)), space_(study_->options().space), process_(getpid()) {}

StudyBox::~StudyBox() {
  if (process_ != getpid() && study_) new Study(std::move(*study_));  // kept for ever: closing it is the parent's affair
}

void StudyBox::check_process() const {
  if (process_ != getpid())
    throw std::runtime_error("Study: this one was opened by another process, before a fork. Open it again in this one");
}

Study& StudyBox::opened() {
  if (!study_) throw std::invalid_argument("Study: this one is closed. Open it again");
  return *study_;
}

void StudyBox::close() {
  const LongCall long_call;
  check_process();
  const std::lock_guard lock(mutex_);
  study_.reset();
}

}  // namespace salvo::python
