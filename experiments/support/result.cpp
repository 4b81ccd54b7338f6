#include "support/result.h"

#include <fmt/core.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <stdexcept>

namespace salvo::experiments {
namespace {

std::string first_line(const char* command) {
  std::string text;
  if (FILE* pipe = popen(command, "r")) {
    char buffer[256];
    if (std::fgets(buffer, sizeof buffer, pipe)) text = buffer;
    pclose(pipe);
  }
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.pop_back();
  return text;
}

std::string processor() {
  std::ifstream in("/proc/cpuinfo");
  for (std::string line; std::getline(in, line);)
    if (line.starts_with("model name")) return line.substr(line.find(':') + 2);
  return "unknown";
}

}  // namespace

void write_result(const Result& result, const std::string& folder, const std::string& command) {
  std::filesystem::create_directories(folder);
  const std::string commit = first_line("git rev-parse --short HEAD 2>/dev/null");
  nlohmann::ordered_json json{{"experiment", result.title},
                              {"command", command},
                              {"machine", fmt::format("{}, {} cores", processor(), sysconf(_SC_NPROCESSORS_ONLN))},
                              {"commit", commit.empty() ? "unknown" : commit}};
  json.update(result.numbers);
  const std::string base = (std::filesystem::path(folder) / result.name).string();
  std::ofstream out(base + ".json");
  out << json.dump(1) << "\n";
  out.close();
  if (!out) throw std::runtime_error("cannot write " + base + ".json");
  write_chart(base + ".svg", result.title, result.remark, result.panels);
  fmt::print("\nWrote {0}.json and {0}.svg.\n", base);
}

double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y, std::size_t count) {
  double sx = 0, sy = 0, sxx = 0, sxy = 0, n = 0;
  for (std::size_t i = x.size() - std::min(count, x.size()); i < x.size(); ++i) {
    const double u = std::log(x[i]), v = std::log(y[i]);
    sx += u;
    sy += v;
    sxx += u * u;
    sxy += u * v;
    n += 1;
  }
  return (n * sxy - sx * sy) / (n * sxx - sx * sx);
}

}  // namespace salvo::experiments
