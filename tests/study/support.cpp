#include "study/support.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <fstream>
#include <iterator>
#include <stdexcept>

namespace salvo::test {

Folder::Folder() {
  std::string name = (std::filesystem::temp_directory_path() / "salvo-test-XXXXXX").string();
  if (!mkdtemp(name.data())) throw std::runtime_error("mkdtemp failed");
  root_ = name;
}

Folder::~Folder() {
  std::error_code ignored;
  std::filesystem::remove_all(root_, ignored);
}

Space mixed_space() {
  return Space({{"temperature", Float{300, 900}},
                {"rate", Float{1e-4, 1, Scale::log}},
                {"stages", Int{1, 8}},
                {"size", Ordinal{{std::string("small"), std::string("large"), std::string("huge")}}},
                {"catalyst", Categorical{{std::string("Pd"), std::string("Pt"), std::string("Ni")}}},
                {"site", Fixed{std::string("north")}}});
}

StudyOptions small_options(Space space, std::uint64_t seed) {
  return {.name = "test",
          .space = std::move(space),
          .seed = seed,
          .batch = 4,
          .model = {.num_inducing = 12, .num_features = 32, .num_starts = 2, .num_candidates = 40}};
}

double objective(const Params& params) {
  double sum = 0, weight = 1;
  for (const Value& value : params) {
    const double x = std::visit(
        [](const auto& v) {
          if constexpr (std::is_same_v<std::decay_t<decltype(v)>, std::string>)
            return static_cast<double>(v.size() + v.front());
          else
            return static_cast<double>(v);
        },
        value);
    sum += std::sin(weight * x) + 0.1 * std::cos(1e4 * x);
    weight += 0.7;
  }
  return sum;
}

void tell_all(Study& study, const std::vector<Trial>& trials) {
  for (const Trial& trial : trials) study.tell(trial.id, objective(trial.params));
}

std::vector<Params> points(const std::vector<Trial>& trials) {
  std::vector<Params> out;
  for (const Trial& trial : trials) out.push_back(trial.params);
  return out;
}

std::string contents(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Helper::Helper(const std::vector<std::string>& args) {
  std::array<int, 2> ends{};
  if (pipe2(ends.data(), O_CLOEXEC) != 0) throw std::runtime_error("pipe2 failed");
  std::vector<const char*> argv{"/proc/self/exe", "--helper"};
  for (const std::string& arg : args) argv.push_back(arg.c_str());
  argv.push_back(nullptr);
  pid_ = fork();
  if (pid_ == 0) {
    dup2(ends[1], STDOUT_FILENO);
    execv("/proc/self/exe", const_cast<char* const*>(argv.data()));
    _exit(127);
  }
  close(ends[1]);
  output_ = ends[0];
}

Helper::~Helper() {
  if (pid_ > 0) {
    kill();
    (void)finish();
  }
}

void Helper::wait_for_output() {
  pollfd waiting{.fd = output_, .events = POLLIN, .revents = 0};
  poll(&waiting, 1, 30'000);
}

void Helper::kill() { ::kill(pid_, SIGKILL); }

std::string Helper::finish() {
  std::string all;
  std::array<char, 4096> buffer{};
  for (ssize_t size = 0; (size = read(output_, buffer.data(), buffer.size())) > 0;) {
    all.append(buffer.data(), static_cast<std::size_t>(size));
  }
  close(output_);
  waitpid(pid_, &status_, 0);
  pid_ = -1;
  return all;
}

}  // namespace salvo::test
