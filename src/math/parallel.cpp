#include "math/parallel.h"

#include <cblas.h>
#include <salvo/threads.h>
#include <sched.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <vector>

#include "math/address_space.h"
#include "math/blas_core.h"

namespace salvo {

int allowed_cores() {
#ifdef __linux__
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof set, &set) == 0) return std::max(1, CPU_COUNT(&set));
#endif
  return std::max(1, static_cast<int>(std::thread::hardware_concurrency()));
}

namespace {

// Our blocks are the parallelism; nested BLAS threads would fight over the cores, and results would depend on their
// number. An OpenMP build of OpenBLAS keeps that number for each thread that calls it.
void one_blas_thread() {
  thread_local bool done = false;
  if (!done) openblas_set_num_threads(1);
  done = true;
}

// A sequential build of OpenBLAS hands the same work space to two threads that call it at once, about once in ten
// thousand calls, and then their numbers are wrong (seen with Debian's libopenblas0-serial 0.3.21).
bool blas_is_thread_safe() { return openblas_get_parallel() != OPENBLAS_SEQUENTIAL; }

// When the program or the library is loaded: before there are threads.
[[maybe_unused]] const bool blas_core_chosen = choose_blas_core();

thread_local Watch* watch = nullptr;

// One parallel loop: tasks are taken in order by whoever is free.
struct Loop {
  const std::function<void(std::int64_t)>& body;
  std::int64_t num_tasks;
  std::atomic<std::int64_t> next{0};
  std::atomic<bool> failed{false};
  std::exception_ptr error;
  std::mutex error_mutex;

  void work() {
    for (std::int64_t i; (i = next.fetch_add(1, std::memory_order_relaxed)) < num_tasks;) {
      try {
        look_around();
        if (!failed.load(std::memory_order_relaxed)) body(i);
      } catch (...) {
        const std::lock_guard lock(error_mutex);
        if (!failed.exchange(true)) error = std::current_exception();
      }
    }
  }
};

thread_local bool inside_task = false;

// Sleeping threads that never spin: a core taken by another process costs no more than that core.
class Workers {
 public:
  explicit Workers(int num_threads) : owner_(getpid()) {
    threads_.reserve(static_cast<std::size_t>(num_threads));
    try {
      for (int i = 1; i < num_threads; ++i) threads_.emplace_back([this] { serve(); });
    } catch (const std::system_error&) {  // the system gives no more: fewer threads do the same work
    }
  }
  ~Workers() {
    {
      const std::lock_guard lock(mutex_);
      quit_ = true;
    }
    wake_.notify_all();
    for (auto& thread : threads_) thread.join();
  }
  int size() const { return static_cast<int>(threads_.size()) + 1; }
  bool alive() const { return getpid() == owner_; }  // threads do not survive a fork

  void run(Loop& loop) {
    const std::lock_guard one_at_a_time(run_mutex_);
    {
      const std::lock_guard lock(mutex_);
      loop_ = &loop;
      ++generation_;
    }
    wake_.notify_all();
    inside_task = true;
    loop.work();
    inside_task = false;
    std::unique_lock lock(mutex_);
    loop_ = nullptr;  // late wakers find nothing
    done_.wait(lock, [this] { return busy_ == 0; });
  }

 private:
  void serve() {
    inside_task = true;
    one_blas_thread();
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return quit_ || (loop_ != nullptr && generation_ != seen); });
      if (quit_) return;
      seen = generation_;
      Loop* loop = loop_;
      ++busy_;
      lock.unlock();
      loop->work();
      lock.lock();
      if (--busy_ == 0) done_.notify_all();
    }
  }

  pid_t owner_;
  std::vector<std::thread> threads_;
  std::mutex run_mutex_, mutex_;
  std::condition_variable wake_, done_;
  Loop* loop_ = nullptr;
  std::uint64_t generation_ = 0;
  int busy_ = 0;
  bool quit_ = false;
};

std::mutex workers_mutex;
int wanted_threads = 0;
// Never destroyed at exit: in a forked child the threads are gone, and joining them would hang.
std::shared_ptr<Workers>& the_workers = *new std::shared_ptr<Workers>;

std::shared_ptr<Workers> workers() {
  const std::lock_guard lock(workers_mutex);
  if (the_workers && !the_workers->alive()) {
    static auto* lost = new std::vector<std::shared_ptr<Workers>>;  // its threads stayed in the parent
    lost->push_back(std::move(the_workers));
    the_workers = nullptr;
  }
  if (!the_workers) {
    const int wanted = threads_that_fit(wanted_threads > 0 ? wanted_threads : allowed_cores());
    openblas_set_num_threads(1);  // before there are threads: it changes what all of them share
    the_workers = std::make_shared<Workers>(blas_is_thread_safe() ? wanted : 1);
  }
  return the_workers;
}

}  // namespace

void set_num_threads(int num_threads) {
  if (num_threads < 0 || num_threads > 4096)
    throw std::invalid_argument("set_num_threads: expected 0 (all cores) to 4096, got " + std::to_string(num_threads));
  const std::lock_guard lock(workers_mutex);
  wanted_threads = num_threads;
  if (the_workers && the_workers->alive()) the_workers.reset();
}

int num_threads() { return workers()->size(); }

void look_around() {
  if (watch) watch->look();
}

Watch::Watch(std::function<void()> check, std::chrono::milliseconds period)
    : check_(std::move(check)), period_(period), last_(std::chrono::steady_clock::now()), outer_(watch) {
  watch = this;
}

Watch::~Watch() { watch = outer_; }

void Watch::look() {
  const auto now = std::chrono::steady_clock::now();
  if (now - last_ < period_) return;
  check_();
  last_ = std::chrono::steady_clock::now();  // what the check itself takes does not count
}

void parallel_for(std::int64_t num_tasks, const std::function<void(std::int64_t)>& body) {
  if (num_tasks <= 0) return;
  look_around();  // here as well: others may take all the tasks
  const std::shared_ptr<Workers> crew = inside_task ? nullptr : workers();
  one_blas_thread();
  if (num_tasks == 1 || !crew || crew->size() == 1) {
    for (std::int64_t i = 0; i < num_tasks; ++i) {
      look_around();
      body(i);
    }
    return;
  }
  Loop loop{body, num_tasks, {}, {}, {}, {}};
  crew->run(loop);
  if (loop.error) std::rethrow_exception(loop.error);
}

void parallel_blocks(std::int64_t size, std::int64_t block, const std::function<void(std::int64_t, std::int64_t)>& body) {
  parallel_for((size + block - 1) / block, [&](std::int64_t i) { body(i * block, std::min(size, (i + 1) * block)); });
}

}  // namespace salvo
