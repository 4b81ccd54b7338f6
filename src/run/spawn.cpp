#include "run/spawn.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string_view>

#ifdef __linux__
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#endif

extern char** environ;

namespace salvo::runner {
namespace {

[[noreturn]] void fail(std::string_view what, int error) {
  std::string advice;
  if (error == EMFILE || error == ENFILE) advice = ": lower objective.workers or raise the limit (ulimit -n)";
  if (error == EAGAIN) advice = ": lower objective.workers or raise the limit on processes (ulimit -u)";
  if (error == E2BIG)
    advice = ": the command with its values is too long; use objective.input = \"json\" instead of placeholders";
  throw Error(fmt::format("cannot start the command: {}: {}{}", what, std::strerror(error), advice));
}

// Descriptors 0 to 2 may be closed in a daemon; a pipe that landed there would collide with the child's own.
Fd above_stdio(Fd fd) {
  if (!fd.open() || fd.get() > 2) return fd;
  Fd high(fcntl(fd.get(), F_DUPFD_CLOEXEC, 3));
  if (!high.open()) fail("fcntl", errno);
  return high;
}

void set_flag(int fd, int get, int set, int flag) {
  const int flags = fcntl(fd, get);
  if (flags < 0 || fcntl(fd, set, flags | flag) < 0) fail("fcntl", errno);
}

struct Pipe {
  Fd read, write;
};

Pipe make_pipe() {
  std::array<int, 2> ends{-1, -1};
#ifdef __linux__
  if (pipe2(ends.data(), O_CLOEXEC) != 0) fail("pipe", errno);
#else
  if (pipe(ends.data()) != 0) fail("pipe", errno);
  for (const int fd : ends) set_flag(fd, F_GETFD, F_SETFD, FD_CLOEXEC);
#endif
  Fd read(ends[0]), write(ends[1]);
  return {above_stdio(std::move(read)), above_stdio(std::move(write))};
}

// Input is a file without a name rather than a pipe: a command that reads none of it, or half of it, can then
// neither block us nor send us SIGPIPE.
Fd open_input(const std::optional<std::string>& text) {
  if (!text) {
    Fd null = above_stdio(Fd(::open("/dev/null", O_RDONLY | O_CLOEXEC)));
    if (!null.open()) fail("/dev/null", errno);
    return null;
  }
#ifdef __linux__
  Fd file = above_stdio(Fd(memfd_create("salvo-input", MFD_CLOEXEC)));
  if (!file.open()) fail("memfd_create", errno);
#else
  std::FILE* temporary = std::tmpfile();
  if (!temporary) fail("tmpfile", errno);
  Fd file(fcntl(fileno(temporary), F_DUPFD_CLOEXEC, 3));
  const int error = errno;
  std::fclose(temporary);
  if (!file.open()) fail("tmpfile", error);
#endif
  for (std::size_t done = 0; done < text->size();) {
    const ssize_t n = ::write(file.get(), text->data() + done, text->size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("writing its input", errno);
    done += static_cast<std::size_t>(n);
  }
  if (lseek(file.get(), 0, SEEK_SET) < 0) fail("lseek", errno);
  return file;
}

// Pointers for exec: our environment, with `added` replacing what has the same name.
struct Environment {
  std::vector<std::string> added;
  std::vector<char*> pointers;

  explicit Environment(const std::vector<std::pair<std::string, std::string>>& variables) {
    added.reserve(variables.size());
    for (const auto& [name, value] : variables) added.push_back(name + "=" + value);
    for (char** entry = environ; entry && *entry; ++entry) {
      const std::string_view text(*entry);
      const std::string_view name = text.substr(0, text.find('='));
      bool replaced = false;
      for (const auto& variable : variables) replaced = replaced || variable.first == name;
      if (!replaced) pointers.push_back(*entry);
    }
    for (std::string& entry : added) pointers.push_back(entry.data());
    pointers.push_back(nullptr);
  }
};

enum class Step : int { directory, descriptors, exec };
struct Report {
  Step step;
  int error;
};

// The files that may be meant by a program's name, as a shell would look for them. A name with a slash is a file's own.
std::vector<std::string> program_files(const std::string& name) {
  if (name.find('/') != std::string::npos) return {name};
  const char* path = std::getenv("PATH");
  std::string_view rest = path ? path : "/usr/local/bin:/usr/bin:/bin";
  std::vector<std::string> files;
  while (true) {
    const std::string_view folder = rest.substr(0, rest.find(':'));
    files.push_back(folder.empty() ? name : std::string(folder) + "/" + name);
    if (folder.size() == rest.size()) return files;
    rest.remove_prefix(folder.size() + 1);
  }
}

// What is executed: the first of the files that can be, with these arguments.
struct Program {
  std::vector<std::string> files, words;
  std::vector<char*> file_pointers, word_pointers;
  std::string not_found, not_executable;  // said by the child, as a shell would; empty for the shell itself

  explicit Program(const Command& command) : words(command.words) {
    if (words.empty()) {
      files = {"/bin/sh"};
      words = {"/bin/sh", "-c", command.text};
    } else {
      files = program_files(words[0]);
      not_found = words[0] + ": not found\n";
      not_executable = words[0] + ": cannot be executed; it needs chmod +x and, as a script, a first line like #!/bin/sh\n";
    }
    for (std::string& file : files) file_pointers.push_back(file.data());
    for (std::string& word : words) word_pointers.push_back(word.data());
    file_pointers.push_back(nullptr);
    word_pointers.push_back(nullptr);
  }
};

// All that the child needs, laid out before it exists: between vfork and exec it may only make system calls.
struct Plan {
  const char* directory;
  const Program* program;
  char* const* environment;
  int in, out, err, report;
  pid_t parent;
  const rlimit* open_files;
};

[[noreturn]] void give_up(const Plan& plan, Step step) {
  const Report report{step, errno};
  [[maybe_unused]] const ssize_t n = ::write(plan.report, &report, sizeof report);
  _exit(127);
}

// Exit codes and words of a shell's, so that what went wrong is told alike; other failures are ours to report.
[[noreturn]] void exec_program(const Plan& plan) {
  const Program& program = *plan.program;
  int error = ENOENT;
  for (char* const* file = program.file_pointers.data(); *file; ++file) {
    execve(*file, program.word_pointers.data(), plan.environment);
    if (errno != ENOENT && errno != ENOTDIR) error = errno;
    if (errno == E2BIG) break;
  }
  errno = error;
  const std::string& said = error == ENOENT ? program.not_found : program.not_executable;
  if (said.empty() || (error != ENOENT && error != EACCES && error != ENOEXEC)) give_up(plan, Step::exec);
  [[maybe_unused]] const ssize_t n = ::write(2, said.data(), said.size());
  _exit(error == ENOENT ? 127 : 126);
}

[[noreturn]] void become_command(const Plan& plan) {
  setsid();  // a new session and group: no terminal signals, and the whole group can be killed
#ifdef __linux__
  // Dies with us, even when we are killed by -9. The parent may be gone already; then nobody would send the signal.
  prctl(PR_SET_PDEATHSIG, SIGKILL);
  if (getppid() != plan.parent) _exit(127);
#endif
  struct sigaction normal = {};
  normal.sa_handler = SIG_DFL;
  for (int signal = 1; signal < NSIG; ++signal) sigaction(signal, &normal, nullptr);
  sigset_t none;
  sigemptyset(&none);
  sigprocmask(SIG_SETMASK, &none, nullptr);
  setrlimit(RLIMIT_NOFILE, plan.open_files);

  if (dup2(plan.in, 0) < 0 || dup2(plan.out, 1) < 0 || dup2(plan.err, 2) < 0) give_up(plan, Step::descriptors);
  if (plan.directory && chdir(plan.directory) != 0) give_up(plan, Step::directory);
  exec_program(plan);
}

// vfork, because a fork of a process with gigabytes of data takes milliseconds and may be refused memory.
// All signals are blocked meanwhile: no handler of ours may run in the child.
pid_t start(const Plan& plan) {
  sigset_t all, before;
  sigfillset(&all);
  pthread_sigmask(SIG_SETMASK, &all, &before);
#ifdef __linux__
  const pid_t pid = vfork();
#else
  const pid_t pid = fork();
#endif
  if (pid == 0) become_command(plan);
  const int error = errno;
  pthread_sigmask(SIG_SETMASK, &before, nullptr);
  errno = error;
  return pid;
}

}  // namespace

void Fd::close() {
  if (fd_ >= 0) ::close(fd_);
  fd_ = -1;
}

Child spawn(const Command& command, const rlimit& open_files, bool use_pidfd) {
  const Fd input = open_input(command.input);
  Pipe out = make_pipe(), err = make_pipe(), report = make_pipe();
  set_flag(out.read.get(), F_GETFL, F_SETFL, O_NONBLOCK);
  set_flag(err.read.get(), F_GETFL, F_SETFL, O_NONBLOCK);

  const Program program(command);
  const Environment environment(command.environment);
  const Plan plan{.directory = command.directory.empty() ? nullptr : command.directory.c_str(),
                  .program = &program,
                  .environment = environment.pointers.data(),
                  .in = input.get(),
                  .out = out.write.get(),
                  .err = err.write.get(),
                  .report = report.write.get(),
                  .parent = getpid(),
                  .open_files = &open_files};
  const pid_t pid = start(plan);
  if (pid < 0) fail("a new process", errno);

  // The write end closes itself at exec; what comes before that is why it failed.
  report.write.close();
  Report what{};
  ssize_t n = 0;
  do n = ::read(report.read.get(), &what, sizeof what);
  while (n < 0 && errno == EINTR);
  if (n == static_cast<ssize_t>(sizeof what)) {
    siginfo_t ignored;
    while (waitid(P_PID, static_cast<id_t>(pid), &ignored, WEXITED) != 0 && errno == EINTR) {
    }
    if (what.step == Step::directory) fail(fmt::format("objective.directory \"{}\"", command.directory), what.error);
    fail(what.step == Step::exec ? program.words[0] : "its descriptors", what.error);
  }

  Child child{.pid = pid, .pidfd = Fd(), .out = std::move(out.read), .err = std::move(err.read)};
#ifdef SYS_pidfd_open
  if (use_pidfd) child.pidfd = Fd(static_cast<int>(syscall(SYS_pidfd_open, pid, 0)));
#else
  (void)use_pidfd;
#endif
  return child;
}

}  // namespace salvo::runner
