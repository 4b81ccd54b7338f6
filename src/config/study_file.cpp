#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/problems.h>
#include <salvo/study_file.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>
#include <set>

#include "config/fields_tree.h"
#include "config/objective.h"
#include "config/outputs.h"
#include "config/parameters.h"
#include "config/section.h"
#include "config/study_tree.h"
#include "config/where.h"
#include "text/file.h"
#include "text/text.h"
#include "text/toml.h"

namespace salvo {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kMaxBytes = std::size_t{4} << 20;

// Where each key of the top level belongs when somebody wrote it in the wrong section.
void hint_at_section(const Tree& root, FileErrors& errors, std::set<std::string>& reported) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 12> kHomes = {{{"command", "objective"},
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
    for (const auto& [key, home] : kHomes)
      if (root.keys[i] == key) {
        errors.add(root.key_places[i], key, fmt::format("unknown key; did you mean \"{}\" in [{}]?", key, home));
        reported.insert(root.keys[i]);
      }
}

class Reader {
 public:
  Reader(const Tree& root, const std::string& path) : root_(root), errors_(path), top_(&root, "", errors_) {
    file_.path = path;
    folder_ = fs::path(path).parent_path();
  }

  StudyFile read() {
    read_top();
    read_pool();
    read_objective();
    read_budget();
    if (pool_table_)
      read_pool_search();
    else
      read_space_search();
    read_storage();
    if (errors_.empty())
      read_start();
    else
      (void)top_.anything("start");  // its points cannot be checked; no error of its own
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
    StudyOptions& study = file_.study;
    study.name = fs::path(file_.path).stem().string();
    if (study.name.empty() || study.name == "-") study.name = "study";
    if (std::string name; top_.text("name", name)) {
      if (name.empty() || name.size() > 100 || name[0] == '.' || name.find_first_of("/\\\n\r\t") != std::string::npos)
        top_.wrong("name", fmt::format("expected 1 to 100 characters without slashes, line breaks or a leading dot, got \"{}\"",
                                       shown(name)));
      study.name = name;
    }
    if (std::int64_t seed = 0; top_.integer("seed", seed, Whole{0})) study.seed = static_cast<std::uint64_t>(seed);
    top_.choice("initial", initial_);
    top_.choice("method", method_);
  }

  void read_pool() {
    pool_table_ = top_.table("pool");
    if (!pool_table_) return;
    if (top_.table("parameters")) top_.wrong("parameters", "a study has parameters or a pool, not both");
    if (top_.anything("where"))
      top_.wrong("where",
                 "conditions are for parameters; of a pool, leave out the candidates that are not allowed (salvo pool build)");
    Section section(pool_table_, "pool", errors_);
    std::string path;
    if (!section.has("path")) section.wrong("path", "expected a file that salvo pool build wrote, it is not there");
    if (section.text("path", path)) {
      try {
        pool_ = Pool::open(resolve(path));
      } catch (const Error& error) {
        section.wrong("path", error.what());
      }
    }
    section.finish();
  }

  void read_objective() {
    const Tree* table = top_.table("objective");
    Section section(table, "objective", errors_);
    ObjectiveOptions& objective = file_.objective;
    each_field(objective, ReadFields(section));
    const bool has_command = section.has("command"), has_builtin = section.has("builtin");
    if (has_command) check_program(section, "command", objective.command);
    if (!objective.truth.empty()) check_program(section, "truth", objective.truth);
    if (has_command && has_builtin) section.wrong("builtin", "expected a command or a built-in problem, got both");
    if (has_builtin && pool_table_) section.wrong("builtin", "a built-in problem has a space of its own, not a pool");
    if (table && !has_command && !has_builtin && !section.has("lookup"))
      section.wrong("command", "expected a command or a built-in problem, got neither");
    if (!objective.builtin.empty()) {
      try {
        problem_ = problem(objective.builtin);
      } catch (const std::invalid_argument& error) {
        section.wrong("builtin", error.what());
      }
    }
    if (objective.noise_variance && !has_builtin) section.wrong("noise_variance", "only for a built-in problem");
    if (objective.optimum && has_builtin) section.wrong("optimum", "a built-in problem knows its own");
    if (!objective.truth.empty() && !has_command)
      section.wrong("truth", "only beside a command: it prints the command's value without noise");
    objective.directory = resolve(objective.directory);
    check_placeholders(section);
    section.finish();
    read_direction(has_builtin);
    if (!objective.lookup.empty()) check_lookup(section);
  }

  static void check_program(Section& section, std::string_view key, const CommandLine& command) {
    if (!command.words.empty() && command.words[0].empty())
      section.wrong(key, "expected the name of a program as the first text, got an empty one");
    if (command.words.empty() && command.line.find_first_not_of(" \t\r\n") == std::string::npos)
      section.wrong(key, "expected a command line, got an empty one");
  }

  void check_lookup(Section& section) {
    if (!file_.objective.command.empty() || !file_.objective.builtin.empty())
      section.wrong("lookup", "expected one of command, builtin and lookup, got several");
    if (!pool_table_) section.wrong("lookup", "only for a study over a pool");
    if (!pool_ || file_.study.outputs.empty()) return;
    if (const std::string problem = lookup_problem(file_.objective, file_.study.outputs, *pool_); !problem.empty())
      section.wrong("lookup", problem);
  }

  void check_placeholders(Section& section) {
    if (file_.objective.command.empty() || (pool_table_ && !pool_)) return;
    const std::vector<std::string> of_pool = pool_ ? placeholder_names(*pool_) : std::vector<std::string>();
    std::vector<std::string_view> names(of_pool.begin(), of_pool.end());
    if (const Tree* parameters = root_.find("parameters")) names.assign(parameters->keys.begin(), parameters->keys.end());
    for (const auto& [key, command] :
         {std::pair("command", &file_.objective.command), std::pair("truth", &file_.objective.truth)}) {
      std::vector<std::string> texts = command->words;
      if (texts.empty()) texts.push_back(command->line);
      for (const std::string& text : texts) {
        const std::string wrong = placeholder_problem(text, names);
        if (!wrong.empty()) section.wrong(key, wrong);
      }
    }
  }

  void read_direction(bool builtin) {
    if (const Tree* outputs = top_.table("outputs")) {
      if (top_.anything("direction"))
        top_.wrong("direction", "expected this key or the table [outputs], which says what each output is for, got both");
      file_.study.outputs = read_outputs(*outputs, parameter_names(), errors_);
      return;
    }
    Direction direction = Direction::minimize;
    const bool given = top_.choice("direction", direction);
    if (builtin && direction == Direction::maximize) top_.wrong("direction", "a built-in problem is minimized, got \"maximize\"");
    if (!builtin && !given && !top_.has("direction"))
      errors_.add({}, "direction", "expected \"maximize\" or \"minimize\" (or a table [outputs]), it is not there");
    file_.study.outputs = problem_ ? problem_->outputs : one_objective(direction);
  }

  [[nodiscard]] std::vector<std::string> parameter_names() const {
    if (pool_) return {pool_->space().parameters()[0].name};
    if (const Tree* parameters = root_.find("parameters")) return parameters->keys;
    std::vector<std::string> names;
    if (problem_)
      for (const Parameter& parameter : problem_->space.parameters()) names.push_back(parameter.name);
    return names;
  }

  void read_budget() {
    Section section(top_.table("budget"), "budget", errors_);
    each_field(file_.budget, ReadFields(section));
    file_.study.batch = file_.budget.batch;
    file_.study.num_initial = file_.budget.initial;
    if (section.has("target") && file_.study.num_objectives() > 1)
      section.wrong("target", "only with one objective: several have a front, and no value that is good enough");
    section.finish();
  }

  void read_space_search() {
    SpaceSearch search{.space = read_space(), .method = method_, .initial = initial_};
    Section section(top_.table("model"), "model", errors_);
    each_field(search.model, ReadFields(section));
    section.finish();
    file_.study.search = std::move(search);
  }

  Space read_space() {
    const Tree* table = top_.table("parameters");
    where_ = read_where(top_, errors_);
    if (!table) {
      if (problem_) return where_.empty() ? problem_->space : with_conditions(problem_->space.parameters(), where_, errors_);
      if (!top_.has("parameters") && file_.objective.builtin.empty())
        errors_.add({}, "parameters", "expected a table [parameters] (or [pool]), it is not there");
      return {};
    }
    std::vector<Parameter> parameters = read_parameters(*table, errors_, file_.labels, file_.before);
    if (parameters.size() != table->keys.size()) return {};  // each of the others has been reported
    try {
      if (problem_) parameters = fitted(std::move(parameters));
      const Space space(parameters);
      return where_.empty() ? space : with_conditions(std::move(parameters), where_, errors_);
    } catch (const std::invalid_argument& error) {
      top_.wrong("parameters", error.what());
      return {};
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

  void read_pool_search() {
    Section section(top_.table("model"), "model", errors_);
    PoolModelOptions model;
    if (pool_ && pool_->kind() == PoolKind::numbers) model.kernel = PoolKernelType::matern52;
    each_field(model, ReadFields(section));
    if (pool_ && kind_of(model.kernel) != pool_->kind())
      section.wrong("kernel", fmt::format("expected {}, got \"{}\"", pool_kernels(pool_->kind()), to_string(model.kernel)));
    section.finish();
    if (pool_) file_.study.search = PoolSearch{.pool = *pool_, .method = method_, .model = model};
  }

  void read_storage() {
    Section section(top_.table("storage"), "storage", errors_);
    std::string path = file_.study.name + ".db";
    if (section.text("path", path) && path.empty()) section.wrong("path", "expected the path of a file, got an empty text");
    file_.storage = path == ":memory:" ? path : resolve(path);
    section.finish();
  }

  // Tables of parameters; over a pool, ids.
  void read_start() {
    std::vector<Tree> points;
    if (!top_.list("start", points)) return;
    const Space space = file_.study.space();
    if (!where_.empty() && space.where().empty()) return;  // what is wrong with the conditions is said; what follows is not known
    for (const Tree& point : points) {
      try {
        file_.start.push_back(point_of(point, space));
      } catch (const std::invalid_argument& error) {
        errors_.add(point.place, "start", error.what());
      }
    }
  }

  Params point_of(const Tree& point, const Space& space) const {
    if (pool_) {
      if (point.kind != Tree::Kind::text || pool_->find(point.text) < 0)
        throw std::invalid_argument(fmt::format("expected the id of a candidate of the pool, got {}", point.words()));
      return {point.text};
    }
    if (point.kind != Tree::Kind::table)
      throw std::invalid_argument(fmt::format("expected a point {{NAME = VALUE, …}}, got {}", point.words()));
    for (const std::string& key : point.keys) {
      if (space.find(key) >= 0) continue;
      std::vector<std::string_view> known;
      for (const Parameter& parameter : space.parameters()) known.push_back(parameter.name);
      throw std::invalid_argument(fmt::format("no parameter is called \"{}\"{}", shown(key), hint(key, known)));
    }
    std::vector<std::optional<Value>> values;
    for (int i = 0; i < static_cast<int>(space.parameters().size()); ++i) {
      const Parameter& parameter = space.parameters()[static_cast<std::size_t>(i)];
      const Tree* given = point.find(parameter.name);
      values.push_back(given ? value_of(*given) : std::nullopt);
      if (!values.back() && (given || !space.may_be_left_out(i)))
        throw std::invalid_argument(fmt::format("{}: expected a value, got {}", parameter.name, given ? given->words() : "none"));
      if (values.back()) values.back() = space.check_offered(i, *values.back());
    }
    return space.check_offered(space.completed(values));
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

  const Tree& root_;
  FileErrors errors_;
  Section top_;
  StudyFile file_;
  fs::path folder_;
  Method method_ = Method::automatic;
  Initial initial_ = Initial::sobol;
  std::vector<WrittenCondition> where_;
  const Tree* pool_table_ = nullptr;
  std::optional<Pool> pool_;
  std::optional<Problem> problem_;
};

}  // namespace

const std::string& StudyFile::label(const std::string& parameter) const {
  const auto found = labels.find(parameter);
  return found == labels.end() ? parameter : found->second;
}

StudyFile parse_study_file(std::string_view text, const std::string& path, const Overrides& overrides) {
  if (text.size() > kMaxBytes) throw InputError(fmt::format("{}: expected a study file, got {} MiB", path, text.size() >> 20));
  Tree root = parse_toml(text, path);
  for (const auto& [key, value] : overrides) apply_override(root, key, value);
  return read_study_tree(root, path);
}

StudyFile read_study_tree(const Tree& root, const std::string& path) { return Reader(root, path).read(); }

StudyFile read_study_file(const std::string& path, const Overrides& overrides) {
  return parse_study_file(read_text(path, kMaxBytes), path, overrides);
}

}  // namespace salvo
