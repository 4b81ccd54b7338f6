#include "cli_plan.h"

#include <CLI/CLI.hpp>

#include "numbers.h"

namespace salvo::app {

const char* const kPlanExamples =
    "The kernel has variance 1 on the unit cube, and the noise variance is measured in that unit.\n\n"
    "With a study file: how long Salvo itself will compute, per batch and in all, the memory and the disk, on this machine. The\n"
    "study is rehearsed for some seconds with made-up values; nothing is evaluated and the study is left alone.\n\n"
    "Examples:\n  salvo plan reactor.toml\n  salvo plan reactor.toml --quick --set budget.evaluations=50000\n"
    "  salvo plan --kernel se --dims 2 --steps 50 --batch 100 --noise 0.1\n"
    "  salvo plan --kernel matern --nu 2.5 --dims 1 --inducing 250 --features 500\n"
    "  salvo plan --dims 6 --json";

const std::vector<std::string> kPlanKernels = {"se", "matern12", "matern32", "matern52", "matern"};

void add_plan_options(CLI::App& sub, const std::function<PlanArgs&()>& args) {
  const auto text = [&](const char* name, const char* help, const char* type,
                        const std::function<void(const std::string&)>& use) {
    sub.add_option_function<std::string>(name, use, help)->type_name(type);
  };
  text("--kernel", "se, matern12, matern32, matern52, or matern with --nu (default: matern52)", "KERNEL",
       [args](const std::string& s) {
         args().given.emplace_back("--kernel");
         args().matern = s == "matern";
         if (!args().matern) args().options.kernel = parse<KernelType>(s);
       });
  const auto real = [&](const char* name, const char* help, const char* type, std::function<void(double)> use) {
    text(name, help, type, [name, use = std::move(use)](const std::string& s) { use(finite_number(name, s)); });
  };
  const auto whole = [&](const char* name, const char* help, const char* type, std::int64_t high,
                         std::function<void(std::int64_t)> use) {
    text(name, help, type, [name, high, args, use = std::move(use)](const std::string& s) {
      args().given.emplace_back(name);
      use(whole_number<std::int64_t>(name, s, 1, high));
    });
  };
  constexpr std::int64_t kMany = 1'000'000'000;
  real("--nu", "Smoothness of the Matérn kernel: 0.5, 1.5 or 2.5", "NU", [args](double x) { args().nu = x; });
  whole("--dims", "Dimensions d (default: 2)", "D", 100,
        [args](std::int64_t x) { args().options.num_dims = static_cast<int>(x); });
  whole("--steps", "Steps T (default: 50)", "T", kMany, [args](std::int64_t x) { args().options.steps = x; });
  whole("--batch", "Points per step B (default: 100)", "B", kMany, [args](std::int64_t x) { args().options.batch = x; });
  real("--noise", "Noise variance τ (default: 0.1)", "TAU", [args](double x) { args().options.noise = x; });
  real("--lengthscale", "Length-scale ℓ of every coordinate (default: 0.3)", "L",
       [args](double x) { args().options.lengthscale = x; });
  real("--norm", "Bound 𝓑 on the objective's RKHS norm (default: 1)", "X", [args](double x) { args().options.norm = x; });
  real("--subgaussian", "R of the noise (default: √τ)", "R", [args](double x) { args().options.subgaussian = x; });
  real("--delta", "Chance δ with which Proposition 1 may fail (default: 1/T)", "X",
       [args](double x) { args().options.delta = x; });
  real("--epsilon0", "How close to a k-DPP Z is drawn (default: 1/(T² log T), or less where it must be)", "X",
       [args](double x) { args().options.epsilon0 = x; });
  real("--kappa", "κ to plan for, below 1/3 (default: 1/12)", "X", [args](double x) { args().options.kappa = x; });
  whole("--inducing", "Judge this m (default: 500)", "M", kMany,
        [args](std::int64_t x) { args().options.num_inducing = static_cast<int>(x); });
  whole("--features", "Judge this number of prior features (default: 1000)", "M", kMany,
        [args](std::int64_t x) { args().options.num_features = static_cast<int>(x); });
  whole("--candidates", "Candidates N a sample is maximised over, for the costs (default: 500 per dimension)", "N", kMany,
        [args](std::int64_t x) { args().options.num_candidates = x; });
  sub.add_flag_callback(
      "--quick", [args] { args().quick = true; }, "With a study file: measure for two seconds instead of eight");
}

const char* const kDiagnoseExamples =
    "Compares the sparse model and its samples with the exact GP on the same data.\n\n"
    "Examples:\n  salvo diagnose reactor.toml -o reactor-model.svg\n"
    "  salvo diagnose reactor.db --observations 4000 --json";

void add_diagnose_options(CLI::App& sub, const std::function<DiagnoseArgs&()>& args) {
  const auto whole = [&](const char* name, const char* help, int low, int high, int DiagnoseOptions::*to) {
    sub.add_option_function<std::string>(
           name, [=](const std::string& s) { args().options.*to = whole_number(name, s, low, high); }, help)
        ->type_name("N");
  };
  whole("--observations", "At most so many, as the exact GP takes N³ operations (default: 2000)", 2, 20000,
        &DiagnoseOptions::max_observations);
  whole("--points", "Where the models are compared (default: 1500)", 3, 1000000, &DiagnoseOptions::num_points);
  sub.add_option_function<std::string>(
         "-o,--output", [args](const std::string& s) { args().output = s; }, "Draw where they differ: .svg, .png or .html")
      ->type_name("FILE");
}

}  // namespace salvo::app
