#include <fmt/core.h>
#include <salvo/bench.h>
#include <salvo/error.h>
#include <salvo/method.h>
#include <salvo/problems.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <ctime>
#include <filesystem>
#include <fstream>
#include <thread>

#include "arguments.h"
#include "bench/summary.h"
#include "interrupt.h"
#include "json.h"
#include "output.h"
#include "plot/regret.h"
#include "progress.h"
#include "text.h"

namespace salvo::app {
namespace {

namespace fs = std::filesystem;

std::ptrdiff_t num_constraints(const Problem& p) {
  return std::count_if(p.outputs.begin(), p.outputs.end(),
                       [](const auto& output) { return std::holds_alternative<Constraint>(output.role); });
}

// What a problem's line of the list says.
std::string facts(const Problem& p) {
  const std::ptrdiff_t constraints = num_constraints(p);
  std::string text = p.noise.empty() ? fmt::format("noise variance {:<5} ", p.noise_variance) : "noisy                ";
  if (!std::isnan(p.hypervolume))
    text += fmt::format("{}, {} hypervolume {}", plural(std::ssize(p.outputs) - constraints, "objective"),
                        p.proved ? "best" : "best known", number(p.hypervolume, 6));
  else
    text += fmt::format("{} {}", p.proved ? "optimum" : "best known", number(p.optimum, 6));
  return constraints == 0 ? text : text + ", " + plural(constraints, "constraint");
}

int list(const Common& common) {
  if (common.json) {
    for (const std::string& name : problem_names()) {
      const Problem p = problem(name);
      print(JsonObject()
                .add("event", "problem")
                .add("name", name)
                .add("dimensions", p.space.num_free())
                .add("noise_variance", p.noise_variance)
                .add("optimum", p.optimum)
                .add("objectives", std::ssize(p.outputs) - num_constraints(p))
                .add("constraints", num_constraints(p))
                .add("hypervolume", p.hypervolume)
                .add("proved", p.proved)
                .line());
    }
    for (const MethodInfo& each : methods())
      print(JsonObject().add("event", "method").add("name", to_string(each.method)).add("summary", each.summary).line());
    return 0;
  }
  std::string text = "Problems (a number behind levy, ackley, … is the number of dimensions, any from 1 to 1,000):\n";
  for (const std::string& name : problem_names()) {
    const Problem p = problem(name);
    text += fmt::format("  {} d = {:<3} {}\n", pad(name, 20), p.space.num_free(), facts(p));
  }
  text += "\nMethods:\n";
  for (const MethodInfo& each : methods())
    text += fmt::format("  {} {}\n", pad(std::string(to_string(each.method)), 14), each.summary);
  print(text +
        "\nYour own problem is a study file with objective.optimum; your own method is a method with settings of its\n"
        "own. See docs/benchmarks.md.\n");
  return 0;
}

std::string machine() {
  std::ifstream info("/proc/cpuinfo");
  std::string model = "unknown processor";
  for (std::string line; std::getline(info, line);)
    if (line.starts_with("model name") && line.find(':') != std::string::npos) {
      model = line.substr(line.find(':') + 2);
      break;
    }
  return fmt::format("{}, {}", model, plural(std::thread::hardware_concurrency(), "core"));
}

// The files of one benchmark.
struct Folder {
  fs::path path;
  [[nodiscard]] std::string runs() const { return (path / "runs.jsonl").string(); }
  [[nodiscard]] std::string table() const { return (path / "table.md").string(); }
  [[nodiscard]] std::string picture() const { return (path / "regret.svg").string(); }
};

Folder open_folder(const BenchPlan& plan, const BenchArgs& args) {
  Folder folder{args.output.empty() ? fmt::format("{}-{}", plan.name, args.request.quick ? "quick" : "bench") : args.output};
  std::error_code failed;
  fs::create_directories(folder.path, failed);
  if (failed || !fs::is_directory(folder.path))
    throw Error(fmt::format("cannot make the folder {}: {}", folder.path.string(), failed ? failed.message() : "it is a file"));
  return folder;
}

void write_file(const std::string& path, const std::string& text) {
  Output out(path);
  out.write(text);
  out.finish();
}

std::string head(const BenchPlan& plan, const Common& common, const BenchArgs& args) {
  std::string text =
      fmt::format("# {}\n\n    {}\n\nsalvo {}, {}", one_line(plan.name), one_line(common.command_line), SALVO_VERSION, machine());
  if (!args.note.empty()) text += ", " + one_line(args.note);
  return text + fmt::format(", {}\n\n", date_time(static_cast<double>(std::time(nullptr))).substr(0, 10));
}

// Table and picture of what there is.
void report(const BenchPlan& plan, const Folder& folder, const Common& common, const BenchArgs& args) {
  const BenchRuns found = read_runs(plan, folder.runs());
  if (found.others > 0 && !common.quiet && !common.json)
    print_error(fmt::format("salvo: note: {} holds {} of other settings, seeds or versions; they are not used\n", folder.runs(),
                            plural(found.others, "run")));
  const std::vector<CaseSummary> cases = summarise(plan, found.runs);
  if (cases.empty()) return;
  const std::string table = table_text(cases);
  write_file(folder.table(), head(plan, common, args) + table);
  plot::write(plot::regret_picture(plan.name, cases), folder.picture());
  if (!common.json) return print(table);
  for (const CaseSummary& each : cases) print(summary_line(each));
}

std::string step_event(const BenchCase& which, std::int64_t seed, const BenchStep& step) {
  return JsonObject()
      .add("event", "batch")
      .add("problem", which.problem)
      .add("method", which.method)
      .add("seed", seed)
      .add("batch", step.batches)
      .add("evaluations", step.evaluations)
      .raw("regret", regret_json(step.regret))
      .raw("queried", regret_json(step.queried))
      .raw("cumulative", regret_json(step.cumulative))
      .raw("seconds",
           JsonObject().add("fit", step.fit).add("draw", step.draw).add("maximise", step.maximise).add("cpu", step.cpu).text())
      .line();
}

BenchProgress work(const BenchPlan& plan, const Folder& folder, const Common& common, const BenchArgs& args,
                   const Interrupt& interrupt) {
  StatusLine line;
  BenchOptions options{
      .path = folder.runs(), .jobs = args.jobs, .on_step = {}, .on_run = {}, .on_failure = {}, .on_progress = {}};
  options.stop = interrupt.flag();
  if (common.json) {
    options.on_step = [](const BenchCase& which, std::int64_t seed, const BenchStep& step) {
      print(step_event(which, seed, step));
    };
    options.on_run = [](const BenchRun& run) {
      print(JsonObject()
                .add("event", "run")
                .add("problem", run.problem)
                .add("method", run.method)
                .add("seed", run.seed)
                .raw("regret", regret_json(run.steps.back().regret))
                .add("seconds", run.seconds)
                .line());
    };
  }
  options.on_failure = [&](const BenchCase& which, std::int64_t seed, const std::string& error) {
    line.clear();
    print_error(fmt::format("salvo: {}, {}, seed {}: {}\n", which.problem, which.method, seed, error));
    if (common.json)
      print(JsonObject()
                .add("event", "failed")
                .add("problem", which.problem)
                .add("method", which.method)
                .add("seed", seed)
                .add("message", error)
                .line());
  };
  options.on_progress = [&](const BenchProgress& p) {
    if (common.json || common.quiet) return;
    std::string text = fmt::format("{}/{} runs  {} at work", count(p.finished), count(p.total), p.running);
    if (p.seconds_left >= 0) text += fmt::format("  left about {}", duration(p.seconds_left));
    if (p.failed > 0) text += fmt::format("  failed {}", count(p.failed));
    line.show(text, p.total > 0 ? static_cast<double>(p.finished) / static_cast<double>(p.total) : 1.0);
  };
  return run_bench(plan, options);
}

}  // namespace

int execute(const Common& common, const BenchArgs& args) {
  if (args.request.path == "list") return list(common);
  if (!common.storage.empty()) throw InputError("--storage: a benchmark keeps its runs in the folder that --output names");
  BenchRequest request = args.request;
  request.set = common.overrides;
  if (common.seed) {
    if (*common.seed > 1'000'000'000'000) throw InputError("--seed: expected at most 10¹² for a benchmark");
    request.first_seed = static_cast<std::int64_t>(*common.seed);
  }
  const BenchPlan plan = plan_bench(request);
  const Folder folder = open_folder(plan, args);
  if (common.json)
    print(JsonObject()
              .add("event", "started")
              .add("name", plan.name)
              .add("runs", plan.num_runs())
              .add("output", folder.path.string())
              .line());

  BenchProgress done;
  bool stopped = false;
  if (!args.report) {
    const Interrupt interrupt("finishing the runs under way");
    done = work(plan, folder, common, args, interrupt);
    stopped = interrupt.raised() && done.finished + done.failed < done.total;
  }
  report(plan, folder, common, args);
  const std::int64_t missing = args.report ? 0 : done.total - done.finished;
  if (common.json) {
    print(JsonObject()
              .add("event", "finished")
              .add("missing", missing)
              .add("failed", done.failed)
              .add("runs", folder.runs())
              .add("table", folder.table())
              .add("picture", folder.picture())
              .line());
  } else if (!common.quiet) {
    print(fmt::format("\n{}: runs.jsonl, table.md, regret.svg\n", folder.path.string()));
    if (missing > 0)
      print(fmt::format("{} of {} runs are missing; go on with: {}\n", count(missing), count(done.total), common.command_line));
  }
  if (stopped) return kExitInterrupted;
  return done.failed > 0 ? (done.failed == done.total ? kExitAllFailed : kExitWorld) : 0;
}

}  // namespace salvo::app
