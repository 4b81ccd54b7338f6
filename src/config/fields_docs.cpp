#include "config/fields_docs.h"

#include <fmt/format.h>
#include <salvo/fields.h>

#include <stdexcept>
#include <utility>
#include <vector>

#include "config/fields_table.h"

namespace salvo {
namespace {

// Keys that are read one by one: what they may be depends on others.
std::vector<KeyDoc> top_docs() {
  return {
      {"name", "text", "the file's name without `.toml`",
       "names the study and its database; at most 100 characters, no slashes, no leading dot"},
      {"direction", "`\"maximize\"` or `\"minimize\"`", "none: must be given (`\"minimize\"` with a built-in problem)",
       "what a good value is; with several outputs the table `[outputs]` says it instead"},
      {"seed", "whole number ≥ 0", "`0`", "the same seed and the same results give the same points"},
      {"initial", "`\"sobol\"` or `\"uniform\"`", "`\"sobol\"`",
       "how the first points are spread: evenly (scrambled Sobol points) or at random (as in the paper)"},
      {"method", "text", "`\"auto\"`",
       "how batches are chosen: `\"auto\"` (sample paths of a sparse GP and, around the best point, of an exact one), "
       "`\"thompson\"` (the first alone), `\"thompson-exact\"`, `\"thompson-grid\"`, `\"thompson-features\"`, `\"turbo\"`, "
       "`\"ei\"`, `\"aei\"`, `\"gibbon\"`, `\"lp\"`, `\"qei\"`, `\"random\"` or `\"sobol\"` ([methods.md](methods.md)). May be "
       "changed in the life of a study"},
      {"start", "list of points `{NAME = VALUE, …}`, over a pool of ids", "`[]`",
       "points to be tried first: what people would guess. They are the first in the queue ([enqueue](commands.md#enqueue)); "
       "those that are added later come in when the study is used next, each once: one that failed or was taken out of the queue "
       "does not come back"},
      {"where", "list of texts, or tables `[[where]]` with an `expression`", "`[]`",
       "conditions on the parameters, such as `\"a + b <= 1\"`: no other point is handed out, see [below](#where)"},
  };
}

std::vector<KeyDoc> parameter_docs() {
  return {
      {"low", "number, finite", "must be given", "of a range, both ends included; above 0 on a log scale"},
      {"high", "number, above `low`", "must be given", "of a range"},
      {"scale", "`\"linear\"` or `\"log\"`", "`\"linear\"`", "of a range. Use log where only the order of magnitude is known"},
      {"type", "`\"float\"`, `\"int\"`; `\"categorical\"`, `\"ordinal\"`; `\"fixed\"`",
       "`\"float\"` for a range, `\"categorical\"` for choices, `\"fixed\"` for a value", "what kind of parameter it is"},
      {"choices", "list of 2 or more texts, numbers, `true`, `false`; no two that read the same", "must be given",
       "instead of a range; at most 1000 without order. A table { Pd = [0.12, 46], … } says numbers of each, by which choices "
       "are alike; at most 100,000"},
      {"ordered", "`true` or `false`", "`false`", "of choices: their order means something"},
      {"value", "text, number, `true` or `false`", "must be given", "instead of a range: handed to the command, never varied"},
      {"label", "text of up to 200 bytes", "the name",
       "what tables and pictures show instead of the name. May be changed at any time"},
      {"before", "text, number, `true` or `false`", "none",
       "of a parameter that comes into a study which has begun: the value that its earlier trials had"},
  };
}

std::vector<KeyDoc> output_docs() {
  return {
      {"direction", "`\"maximize\"` or `\"minimize\"`", "must be given", "of an objective; alone it may stand for the table"},
      {"reference", "number", "learned from the values",
       "of one of several objectives: a value that is worse is worth nothing, however good the others are"},
      {"min", "number", "none", "of a constraint: the output has to be at least so large"},
      {"max", "number", "none", "of a constraint: the output has to be at most so large"},
      {"passed", "`true`", "not there",
       "of a constraint that is told as passed or failed (`1` or `0`, `true` or `false`) and has no bounds; the text "
       "`\"passed\"` may stand for the table"},
      {"probability", "0 < number < 1", "`0.95`", "of a constraint: a recommendation keeps to it with this probability at least"},
  };
}

std::vector<KeyDoc> pool_docs() {
  return {{"path", "text", "must be given", "the pool that `salvo pool build` wrote, relative to the study file"}};
}

std::vector<KeyDoc> storage_docs() {
  return {{"path", "text", "`NAME.db`", "the study's database, relative to the study file; `\":memory:\"` keeps nothing"}};
}

std::string table_of(std::string_view name) {
  if (name == "top") return docs_table(top_docs());
  if (name == "outputs") return docs_table(output_docs());
  if (name == "pool") return docs_table(pool_docs());
  if (name == "storage") return docs_table(storage_docs());
  if (name == "model") return model_table();
  if (name == "pool model") return pool_model_table();
  if (name == "objective") return fields_table<ObjectiveOptions>();
  if (name == "budget") return fields_table<Budget>();
  throw std::invalid_argument(
      fmt::format("fields: expected top, outputs, pool, storage, model, pool model, objective or budget, got \"{}\"", name));
}

}  // namespace

std::string model_table() { return fields_table<ModelOptions>(); }
std::string pool_model_table() { return fields_table<PoolModelOptions>(); }

std::vector<KeyDoc> study_file_keys() {
  std::vector<KeyDoc> out = top_docs();
  const auto add = [&](const std::string& section, std::vector<KeyDoc> docs, bool of_pool = false) {
    for (KeyDoc& doc : docs) {
      doc.key = section + "." + doc.key;
      doc.of_pool = of_pool;
      out.push_back(std::move(doc));
    }
  };
  add("parameters.NAME", parameter_docs());
  add("outputs.NAME", output_docs());
  add("objective", field_docs<ObjectiveOptions>());
  add("budget", field_docs<Budget>());
  add("model", field_docs<ModelOptions>());
  add("storage", storage_docs());
  add("pool", pool_docs(), true);
  add("model", field_docs<PoolModelOptions>(), true);
  return out;
}

std::string with_tables(const std::string& document) {
  constexpr std::string_view kBegin = "<!-- fields: ", kClose = " -->\n", kEnd = "<!-- end -->";
  std::string out;
  std::size_t from = 0;
  for (std::size_t begin = 0; (begin = document.find(kBegin, from)) != std::string::npos;) {
    const std::size_t name = begin + kBegin.size(), close = document.find(kClose, name), end = document.find(kEnd, name);
    if (close == std::string::npos || end == std::string::npos)
      throw std::invalid_argument("fields: expected a mark <!-- fields: NAME --> on a line of its own and <!-- end -->");
    out += document.substr(from, close + kClose.size() - from) + table_of(document.substr(name, close - name));
    from = end;
  }
  return out + document.substr(from);
}

}  // namespace salvo
