#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/problems.h>
#include <salvo/study_file.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <limits>
#include <optional>
#include <set>

#include "space/text.h"
#include "study/model_section.h"
#include "study/objective.h"
#include "study/parameters.h"
#include "study/section.h"
#include "study/study_tree.h"
#include "study/text_file.h"

namespace salvo {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t max_bytes = std::size_t{4} << 20;
constexpr auto most = std::numeric_limits<std::int64_t>::max();

// Where each key of the top level belongs when somebody wrote it in the wrong section.
void hint_at_section(const TomlNode& root, FileErrors& errors, std::set<std::string>& reported) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> homes = {{{"command", "objective"},
                                                                                           {"builtin", "objective"},
                                                                                           {"workers", "objective"},
                                                                                           {"timeout", "objective"},
                                                                                           {"retries", "objective"},
                                                                                           {"batch", "budget"},
                                                                                           {"evaluations", "budget"},
                                                                                           {"kernel", "model"},
                                                                                           {"num_inducing", "model"},
                                                                                           {"num_features", "model"},
                                                                                           {"inducing", "model"},
                                                                                           {"alpha", "model"}}};
  for (std::size_t i = 0; i < root.keys.size(); ++i)
    for (const auto& [key, home] : homes)
      if (root.keys[i] == key) {
        errors.add(root.key_places[i], key, fmt::format("unknown key; did you mean \"{}\" in [{}]?", key, home));
        reported.insert(root.keys[i]);
      }
}

class Reader {
 public:
  Reader(const TomlNode& root, const std::string& path) : root_(root), errors_(path), top_(&root, "", errors_) {
    file_.path = path;
    folder_ = fs::path(path).parent_path();
  }

  StudyFile read() {
    read_top();
    read_pool();
    read_objective();
    read_space();
    read_budget();
    read_model();
    read_storage();
    std::set<std::string> reported;
    hint_at_section(root_, errors_, reported);
    for (const std::string& key : reported) (void)top_.anything(key);
    top_.finish();
    if (errors_.empty()) check_whole();
    errors_.raise();
    return std::move(file_);
  }

 private:
  void read_top() {
    static constexpr std::array<std::string_view, 2> initials = {"sobol", "uniform"};
    StudyOptions& study = file_.study;
    study.name = fs::path(file_.path).stem().string();
    if (study.name.empty() || study.name == "-") study.name = "study";
    if (std::string name; top_.text("name", name)) {
      if (name.empty() || name.size() > 100 || name[0] == '.' || name.find_first_of("/\\\n\r\t") != std::string::npos)
        top_.wrong("name", fmt::format("expected 1 to 100 characters without slashes, line breaks or a leading dot, got \"{}\"",
                                       shown(name)));
      study.name = name;
    }
    std::int64_t seed = 0;
    if (top_.integer("seed", seed, 0, most)) study.seed = static_cast<std::uint64_t>(seed);
    std::string initial = "sobol";
    if (top_.word("initial", initial, initials)) study.initial = initial == "sobol" ? Initial::sobol : Initial::uniform;
    std::vector<std::string_view> names;
    for (const MethodInfo& known : methods()) names.push_back(known.name);
    if (std::string name; top_.word("method", name, names)) study.method = method(name);
  }

  void read_pool() {
    pool_table_ = top_.table("pool");
    if (!pool_table_) return;
    Section section(pool_table_, "pool", errors_);
    std::string path;
    if (!section.has("path")) section.wrong("path", "expected a file that salvo pool build wrote, it is not there");
    if (section.text("path", path)) {
      try {
        file_.study.pool = Pool::open(resolve(path));
      } catch (const Error& error) {
        section.wrong("path", error.what());
      }
    }
    section.finish();
  }

  void read_objective() {
    static constexpr std::array<std::string_view, 2> inputs = {"none", "json"}, schedules = {"batch", "async"};
    const TomlNode* table = top_.table("objective");
    Section section(table, "objective", errors_);
    ObjectiveOptions& objective = file_.objective;
    const bool has_command = section.text("command", objective.command);
    const bool has_builtin = section.text("builtin", objective.builtin);
    if (section.text("lookup", objective.lookup)) check_lookup(section);
    if (has_command && objective.command.find_first_not_of(" \t\r\n") == std::string::npos)
      section.wrong("command", "expected a command line, got an empty one");
    if (has_command && has_builtin) section.wrong("builtin", "expected a command or a built-in problem, got both");
    if (has_builtin && pool_table_) section.wrong("builtin", "a built-in problem has a space of its own, not a pool");
    if (table && !section.has("command") && !section.has("builtin") && !section.has("lookup"))
      section.wrong("command", "expected a command or a built-in problem, got neither");
    if (has_builtin) {
      try {
        problem_ = problem(objective.builtin);
      } catch (const std::invalid_argument& error) {
        section.wrong("builtin", error.what());
      }
    }
    if (section.real("noise_variance", objective.noise_variance, 0) && !section.has("builtin"))
      section.wrong("noise_variance", "only for a built-in problem");
    if (double optimum = 0; section.real("optimum", optimum, -std::numeric_limits<double>::infinity())) {
      objective.optimum = optimum;
      if (section.has("builtin")) section.wrong("optimum", "a built-in problem knows its own");
    }
    if (section.text("truth", objective.truth) && !section.has("command"))
      section.wrong("truth", "only beside a command: it prints the command's value without noise");
    section.integer("workers", objective.workers);
    section.duration("timeout", objective.timeout);
    section.integer("retries", objective.retries, 0);
    section.word("input", objective.input, inputs);
    section.word("schedule", objective.schedule, schedules);
    section.text("directory", objective.directory);
    objective.directory = resolve(objective.directory);
    check_placeholders(section);
    section.finish();
    read_direction(section.has("builtin"));
  }

