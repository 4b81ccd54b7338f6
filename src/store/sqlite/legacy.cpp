#include "store/sqlite/legacy.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "text/json.h"
#include "text/numbers.h"

namespace salvo {
namespace {

void set_missing(Tree& table, std::string_view key, Tree value) {
  if (!table.find(key)) table.add(key, std::move(value));
}

void replace(Tree& table, std::string_view key, Tree value) {
  const auto found = std::find(table.keys.begin(), table.keys.end(), key);
  table.items[static_cast<std::size_t>(found - table.keys.begin())] = std::move(value);
}

void remove(Tree& table, std::string_view key) {
  const auto at = std::find(table.keys.begin(), table.keys.end(), key) - table.keys.begin();
  if (at == std::ssize(table.keys)) return;
  table.keys.erase(table.keys.begin() + at);
  table.key_places.erase(table.key_places.begin() + at);
  table.items.erase(table.items.begin() + at);
}

// A size of 0 was the automatic one.
void name_automatic(Tree& model, std::string_view key) {
  const Tree* size = model.find(key);
  if (size && size->kind == Tree::Kind::integer && size->integer == 0) replace(model, key, Tree::of(std::string_view("auto")));
}

// Options that came later were off before: a study goes on as it began.
Tree space_model(Tree model) {
  set_missing(model, "features", Tree::of(std::string_view("fourier")));
  set_missing(model, "exact_until", Tree::of(std::int64_t{0}));
  set_missing(model, "max_share", Tree::of(1.0));
  set_missing(model, "near_share", Tree::of(0.0));
  set_missing(model, "scout_share", Tree::of(0.0));
  name_automatic(model, "num_inducing");
  name_automatic(model, "num_features");
  const Tree* rule = model.find("alpha_rule");
  if (rule && rule->text == "theory")
    replace(model, "alpha", Tree::of(std::string_view("theory")));
  else if (model.at("alpha").kind == Tree::Kind::other)  // null
    replace(model, "alpha", Tree::of(std::string_view("auto")));
  remove(model, "alpha_rule");
  return model;
}

Tree pool_model(Tree model, const Tree& space_model) {
  set_missing(model, "floor", Tree::of(std::string_view("none")));
  name_automatic(model, "num_inducing");
  model.add("refit_growth", space_model.at("refit_growth"));
  return model;
}

Tree options_of(const Query& row) {
  Tree out;
  out.add("name", Tree::of(row.text(0)));
  out.add("seed", Tree::of(row.text(2)));
  out.add("batch", Tree::of(row.integer(3)));
  out.add("num_initial", Tree::of(row.integer(4)));
  Tree& outputs = out.add("outputs", Tree::list());
  Tree& objective = outputs.items.emplace_back();
  objective.add("name", Tree::of(std::string_view("value")));
  objective.add("direction", Tree::of(row.text(1)));
  out.add("method", Tree::of(row.text(8)));
  const Tree model = parse_json(row.text(7));
  if (const std::string checksum = row.text(10); !checksum.empty()) {
    Tree& pool = out.add("pool", {});
    pool.add("path", Tree::of(row.text(9)));
    pool.add("checksum", Tree::of(checksum));
    out.add("model", pool_model(parse_json(row.text(11)), model));
  } else {
    out.add("initial", Tree::of(row.text(5)));
    out.add("model", space_model(model));
  }
  return out;
}

std::string sorted_words(std::vector<std::string> words) {
  std::sort(words.begin(), words.end());
  return fmt::format("{}", fmt::join(words, " "));
}

// Words in any order, or, of a pool, {"kernel":"tanimoto",…} anchored=100.
std::string settings_of(const std::string& old) {
  std::vector<std::string> words;
  std::string rest = old;
  if (const auto end = old.rfind('}'); old.starts_with('{') && end != std::string::npos) {
    const Tree options = parse_json(old.substr(0, end + 1));
    for (std::size_t i = 0; i < options.keys.size(); ++i) {
      const Tree& value = options.items[i];
      words.push_back(options.keys[i] + "=" + (value.kind == Tree::Kind::text ? value.text : value.words()));
    }
    rest = old.substr(end + 1);
  }
  std::istringstream stream(rest);
  for (std::string word; stream >> word;) words.push_back(word);
  return sorted_words(std::move(words));
}

// The seed of a pool's features has 64 bits, more than a number is sure to keep.
std::string with_seed_as_text(const std::string& json) {
  constexpr std::string_view kKey = "\"features\":";
  const auto key = json.find(kKey);
  if (key == std::string::npos) return json;
  const auto begin = key + kKey.size(), end = std::min(json.find_first_not_of("0123456789", begin), json.size());
  return fmt::format("{}\"{}\"{}", json.substr(0, begin), json.substr(begin, end - begin), json.substr(end));
}

Tree learned_of(const Query& row) {
  Tree out;
  out.add("num_observations", Tree::of(row.integer(2)));
  out.add("centre", Tree::of(row.real(4)));
  out.add("scale", Tree::of(row.real(5)));
  out.add("lowest", Tree::of(row.real(6)));
  Tree hyper = parse_json(with_seed_as_text(row.text(7)));
  if (const Tree* floor = hyper.find("floor"); floor && floor->kind == Tree::Kind::other) remove(hyper, "floor");
  for (std::size_t i = 0; i < hyper.keys.size(); ++i) out.add(hyper.keys[i], hyper.items[i]);
  return out;
}

}  // namespace

void move_to_documents(Database& database) {
  {
    auto row = database.query(
        "SELECT name, direction, seed, batch, num_initial, initial, space, model, method, pool, pool_checksum, pool_model, "
        "created_at, asks, tells FROM old_study");
    if (row.next()) {
      database
          .query(
              "INSERT INTO study (id, space, outputs, options, created_at, asks, tells) VALUES (1, ?, '[\"value\"]', ?, ?, ?, ?)",
              row.text(6), to_json(options_of(row)), row.real(12), row.integer(13), row.integer(14))
          .run();
    }
  }
  {
    auto row = database.query(
        "SELECT ask, sequence, num_observations, settings, centre, scale, lowest, hyper, num_inducing, inducing FROM "
        "old_learned");
    if (row.next()) {
      database
          .query("INSERT INTO learned (id, ask, sequence, settings, document, arrays) VALUES (1, ?, ?, ?, ?, ?)", row.integer(0),
                 row.integer(1), settings_of(row.text(3)), to_json(learned_of(row)), row.blob(9))
          .run();
    }
  }
  database.run("DROP TABLE old_learned; DROP TABLE old_study;");
}

}  // namespace salvo
