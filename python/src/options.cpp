#include "options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include <algorithm>
#include <cmath>

#include "bind.h"

namespace salvo::python {
namespace {

// A dictionary of one output: {"name", "direction", "reference"} or {"name", "min", "max", "probability", "passed"}; those that
// are None are left out.
Output to_output(nb::handle object) {
  const auto given = take<nb::dict>("outputs", object);
  const auto find = [&](const char* key) { return given.contains(key) ? nb::object(given[key]) : nb::none(); };
  const auto number = [&](const char* key, double standard) {
    const nb::object found = find(key);
    return found.is_none() ? standard : take<double>(key, found);
  };
  Output out{take<std::string>("outputs", find("name")), Constraint{}};
  if (const nb::object word = find("direction"); !word.is_none()) {
    Objective objective{parse<Direction>(take<std::string>("direction", word))};
    if (!find("reference").is_none()) objective.reference = take<double>("reference", find("reference"));
    out.role = objective;
    return out;
  }
  const Constraint none;
  const double probability = number("probability", none.probability);
  out.role = take<bool>("passed", find("passed"))
                 ? passes(probability)
                 : Constraint{.min = number("min", none.min), .max = number("max", none.max), .probability = probability};
  return out;
}

// Objectives come first.
void read_outputs(const std::optional<Given>& given, std::vector<Output>& outputs) {
  if (!given) return;
  outputs.clear();
  for (const nb::handle each : take<nb::list>("outputs", given->object)) outputs.push_back(to_output(each));
  std::stable_partition(outputs.begin(), outputs.end(),
                        [](const Output& output) { return std::holds_alternative<Objective>(output.role); });
}

nb::object or_none(double bound) { return std::isfinite(bound) ? nb::cast(bound) : nb::none(); }

// What to_output takes.
Dict from_output(const Output& output) {
  Dict out;
  out["name"] = output.name;
  if (const auto* objective = std::get_if<Objective>(&output.role)) {
    out["direction"] = std::string(to_string(objective->direction));
    out["reference"] = objective->reference ? nb::cast(*objective->reference) : nb::none();
  } else {
    const auto& constraint = std::get<Constraint>(output.role);
    out["min"] = constraint.passed ? nb::none() : or_none(constraint.min);
    out["max"] = or_none(constraint.max);
    out["probability"] = constraint.probability;
    out["passed"] = constraint.passed;
  }
  return out;
}

void read_direction(const std::optional<Given>& given, std::vector<Output>& outputs) {
  if (!given && outputs.empty())
    throw nb::type_error("Study: a new study needs direction=\"minimize\" or direction=\"maximize\", or outputs={\"name\": …}");
  if (!given) return;
  Direction direction{};
  InPython<Direction, Word>::read(*given, direction, {});
  if (outputs.empty())
    outputs = one_objective(direction);
  else
    outputs[0].role = Objective{direction};
}

template <class Options>
void read_model(const Dict& given, const std::string& prefix, Options& options) {
  ReadFields read(given, prefix);
  each_field(options, read);
  read.refuse_others("model");
}

template <class Search>
void read_search(ReadFields& read, Search& search) {
  each_field(search, read);
  if (const auto model = read.find("model")) read_model(take<nb::dict>("model", model->object), "model.", search.model);
}

// What is searched as it was, when it was of the same kind; otherwise opening the study says what differs.
template <class Search>
void go_on(const std::optional<StudyOptions>& stored, Search& search) {
  const auto* before = stored ? std::get_if<Search>(&stored->search) : nullptr;
  if (!before) return;
  search.method = before->method;
  search.model = before->model;
  if constexpr (requires { search.initial; }) search.initial = before->initial;
}

PoolModelOptions standard_model(const Pool& pool) {
  PoolModelOptions out;
  if (pool.kind() == PoolKind::numbers) out.kernel = PoolKernelType::matern52;
  return out;
}

template <class Options>
List fields_of(const Options& options) {
  List out;
  each_field(options, ListFields(out));
  return out;
}

}  // namespace

StudyOptions to_options(const Dict& given, const Space& space, const Pool* pool, const std::optional<StudyOptions>& stored) {
  StudyOptions out = stored.value_or(StudyOptions{});
  ReadFields read(given, "");
  each_field(out, read);
  read_outputs(read.find("outputs"), out.outputs);
  read_direction(read.find("direction"), out.outputs);
  if (const auto seed = read.find("seed")) out.seed = take<std::uint64_t>("seed", seed->object);
  if (pool) {
    PoolSearch search{.pool = *pool, .model = standard_model(*pool)};
    go_on(stored, search);
    read_search(read, search);
    out.search = std::move(search);
  } else {
    SpaceSearch search{.space = space};
    go_on(stored, search);
    read_search(read, search);
    out.search = std::move(search);
  }
  read.refuse_others("Study");
  return out;
}

Dict from_options(const StudyOptions& options) {
  Dict out, model;
  each_field(options, WriteFields(out));
  out["direction"] = std::string(to_string(options.direction()));
  out["seed"] = options.seed;
  std::visit(
      [&](const auto& search) {
        each_field(search, WriteFields(out));
        each_field(search.model, WriteFields(model));
      },
      options.search);
  out["model"] = model;
  return out;
}

PoolModelOptions to_pool_model(const Dict& given, const std::string& prefix, const Pool& pool) {
  PoolModelOptions out = standard_model(pool);
  read_model(given, prefix, out);
  return out;
}

List from_outputs(const std::vector<Output>& outputs) {
  List out;
  for (const Output& output : outputs) out.append(from_output(output));
  return out;
}

void bind_options(nb::module_& m) {
  m.def("model_fields", [] { return fields_of(ModelOptions{}); });
  m.def("pool_model_fields", [] { return fields_of(PoolModelOptions{}); });
  m.def("kernel_types", &InPython<KernelType, Word>::words);
  m.def("selectors", &InPython<Inducing, Word>::words);
  m.def("pool_selectors", &InPython<PoolInducing, Word>::words);
  m.def("feature_types", &InPython<FeatureType, Word>::words);
}

}  // namespace salvo::python
