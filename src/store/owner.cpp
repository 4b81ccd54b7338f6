#include "store/owner.h"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <charconv>
#include <fstream>
#include <iterator>
#include <optional>
#include <sstream>

namespace salvo {
namespace {

std::string host_name() {
  std::array<char, 256> name{};
  if (gethostname(name.data(), name.size() - 1) != 0 || name[0] == '\0') return "localhost";
  return name.data();
}

// Clock ticks after boot at which a process began; none when it is gone or only a zombie.
std::optional<std::string> start_time(long pid) {
  std::ifstream file(fmt::format("/proc/{}/stat", pid));
  const std::string text(std::istreambuf_iterator<char>(file), {});
  const auto name_end = text.rfind(')');  // the command's name may hold anything, even spaces and brackets
  if (name_end == std::string::npos) return std::nullopt;
  std::istringstream fields(text.substr(name_end + 1));
  std::string field;
  for (int i = 3; i <= 22 && fields >> field; ++i) {
    if (i == 3 && (field == "Z" || field == "X")) return std::nullopt;
    if (i == 22) return field;
  }
  return std::nullopt;
}

}  // namespace

std::string owner_of_this_process() {
  const long pid = getpid();
  return fmt::format("{} {} {}", host_name(), pid, start_time(pid).value_or("0"));
}

bool owner_is_gone(const std::string& owner) { return is_dead(owner); }

bool is_dead(std::string_view owner) {
  std::istringstream words{std::string(owner)};
  std::string host, pid_text, started;
  if (!(words >> host >> pid_text >> started)) return false;
  long pid = 0;
  const auto [end, error] = std::from_chars(pid_text.data(), pid_text.data() + pid_text.size(), pid);
  if (error != std::errc() || end != pid_text.data() + pid_text.size() || pid <= 0) return false;
  return host == host_name() && start_time(pid) != started;
}

}  // namespace salvo