  void check_lookup(Section& section) {
    if (!file_.objective.command.empty() || !file_.objective.builtin.empty())
      section.wrong("lookup", "expected one of command, builtin and lookup, got several");
    if (!pool_table_) section.wrong("lookup", "only for a study over a pool");
    if (!file_.study.pool || file_.study.pool->find_text(file_.objective.lookup) >= 0) return;
    const std::vector<std::string> texts = file_.study.pool->texts();
    section.wrong("lookup", fmt::format("the pool keeps no column \"{}\"{}", shown(file_.objective.lookup),
                                        hint(file_.objective.lookup, std::vector<std::string_view>(texts.begin(), texts.end()))));
  }

  void check_placeholders(Section& section) {
    if (file_.objective.command.empty() || (pool_table_ && !file_.study.pool)) return;
    const std::vector<std::string> of_pool = file_.study.pool ? placeholder_names(file_.study) : std::vector<std::string>();
    std::vector<std::string_view> names(of_pool.begin(), of_pool.end());
    if (const TomlNode* parameters = root_.find("parameters")) names.assign(parameters->keys.begin(), parameters->keys.end());
    for (const auto& [key, command] :
         {std::pair("command", &file_.objective.command), std::pair("truth", &file_.objective.truth)}) {
      const std::string wrong = placeholder_problem(*command, names);
      if (!wrong.empty()) section.wrong(key, wrong);
    }
  }

  void read_direction(bool builtin) {
    static constexpr std::array<std::string_view, 2> directions = {"maximize", "minimize"};
    std::string direction = builtin ? "minimize" : "";
    const bool given = top_.word("direction", direction, directions);
    if (builtin && direction == "maximize") top_.wrong("direction", "a built-in problem is minimized, got \"maximize\"");
    if (!builtin && !given && !top_.has("direction"))
      errors_.add({}, "direction", "expected \"maximize\" or \"minimize\", it is not there");
    file_.study.direction = direction == "minimize" ? Direction::minimize : Direction::maximize;
  }

  void read_space() {
    const TomlNode* table = top_.table("parameters");
    if (pool_table_) {
      if (table) top_.wrong("parameters", "a study has parameters or a pool, not both");
      return;
    }
    if (!table) {
      if (problem_) file_.study.space = problem_->space;
      if (!problem_ && !top_.has("parameters") && file_.objective.builtin.empty())
        errors_.add({}, "parameters", "expected a table [parameters] (or [pool]), it is not there");
      return;
    }
    std::vector<Parameter> parameters = read_parameters(*table, errors_);
    if (parameters.size() != table->keys.size()) return;  // each of the others has been reported
    try {
      if (problem_) parameters = fitted(std::move(parameters));
      file_.study.space = Space(std::move(parameters));
    } catch (const std::invalid_argument& error) {
      top_.wrong("parameters", error.what());
    }
  }

  // The parameters in the problem's order; throws when they are not the problem's or leave its box.
  std::vector<Parameter> fitted(std::vector<Parameter> parameters) const {
    std::vector<Parameter> ordered;
    for (const Parameter& wanted : problem_->space.parameters()) {
      const auto found =
          std::find_if(parameters.begin(), parameters.end(), [&](const Parameter& p) { return p.name == wanted.name; });
      if (found == parameters.end())
        throw std::invalid_argument(
            fmt::format("the built-in problem \"{}\" has the parameter \"{}\", it is not there", problem_->name, wanted.name));
      ordered.push_back(*found);
    }
    if (parameters.size() != ordered.size())
      throw std::invalid_argument(fmt::format("the built-in problem \"{}\" has {} parameters, got {}", problem_->name,
                                              ordered.size(), parameters.size()));
    for (int i = 0; i < static_cast<int>(ordered.size()); ++i)
      for (const Value& value : extremes(ordered[i].domain)) (void)problem_->space.check(i, value);
    return ordered;
  }

