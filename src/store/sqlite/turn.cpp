#include "store/sqlite/turn.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <optional>
#include <thread>

#include "math/parallel.h"

namespace salvo {
namespace {

using Clock = std::chrono::steady_clock;

constexpr off_t kDoor = 0;  // locked for the moments in which the queue changes; numbers begin after it
constexpr std::chrono::milliseconds kDoorPatience{2000};
constexpr std::int64_t kLastNumber = std::int64_t{1} << 60;

// What the file says. Whoever writes it has the door.
constexpr std::int64_t kMagic = 0x6e727574'6f766c61;  // "alvoturn": a file without it is somebody else's
struct QueueState {
  std::int64_t magic = kMagic;
  std::int64_t latest = 0;  // number handed out
  std::int64_t passed = 0;  // numbers up to this one are not waited for any more
  [[nodiscard]] bool makes_sense() const { return passed >= 0 && passed <= latest && latest < kLastNumber; }
};

struct flock bytes(short type, off_t begin, off_t length) {
  struct flock lock {};
  lock.l_type = type;
  lock.l_whence = SEEK_SET;
  lock.l_start = begin;
  lock.l_len = length;
  return lock;
}

enum class Answer { yes, busy, impossible };

// Of the open file, not of the process: two studies of one process are two askers.
Answer try_lock(int fd, off_t at) {
  struct flock lock = bytes(F_WRLCK, at, 1);
  if (fcntl(fd, F_OFD_SETLK, &lock) == 0) return Answer::yes;
  return errno == EAGAIN || errno == EACCES || errno == EINTR ? Answer::busy : Answer::impossible;
}

void unlock(int fd, off_t at) {
  struct flock lock = bytes(F_UNLCK, at, 1);
  (void)fcntl(fd, F_OFD_SETLK, &lock);
}

// Some number in [begin, end) that another asker holds.
std::optional<std::int64_t> held(int fd, std::int64_t begin, std::int64_t end) {
  if (begin >= end) return std::nullopt;
  struct flock lock = bytes(F_WRLCK, begin, end - begin);
  if (fcntl(fd, F_OFD_GETLK, &lock) != 0 || lock.l_type == F_UNLCK) return std::nullopt;
  return lock.l_start;
}

std::optional<std::int64_t> first_held(int fd, std::int64_t begin, std::int64_t end) {
  std::optional<std::int64_t> first;
  while (const auto found = held(fd, begin, first.value_or(end))) {
    if (first && *found >= *first) break;
    first = found;
  }
  return first;
}

// Sleeps a little longer each time, and looks for Ctrl-C.
class Nap {
 public:
  void take() {
    look_around();
    std::this_thread::sleep_for(length_);
    length_ = std::min(2 * length_, std::chrono::microseconds(16'000));
  }

 private:
  std::chrono::microseconds length_{500};
};

class FileTurn : public Turn {
 public:
  FileTurn(const std::string& path, int fd) : path_(path), fd_(fd) {}
  FileTurn(const FileTurn&) = delete;
  FileTurn& operator=(const FileTurn&) = delete;

  // The last one removes the file. Who has opened it already sees that it is gone, and makes another.
  ~FileTurn() override {
    if (try_lock(fd_, kDoor) == Answer::yes && is_in_place() && !held(fd_, 1, kLastNumber)) ::unlink(path_.c_str());
    struct flock all = bytes(F_UNLCK, 0, 0);  // a child that was forked meanwhile has the file open, too
    (void)fcntl(fd_, F_OFD_SETLK, &all);
    ::close(fd_);
  }

  Answer open_door() {
    const auto began = Clock::now();
    for (Nap nap;; nap.take()) {
      const Answer answer = try_lock(fd_, kDoor);
      if (answer != Answer::busy || Clock::now() - began > kDoorPatience) return answer;
    }
  }

  [[nodiscard]] bool is_in_place() const {
    struct stat mine {
    }, there{};
    return fstat(fd_, &mine) == 0 && stat(path_.c_str(), &there) == 0 && mine.st_dev == there.st_dev &&
           mine.st_ino == there.st_ino;
  }

  // With the door open. False: no number can be had.
  bool draw_number() {
    QueueState state = read();
    if (!state.makes_sense()) state = {};
    const std::int64_t number = state.latest + 1;
    if (try_lock(fd_, number) != Answer::yes) return false;
    state.latest = number;
    if (!write(state)) return false;
    number_ = number;
    unlock(fd_, kDoor);
    return true;
  }

  void wait(std::chrono::milliseconds patience) {
    std::int64_t front = 0;
    auto since = Clock::now();
    for (Nap nap;; nap.take()) {
      const auto first = first_held(fd_, read().passed + 1, number_);
      if (!first) return;
      if (*first != front) {
        front = *first;
        since = Clock::now();
      }
      if (Clock::now() - since > patience) return pass(front);
    }
  }

 private:
  // Its process hangs: nobody shall wait for it again.
  void pass(std::int64_t number) {
    if (open_door() != Answer::yes) return;
    QueueState state = read();
    state.passed = std::max(state.passed, number);
    if (state.makes_sense()) (void)write(state);
    unlock(fd_, kDoor);
  }

  [[nodiscard]] QueueState read() const {
    QueueState state;
    if (pread(fd_, &state, sizeof state, 0) != sizeof state) return {};
    return state;
  }
  [[nodiscard]] bool write(const QueueState& state) const { return pwrite(fd_, &state, sizeof state, 0) == sizeof state; }

  std::string path_;
  int fd_;
  std::int64_t number_ = 0;
};

// Just made, or made by an asker; whatever else has this name is left alone.
bool is_queue(int fd, const struct stat& info) {
  if (!S_ISREG(info.st_mode) || info.st_nlink > 1) return false;
  QueueState state;
  return info.st_size == 0 ||
         (info.st_size == sizeof state && pread(fd, &state, sizeof state, 0) == sizeof state && state.magic == kMagic);
}

}  // namespace

std::unique_ptr<Turn> take_file_turn(const std::string& study, std::chrono::milliseconds patience) {
  constexpr int kTries = 1000;  // each means that an asker has just ended
  const std::string path = study + "-turn";
  struct stat info {};
  const mode_t mode = stat(study.c_str(), &info) == 0 ? info.st_mode & 0666 : 0600;
  for (int i = 0; i < kTries; ++i) {
    const int fd = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, mode);
    if (fd < 0) return nullptr;
    if (fstat(fd, &info) != 0 || !is_queue(fd, info)) {
      ::close(fd);
      return nullptr;
    }
    auto turn = std::make_unique<FileTurn>(path, fd);
    if (info.st_size == 0) (void)fchmod(fd, mode);  // who may use the study may wait here, whatever the umask
    const Answer door = turn->open_door();
    if (door == Answer::impossible) ::unlink(path.c_str());
    if (door != Answer::yes) return nullptr;
    if (!turn->is_in_place()) continue;  // the last asker has just removed it
    if (!turn->draw_number()) return nullptr;
    turn->wait(patience);
    return turn;
  }
  return nullptr;
}

}  // namespace salvo
