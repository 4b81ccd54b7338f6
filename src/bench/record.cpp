#include "bench/record.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <salvo/error.h>
#include <sys/file.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>
#include <set>

#include "text/file.h"
#include "text/store_file.h"

namespace salvo {
namespace benching {
namespace {

using Json = nlohmann::ordered_json;

// JSON has no infinity: the regret at a point that breaks a constraint.
constexpr const char* kInfeasible = "infeasible";

double number(const Json& value) {
  if (value.is_string() && value == kInfeasible) return std::numeric_limits<double>::infinity();
  return value.is_null() ? kUnknown : value.get<double>();
}

Json json_of(double value) {
  if (value == std::numeric_limits<double>::infinity()) return kInfeasible;
  return value;
}

// Nine digits are more than a regret has, and half the bytes.
Json short_number(double value) {
  return json_of(std::isfinite(value) ? std::strtod(fmt::format("{:.9g}", value).c_str(), nullptr) : value);
}

// A column of numbers: shorter than a list of objects, and what plotting programs want.
template <class Member>
Json column(const std::vector<BenchStep>& steps, Member member) {
  Json values = Json::array();
  for (const BenchStep& step : steps) {
    if constexpr (std::is_same_v<Member, double BenchStep::*>)
      values.push_back(short_number(step.*member));
    else
      values.push_back(step.*member);
  }
  return values;
}

template <class Member>
void read_column(const Json& line, const char* key, std::vector<BenchStep>& steps, Member member) {
  const Json& values = line.at(key);
  if (values.size() != steps.size()) throw std::invalid_argument(fmt::format("{}: expected {} numbers", key, steps.size()));
  for (std::size_t i = 0; i < steps.size(); ++i) {
    if constexpr (std::is_same_v<Member, double BenchStep::*>)
      steps[i].*member = number(values[i]);
    else
      steps[i].*member = values[i].get<std::int64_t>();
  }
}

template <class Read>
auto reading(std::string_view line, Read read) {
  try {
    return read(Json::parse(line));
  } catch (const Json::exception& error) {
    throw std::invalid_argument(error.what());
  }
}

[[noreturn]] void fail(const std::string& what, const std::string& path) {
  throw Error(fmt::format("cannot {} {}: {}", what, path, std::strerror(errno)));
}

}  // namespace

std::string to_line(const BenchRun& run) {
  Json line{
      {"problem", run.problem}, {"method", run.method}, {"seed", run.seed}, {"salvo", run.version}, {"settings", run.settings}};
  line["batches"] = column(run.steps, &BenchStep::batches);
  line["evaluations"] = column(run.steps, &BenchStep::evaluations);
  line["regret"] = column(run.steps, &BenchStep::regret);
  line["queried"] = column(run.steps, &BenchStep::queried);
  line["cumulative"] = column(run.steps, &BenchStep::cumulative);
  line["fit"] = column(run.steps, &BenchStep::fit);
  line["draw"] = column(run.steps, &BenchStep::draw);
  line["maximise"] = column(run.steps, &BenchStep::maximise);
  line["cpu"] = column(run.steps, &BenchStep::cpu);
  line["seconds_evaluating"] = run.seconds_evaluating;
  line["seconds"] = run.seconds;
  return line.dump();
}

BenchRun run_of(std::string_view text) {
  return reading(text, [](const Json& line) {
    BenchRun run{.problem = line.at("problem"),
                 .method = line.at("method"),
                 .settings = line.at("settings"),
                 .version = line.at("salvo"),
                 .seed = line.at("seed"),
                 .steps = {},
                 .seconds_evaluating = line.at("seconds_evaluating"),
                 .seconds = line.at("seconds")};
    run.steps.resize(line.at("evaluations").size());
    if (run.steps.empty()) throw std::invalid_argument("evaluations: expected at least one number");
    read_column(line, "batches", run.steps, &BenchStep::batches);
    read_column(line, "evaluations", run.steps, &BenchStep::evaluations);
    read_column(line, "regret", run.steps, &BenchStep::regret);
    read_column(line, "queried", run.steps, &BenchStep::queried);
    for (BenchStep& step : run.steps) step.cumulative = kUnknown;
    if (line.contains("cumulative"))
      read_column(line, "cumulative", run.steps, &BenchStep::cumulative);  // files of before have none
    read_column(line, "fit", run.steps, &BenchStep::fit);
    read_column(line, "draw", run.steps, &BenchStep::draw);
    read_column(line, "maximise", run.steps, &BenchStep::maximise);
    read_column(line, "cpu", run.steps, &BenchStep::cpu);
    return run;
  });
}

std::string to_line(const BenchStep& step) {
  return Json{{"batches", step.batches},
              {"evaluations", step.evaluations},
              {"regret", json_of(step.regret)},
              {"queried", json_of(step.queried)},
              {"cumulative", json_of(step.cumulative)},
              {"fit", step.fit},
              {"draw", step.draw},
              {"maximise", step.maximise},
              {"cpu", step.cpu}}
      .dump();
}

BenchStep step_of(std::string_view text) {
  return reading(text, [](const Json& line) {
    return BenchStep{.batches = line.at("batches"),
                     .evaluations = line.at("evaluations"),
                     .regret = number(line.at("regret")),
                     .queried = number(line.at("queried")),
                     .cumulative = number(line.at("cumulative")),
                     .fit = line.at("fit"),
                     .draw = line.at("draw"),
                     .maximise = line.at("maximise"),
                     .cpu = line.at("cpu")};
  });
}

RunsFile::RunsFile(std::string path) : path_(std::move(path)) {
  check_not_in_store(path_);
  fd_ = ::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0666);
  if (fd_ < 0) fail("write", path_);
  // Not fcntl's lock, which goes when any descriptor of the file is closed. The runs of a benchmark that was killed
  // share this one until they are dead as well, which takes a moment.
  for (int attempt = 0; ::flock(fd_, LOCK_EX | LOCK_NB) != 0; ++attempt) {
    if (errno == EWOULDBLOCK && attempt < 20) {
      ::usleep(50'000);
      continue;
    }
    const int error = errno;
    ::close(fd_);
    errno = error;
    if (error == EWOULDBLOCK)
      throw Error(fmt::format("{}: another benchmark is writing to it; wait for it, or name another --output", path_));
    fail("lock", path_);
  }
  off_t end = ::lseek(fd_, 0, SEEK_END);
  for (char last = 0; end > 0 && ::pread(fd_, &last, 1, end - 1) == 1 && last != '\n';) --end;
  if (::ftruncate(fd_, end) != 0) fail("shorten", path_);
}

RunsFile::~RunsFile() { ::close(fd_); }

// One write of a whole line: whoever reads meanwhile sees all of it or, after a crash, a last line without its end.
void RunsFile::append(const BenchRun& run) {
  const std::string line = to_line(run) + "\n";
  for (std::size_t done = 0; done < line.size();) {
    const ssize_t n = ::write(fd_, line.data() + done, line.size() - done);
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) fail("write", path_);
    done += static_cast<std::size_t>(n);
  }
  if (::fsync(fd_) != 0 && errno != EINVAL && errno != EROFS) fail("write", path_);
}

}  // namespace benching

