// Four threads evaluate at their own pace and tell in whatever order they finish. The study is on disk: half-way it is
// closed and opened again, as after a crash, and goes on.
#include <salvo/salvo.h>

#include <chrono>
#include <cstdio>
#include <filesystem>
#include <string>
#include <thread>
#include <variant>
#include <vector>

namespace {

// Highest, at 1, for x = 0.3 and n = 4.
double measure(const salvo::Params& params) {
  const double x = std::get<double>(params[0]);
  const double n = static_cast<double>(std::get<std::int64_t>(params[1]));
  std::this_thread::sleep_for(std::chrono::microseconds(static_cast<int>(2000 * x)));  // some take longer than others
  return 1 - 4 * (x - 0.3) * (x - 0.3) - 0.05 * (n - 4) * (n - 4);
}

// Evaluates until the study has `target` results. A Study belongs to one thread, so each opens the file for itself;
// no point is handed out twice.
void work(const std::string& path, std::int64_t target) {
  salvo::Study study = salvo::Study::open(path);
  while (study.counts().done < target) {
    const salvo::Trial trial = study.ask(1).front();
    study.tell(trial.id, measure(trial.params));
  }
}

void work_in_parallel(const std::string& path, std::int64_t target) {
  std::vector<std::jthread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back(work, path, target);
}  // jthreads join here

}  // namespace

int main() {
  const std::filesystem::path file = std::filesystem::temp_directory_path() / "salvo_asynchronous.db";
  for (const char* suffix : {"", "-wal", "-shm"}) std::filesystem::remove(file.string() + suffix);

  const salvo::Space space({
      {"x", salvo::Float{.low = 0, .high = 1}},
      {"n", salvo::Int{.low = 1, .high = 8}},
  });
  const salvo::StudyOptions options{.name = "asynchronous",
                                    .outputs = salvo::one_objective(salvo::Direction::maximize),
                                    .batch = 10,
                                    .search = salvo::SpaceSearch{.space = space}};
  salvo::Study::create(options, file.string());

  work_in_parallel(file.string(), 40);
  salvo::Study study = salvo::Study::open(file.string());
  std::printf("opened again with %lld results\n", static_cast<long long>(study.counts().done));
  for (const salvo::Trial& trial : study.pending()) study.abandon(trial.id);  // nobody evaluates these any more
  work_in_parallel(file.string(), 80);

  const salvo::Recommendation best = study.recommend().value();
  std::printf("after %lld results: x = %s, n = %s, value %.3f ± %.3f\n", static_cast<long long>(study.counts().done),
              salvo::to_string(best.trial.params[0]).c_str(), salvo::to_string(best.trial.params[1]).c_str(), best.mean,
              best.stddev);
  return best.mean > 0.95 ? 0 : 1;
}
