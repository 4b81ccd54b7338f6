#include "config/options_json.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <charconv>
#include <filesystem>
#include <stdexcept>

#include "config/fields_tree.h"
#include "text/json.h"
#include "text/text.h"

namespace salvo {
namespace {

namespace fs = std::filesystem;

Tree tree_of(const Output& output) {
  Tree out;
  out.add("name", Tree::of(output.name));
  if (const auto* objective = std::get_if<Objective>(&output.role)) {
    out.add("direction", Tree::of(to_string(objective->direction)));
    if (objective->reference) out.add("reference", Tree::of(*objective->reference));
  } else {
    const auto& constraint = std::get<Constraint>(output.role);
    if (std::isfinite(constraint.min)) out.add("min", Tree::of(constraint.min));
    if (std::isfinite(constraint.max)) out.add("max", Tree::of(constraint.max));
    out.add("probability", Tree::of(constraint.probability));
    if (constraint.passed) out.add("passed", Tree::of(true));
  }
  return out;
}

Output output_from(const Tree& tree) {
  Output out{text_of(tree, "name"), Constraint{}};
  if (tree.find("direction")) {
    Objective objective{parse<Direction>(text_of(tree, "direction"))};
    if (tree.find("reference")) objective.reference = number_of(tree, "reference");
    out.role = objective;
  } else {
    const Constraint none;
    out.role = Constraint{.min = number_of(tree, "min", none.min),
                          .max = number_of(tree, "max", none.max),
                          .probability = number_of(tree, "probability", none.probability),
                          .passed = tree.find("passed") != nullptr};
  }
  return out;
}

void write(const SpaceSearch& search, Tree& out) {
  each_field(search, WriteFields(out));
  each_field(search.model, WriteFields(out.add("model", {})));
}

void write(const PoolSearch& search, Tree& out) {
  each_field(search, WriteFields(out));
  const std::string& path = search.pool.path();
  Tree& pool = out.add("pool", {});
  pool.add("path", Tree::of(path.empty() ? path : fs::absolute(path).lexically_normal().string()));
  pool.add("checksum", Tree::of(search.pool.checksum()));
  each_field(search.model, WriteFields(out.add("model", {})));
}

void replace_pool(Tree& out, const Tree& earlier) {
  for (std::size_t i = 0; i < out.keys.size(); ++i)
    if (const Tree* pool = earlier.find("pool"); pool && out.keys[i] == "pool") out.items[i] = *pool;
}

std::uint64_t seed_of(const std::string& text) {
  std::uint64_t seed = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), seed);
  if (error != std::errc() || end != text.data() + text.size())
    throw std::invalid_argument(fmt::format("seed: expected a whole number, got \"{}\"", shown(text)));
  return seed;
}

// Reads the fields of a table; throws std::invalid_argument with all that is wrong.
template <class Options>
void read_fields(const Tree& table, Options& options) {
  FileErrors errors("options");
  Section section(&table, "", errors);
  each_field(options, ReadFields(section));
  errors.raise();
}

// Where it was, or beside the study: the two may have been moved together.
Pool find_pool(const std::string& path, const std::string& study) {
  if (path.empty()) {
    throw StoreError(study + ": it is over a pool that was in memory only. Make the same pool again and open the study with it");
  }
  const auto beside = fs::path(study).parent_path() / fs::path(path).filename();
  return Pool::open(!fs::exists(path) && fs::exists(beside) ? beside.string() : path);
}

void require_same_pool(const Pool& pool, const std::string& checksum, const std::string& study) {
  if (pool.checksum() == checksum) return;
  throw StoreError(
      fmt::format("{}: the pool {} has changed since the study began: its checksum was {}, now it is {}. Restore the old "
                  "file, or begin another study",
                  study, pool.path().empty() ? "in memory" : pool.path(), checksum, pool.checksum()));
}

}  // namespace

std::string options_to_json(const StudyOptions& options, const std::string& earlier) {
  Tree out;
  each_field(options, WriteFields(out));
  out.add("seed", Tree::of(std::to_string(options.seed)));  // 64 bits: more than a number of JSON is sure to keep
  Tree& outputs = out.add("outputs", Tree::list());
  for (const Output& output : options.outputs) outputs.items.push_back(tree_of(output));
  std::visit([&](const auto& search) { write(search, out); }, options.search);
  if (const Pool* pool = options.pool(); pool && pool->path().empty() && !earlier.empty()) replace_pool(out, parse_json(earlier));
  return to_json(out);
}

StudyOptions options_from_json(const std::string& document, const Space& space, const std::string& study,
                               const std::optional<Pool>& given) {
  const Tree tree = parse_json(document);
  StudyOptions options;
  read_fields(tree, options);
  options.seed = seed_of(text_of(tree, "seed"));
  for (const Tree& output : tree.at("outputs").items) options.outputs.push_back(output_from(output));
  if (const Tree* reference = tree.find("pool")) {
    const Pool pool = given ? *given : find_pool(text_of(*reference, "path"), study);
    require_same_pool(pool, text_of(*reference, "checksum"), study);
    PoolSearch search{.pool = pool};
    search.model.failures = FailureUse::ignore;  // of studies that began before it was learned
    read_fields(tree, search);
    read_fields(tree.at("model"), search.model);
    options.search = std::move(search);
  } else {
    SpaceSearch search{.space = space};
    search.model.transform = Transform::none;  // of studies that began before there was another …
    search.model.failures = FailureUse::ignore;
    search.model.summit_share = 0;  // … or any of these
    search.model.choice_share = 0;
    read_fields(tree, search);
    read_fields(tree.at("model"), search.model);
    // Before there was a search around the best point this is what "auto" stood for.
    if (search.method == Method::automatic && !tree.at("model").find("local_share"))
      search.method = space.num_continuous() < 7 ? Method::thompson : Method::turbo;
    options.search = std::move(search);
  }
  options.validate();
  return options;
}

}  // namespace salvo
