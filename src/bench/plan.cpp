#include <fmt/format.h>
#include <salvo/bench.h>
#include <salvo/error.h>
#include <salvo/problems.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <set>
#include <utility>

#include "bench/tree.h"
#include "config/section.h"
#include "config/study_tree.h"
#include "text/file.h"
#include "text/text.h"

namespace salvo {
namespace benching {
namespace {

namespace fs = std::filesystem;
using Kind = Tree::Kind;
constexpr std::size_t kMaxBytes = std::size_t{4} << 20;
constexpr auto kMost = std::numeric_limits<std::int64_t>::max();
constexpr int kMaxSeeds = 1'000'000;

// A method as it competes: its name in the tables and the study-file keys that make it.
struct Entry {
  std::string label;
  Tree keys;
};

struct ProblemEntry {
  std::string label;
  std::string path;  // of the user's study file, or of the benchmark
  Tree base;         // the study itself
  Tree table;        // the keys of [problem.NAME]
  double stuck = std::numeric_limits<double>::quiet_NaN();
  std::optional<Problem> builtin;
};

// "d + 4" → d + 4; none when the text is no such sum.
std::optional<std::int64_t> dims_plus(std::string text, int d) {
  std::erase(text, ' ');
  if (text == "d") return d;
  if (!text.starts_with("d+")) return std::nullopt;
  std::int64_t more = 0;
  const char* last = text.data() + text.size();
  const auto [end, error] = std::from_chars(text.data() + 2, last, more);
  if (error != std::errc() || end != last || more < 0 || more > 1'000'000) return std::nullopt;
  return d + more;
}

std::vector<std::string> comma_separated(const std::string& text) {
  std::vector<std::string> parts;
  for (std::size_t at = 0; at <= text.size();) {
    const std::size_t end = std::min(text.find(',', at), text.size());
    parts.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return parts;
}

class Planner {
 public:
  explicit Planner(const BenchRequest& request) : request_(request), errors_(shown_name()) {}

  BenchPlan plan() {
    if (!request_.path.empty()) root_ = parse_toml(read_text(request_.path, kMaxBytes), request_.path);
    if (request_.quick) {
      const Tree* quick = root_.find("quick");
      if (!quick || quick->kind != Kind::table)
        throw InputError(fmt::format("--quick: {} has no [quick] to say what is left out", shown_name()));
      merge(root_, Tree(*quick));
    }
    for (const auto& [key, value] : request_.set) apply_override(extra_, key, value);
    refuse_reserved(extra_, "");
    read_top();
    errors_.raise();
    for (const ProblemEntry& problem : problems_)
      for (const Entry& method : methods_) plan_.cases.push_back(make_case(problem, method));
    return std::move(plan_);
  }

 private:
  [[nodiscard]] std::string shown_name() const { return request_.path.empty() ? "salvo bench" : request_.path; }
  [[nodiscard]] fs::path folder() const { return fs::path(request_.path).parent_path(); }

  void read_top() {
    Section top(&root_, "", errors_);
    if (!request_.path.empty()) plan_.name = fs::path(request_.path).stem().string();
    if (std::string name; top.text("name", name)) {
      if (name.empty() || name.size() > 100 || name[0] == '.' || name.find_first_of("/\\\n\r\t") != std::string::npos)
        top.wrong("name", fmt::format("expected 1 to 100 characters without slashes or a leading dot, got \"{}\"", shown(name)));
      plan_.name = name;
    }
    std::int64_t seeds = plan_.seeds;
    top.integer("seeds", seeds, Whole{1, kMaxSeeds});
    plan_.seeds = request_.seeds.value_or(static_cast<int>(seeds));
    top.integer("first_seed", plan_.first_seed, Whole{0, kMost - kMaxSeeds});
    plan_.first_seed = request_.first_seed.value_or(plan_.first_seed);
    if (const Tree* study = top.table("study")) study_ = *study;
    refuse_reserved(study_, "study");
    (void)top.anything("quick");
    const Tree* problem_tables = top.table("problem");
    const Tree* method_tables = top.table("method");
    read_problems(names(top, "problems", request_.problems), problem_tables);
    read_methods(top, names(top, "methods", request_.methods), method_tables);
    top.finish();
  }

  // The list under `key`, or what the command line says instead.
  std::vector<std::string> names(Section& top, const char* key, const std::vector<std::string>& instead) {
    std::vector<Tree> items;
    std::vector<std::string> found;
    if (top.list(key, items))
      for (const Tree& item : items) {
        if (item.kind != Kind::text) errors_.add(item.place, key, "expected a name in quotes, got " + item.words());
        found.push_back(item.text);
      }
    if (!instead.empty()) found = instead;
    std::set<std::string> seen;
    for (const std::string& name : found)
      if (!seen.insert(name).second) errors_.add({}, key, fmt::format("\"{}\" is there twice", shown(name)));
    return found;
  }

  // Seeds are the benchmark's, and its runs are kept in memory.
  void refuse_reserved(const Tree& table, const std::string& where) {
    static constexpr std::array<std::pair<std::string_view, std::string_view>, 3> kReserved = {
        {{"seed", "a benchmark has seeds and first_seed, at its top"},
         {"storage", "a benchmark keeps its runs in the folder that --output names"},
         {"name", "the problem's name is the study's"}}};
    for (const auto& [key, why] : kReserved)
      if (const Tree* value = table.find(key))
        errors_.add(value->place, where.empty() ? std::string(key) : fmt::format("{}.{}", where, key), std::string(why));
  }

  void read_problems(const std::vector<std::string>& wanted, const Tree* tables) {
    if (wanted.empty())
      errors_.add({}, "problems", "expected a list of problems (salvo bench list names them) or of study files, it is not there");
    std::set<std::string> labels;
    for (const std::string& name : wanted) {
      try {
        ProblemEntry entry = name.ends_with(".toml") ? own_problem(name) : builtin_problem(name);
        if (!labels.insert(entry.label).second)
          errors_.add({}, "problems", fmt::format("two of them are called \"{}\"", shown(entry.label)));
        read_problem_table(entry, tables);
        problems_.push_back(std::move(entry));
      } catch (const InputError&) {
        throw;
      } catch (const std::invalid_argument& error) {
        wrong_name("problems", !request_.problems.empty(), error.what());
      }
    }
    if (!tables) return;
    for (std::size_t i = 0; i < tables->keys.size(); ++i)
      if (!request_.quick && request_.problems.empty() && !labels.contains(tables->keys[i]))
        errors_.add(tables->key_places[i], "problem." + tables->keys[i], "there is no such problem in problems");
  }

  // A list of names that came from the file, or from the option of that name.
  void wrong_name(const std::string& key, bool from_option, const std::string& what) {
    const Tree* node = from_option ? nullptr : root_.find(key);
    errors_.add(node ? node->place : Place{}, from_option ? "--" + key : key, what);
  }

  static ProblemEntry builtin_problem(const std::string& name) {
    ProblemEntry entry{.label = name, .path = "", .base = {}, .table = {}, .builtin = problem(name)};
    entry.stuck = entry.builtin->stuck;
    benching::entry(benching::entry(entry.base, "objective"), "builtin") = text_node(name);
    return entry;
  }

  ProblemEntry own_problem(const std::string& name) const {
    ProblemEntry entry{
        .label = "", .path = (folder() / name).lexically_normal().string(), .base = {}, .table = {}, .builtin = {}};
    entry.base = parse_toml(read_text(entry.path, kMaxBytes), entry.path);
    set_file(entry.base, entry.path);
    const StudyFile alone = read_study_tree(entry.base, entry.path);
    entry.label = alone.study.name;
    if (!alone.objective.builtin.empty()) entry.builtin = problem(alone.objective.builtin);
    if (!entry.builtin && !alone.objective.optimum)
      throw InputError(
          fmt::format("{}: objective.optimum: expected the best value there is, it is not there; a benchmark "
                      "measures how far from it a method ends",
                      entry.path));
    return entry;
  }

  // [problem.NAME]: study-file keys for this problem, and where a run counts as stuck.
  void read_problem_table(ProblemEntry& problem, const Tree* tables) {
    const Tree* found = tables ? tables->find(problem.label) : nullptr;
    if (!found) return;
    if (found->kind != Kind::table)
      return errors_.add(found->place, "problem." + problem.label, "expected a table, got " + found->words());
    Tree table = *found;
    refuse_reserved(table, "problem." + problem.label);
    Section section(found, "problem." + problem.label, errors_);
    section.number("stuck", problem.stuck, Real{0});
    const auto stuck = std::find(table.keys.begin(), table.keys.end(), "stuck") - table.keys.begin();
    if (stuck < std::ssize(table.keys)) {
      table.keys.erase(table.keys.begin() + stuck);
      table.key_places.erase(table.key_places.begin() + stuck);
      table.items.erase(table.items.begin() + stuck);
    }
    problem.table = std::move(table);
  }

  void read_methods(Section& top, std::vector<std::string> wanted, const Tree* tables) {
    std::vector<std::string_view> known;
    if (tables) known.assign(tables->keys.begin(), tables->keys.end());
    if (wanted.empty()) wanted.assign(known.begin(), known.end());
    if (wanted.empty()) wanted = {"auto", "random"};
    for (const auto& [method, name] : Names<Method>::list)
      if (std::find(known.begin(), known.end(), name) == known.end()) known.push_back(name);
    for (const std::string& label : wanted) {
      if (std::find(known.begin(), known.end(), label) == known.end()) {
        wrong_name("methods", !request_.methods.empty(), fmt::format("no method \"{}\"{}", shown(label), hint(label, known)));
        continue;
      }
      Entry made{label, {}};
      const Tree* table = tables ? tables->find(label) : nullptr;
      if (table && table->kind != Kind::table) {
        errors_.add(table->place, "method." + label, "expected a table of study-file keys, got " + table->words());
        continue;
      }
      if (table) made.keys = *table;
      refuse_reserved(made.keys, "method." + label);
      const auto& all = Names<Method>::list;
      const bool is_name = std::any_of(all.begin(), all.end(), [&](const auto& each) { return each.second == label; });
      if (is_name && !made.keys.find("method")) benching::entry(made.keys, "method") = text_node(label);
      methods_.push_back(std::move(made));
    }
    read_vary(top);
  }

  // Every method once with each value of each key.
  void read_vary(Section& top) {
    if (const Tree* table = top.table("vary")) vary_all(*table, "");
    for (const auto& [key, values] : request_.vary) vary(key, comma_separated(values));
  }

  void vary_all(const Tree& table, const std::string& before) {
    for (std::size_t i = 0; i < table.keys.size(); ++i) {
      const Tree& item = table.items[i];
      const std::string key = before + table.keys[i];
      if (item.kind == Kind::table) {
        vary_all(item, key + ".");
      } else if (item.kind == Kind::array && !item.items.empty()) {
        std::vector<std::string> values;
        for (const Tree& value : item.items) values.push_back(toml_text(value));
        vary(key, values);
      } else {
        errors_.add(item.place, "vary." + key, fmt::format("expected a list of values, [250, 500], got {}", item.words()));
      }
    }
  }

  void vary(const std::string& key, const std::vector<std::string>& values) {
    std::vector<Entry> varied;
    for (const Entry& method : methods_)
      for (const std::string& value : values) {
        Entry made = method;
        apply_override(made.keys, key, value);
        std::string plain = value;
        std::erase(plain, '"');
        made.label += fmt::format(", {} = {}", key.substr(key.rfind('.') + 1), plain);
        varied.push_back(std::move(made));
      }
    methods_ = std::move(varied);
  }

  BenchCase make_case(const ProblemEntry& problem, const Entry& method) {
    const std::string path = problem.path.empty() ? shown_name() : problem.path;
    Tree over = study_;
    merge(over, problem.table);
    merge(over, method.keys);
    if (!problem.path.empty() && !request_.path.empty()) set_file(over, request_.path);
    Tree root = problem.base;
    merge(root, over);
    merge(root, extra_);
    benching::entry(root, "name") = text_node(problem.label);
    fill_initial(root, path);

    BenchCase made{.problem = problem.label,
                   .method = method.label,
                   .file = read_study_tree(root, path),
                   .optimum = 0,
                   .stuck = problem.stuck,
                   .settings = flat_text(root, {"name", "seed", "storage"})};
    // Results would be told under the wrong name, and against the wrong optimum.
    const std::string& builtin = made.file.objective.builtin;
    if (builtin != (problem.builtin ? problem.builtin->name : ""))
      throw InputError(fmt::format("{}: objective.builtin: \"{}\" would stand in for the problem {}; name it in problems instead",
                                   shown_name(), shown(builtin), problem.label));
    made.optimum = problem.builtin ? problem.builtin->optimum : made.file.objective.optimum.value_or(0);
    if (problem.builtin && std::isnan(made.optimum) && std::isnan(problem.builtin->hypervolume))
      throw InputError(fmt::format("{}: no best value of the built-in problem \"{}\" is known to measure a regret against", path,
                                   problem.label));
    if (problem.builtin)
      made.hypervolume = problem.builtin->hypervolume;
    else if (!made.file.study.one_output())
      check_own_outputs(made, path);
    return made;
  }

  // A user's problem with several outputs: objective.optimum is the best hypervolume where several of them are objectives.
  static void check_own_outputs(BenchCase& made, const std::string& path) {
    if (made.file.study.num_objectives() < 2) return;
    for (const Output& output : made.file.study.outputs)
      if (const auto* objective = std::get_if<Objective>(&output.role); objective && !objective->reference)
        throw InputError(
            fmt::format("{}: outputs.{}.reference: expected a number, it is not there; a benchmark of several "
                        "objectives compares hypervolumes above the same reference",
                        path, output.name));
    made.hypervolume = std::exchange(made.optimum, std::numeric_limits<double>::quiet_NaN());
  }

  // budget.initial = "d + 4", as sequential methods want it.
  static void fill_initial(Tree& root, const std::string& path) {
    const Tree* budget = root.find("budget");
    const Tree* initial = budget ? budget->find("initial") : nullptr;
    if (!initial || initial->kind != Kind::text) return;
    Tree without = root;
    Tree zero = *initial;
    zero.kind = Kind::integer;
    benching::entry(benching::entry(without, "budget"), "initial") = zero;
    const int d = read_study_tree(without, path).study.space().num_free();
    const auto number = dims_plus(initial->text, d);
    if (!number)
      throw InputError(fmt::format("{}: budget.initial: expected a whole number or \"d + 4\" (d: dimensions), got {}",
                                   initial->place.shown(path), initial->words()));
    zero.integer = *number;
    benching::entry(benching::entry(root, "budget"), "initial") = zero;
  }

  const BenchRequest& request_;
  FileErrors errors_;
  Tree root_, study_, extra_;
  std::vector<ProblemEntry> problems_;
  std::vector<Entry> methods_;
  BenchPlan plan_;
};

}  // namespace
}  // namespace benching

BenchPlan plan_bench(const BenchRequest& request) { return benching::Planner(request).plan(); }

}  // namespace salvo