BenchRuns read_runs(const BenchPlan& plan, const std::string& path) {
  BenchRuns found;
  std::error_code missing;
  if (!std::filesystem::exists(path, missing)) return found;
  const std::string text = read_text(path);
  std::set<std::tuple<std::string, std::string, std::int64_t>> seen;
  std::size_t number = 0;
  for (std::size_t at = 0, end = 0; at < text.size(); at = end + 1) {
    end = text.find('\n', at);
    if (end == std::string::npos) break;  // cut off
    ++number;
    BenchRun run;
    try {
      run = benching::run_of(std::string_view(text).substr(at, end - at));
    } catch (const std::invalid_argument& error) {
      throw InputError(fmt::format("{}:{}: expected a run that salvo bench wrote: {}", path, number, error.what()));
    }
    const auto same = std::find_if(plan.cases.begin(), plan.cases.end(), [&](const BenchCase& c) {
      return c.problem == run.problem && c.method == run.method && c.settings == run.settings;
    });
    const bool wanted = same != plan.cases.end() && run.version == SALVO_VERSION && run.seed >= plan.first_seed &&
                        run.seed < plan.first_seed + plan.seeds;
    if (wanted && seen.insert({run.problem, run.method, run.seed}).second)
      found.runs.push_back(std::move(run));
    else
      ++found.others;
  }
  return found;
}

}  // namespace salvo