  static std::vector<Value> extremes(const Domain& domain) {
    if (const auto* d = std::get_if<Float>(&domain)) return {d->low, d->high};
    if (const auto* d = std::get_if<Int>(&domain)) return {d->low, d->high};
    if (const auto* d = std::get_if<Categorical>(&domain)) return d->choices;
    if (const auto* d = std::get_if<Ordinal>(&domain)) return d->choices;
    if (const auto* d = std::get_if<Fixed>(&domain)) return {d->value};
    return {};
  }

  void read_budget() {
    Section section(top_.table("budget"), "budget", errors_);
    section.integer("batch", file_.budget.batch);
    section.integer("evaluations", file_.budget.evaluations, 1, most);
    section.integer("initial", file_.study.num_initial, 0);
    file_.study.batch = file_.budget.batch;
    section.finish();
  }

  void read_model() {
    Section section(top_.table("model"), "model", errors_);
    if (pool_table_) return read_pool_model(section);
    salvo::read_model(section, file_.study.model);
    section.finish();
  }

  void read_pool_model(Section& section) {
    constexpr std::array over_bits = {PoolKernelType::arccosine, PoolKernelType::tanimoto};
    constexpr std::array over_numbers = {PoolKernelType::matern52, PoolKernelType::matern32, PoolKernelType::matern12,
                                         PoolKernelType::se};
    constexpr std::array inducings = {PoolInducing::uniform, PoolInducing::greedy, PoolInducing::leaders};
    PoolModelOptions& model = file_.study.pool_model;
    const bool numbers = file_.study.pool && file_.study.pool->kind() == PoolKind::numbers;
    model.kernel = numbers ? read_choice(section, "kernel", over_numbers, over_numbers[0])
                           : read_choice(section, "kernel", over_bits, model.kernel);
    model.inducing = read_choice(section, "inducing", inducings, model.inducing);
    read_size(section, "num_inducing", model.num_inducing);
    section.integer("num_features", model.num_features);
    section.real("alpha", model.alpha, 0);
    section.integer("subset", model.subset, 0, most);
    read_floor(section, model.floor);
    file_.study.model.refit_growth = 0.02;  // candidates told since are not among the inducing ones
    section.real("refit_growth", file_.study.model.refit_growth, 0);
    section.finish();
  }

  static void read_floor(Section& section, std::optional<double>& floor) {
    const TomlNode* value = section.anything("floor");
    if (!value) return;
    floor.reset();
    if (value->kind != TomlNode::Kind::text)
      section.real("floor", floor.emplace(0), -std::numeric_limits<double>::infinity());
    else if (value->text != "none")
      section.wrong("floor", "expected a finite number or \"none\", got " + value->words());
  }

  template <class T, std::size_t n>
  static T read_choice(Section& section, std::string_view key, const std::array<T, n>& choices, T fallback) {
    std::array<std::string_view, n> words;
    for (std::size_t i = 0; i < n; ++i) words[i] = to_string(choices[i]);
    std::string word;
    if (!section.word(key, word, words)) return fallback;
    return choices[static_cast<std::size_t>(std::find(words.begin(), words.end(), word) - words.begin())];
  }

  void read_storage() {
    Section section(top_.table("storage"), "storage", errors_);
    std::string path = file_.study.name + ".db";
    if (section.text("path", path) && path.empty()) section.wrong("path", "expected the path of a file, got an empty text");
    file_.storage = path == ":memory:" ? path : resolve(path);
    section.finish();
  }

  void check_whole() {
    try {
      file_.study.validate();
      file_.objective.validate();
    } catch (const std::invalid_argument& error) {
      // The message begins with the key itself.
      throw InputError(fmt::format("{}: {}", file_.path, error.what()));
    }
  }

  std::string resolve(const std::string& path) const {
    const std::string resolved = (folder_ / path).lexically_normal().string();
    return resolved.empty() ? "." : resolved;
  }

  const TomlNode& root_;
  FileErrors errors_;
  Section top_;
  StudyFile file_;
  fs::path folder_;
  const TomlNode* pool_table_ = nullptr;
  std::optional<Problem> problem_;
};

}  // namespace

StudyFile parse_study_file(std::string_view text, const std::string& path, const Overrides& overrides) {
  if (text.size() > max_bytes) throw InputError(fmt::format("{}: expected a study file, got {} MiB", path, text.size() >> 20));
  TomlNode root = parse_toml(text, path);
  for (const auto& [key, value] : overrides) apply_override(root, key, value);
  return read_study_tree(root, path);
}

StudyFile read_study_tree(const TomlNode& root, const std::string& path) { return Reader(root, path).read(); }

StudyFile read_study_file(const std::string& path, const Overrides& overrides) {
  return parse_study_file(read_text(path, max_bytes), path, overrides);
}

}  // namespace salvo
