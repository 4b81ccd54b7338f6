#include "options.h"

#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"

namespace salvo::python {
namespace {

void read_direction(const std::optional<Given>& given, std::vector<Output>& outputs) {
  if (!given && outputs.empty())
    throw nb::type_error("Study: a new study needs direction=\"minimize\" or direction=\"maximize\"");
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

void bind_options(nb::module_& m) {
  m.def("model_fields", [] { return fields_of(ModelOptions{}); });
  m.def("pool_model_fields", [] { return fields_of(PoolModelOptions{}); });
  m.def("kernel_types", &InPython<KernelType, Word>::words);
  m.def("selectors", &InPython<Inducing, Word>::words);
  m.def("pool_selectors", &InPython<PoolInducing, Word>::words);
  m.def("feature_types", &InPython<FeatureType, Word>::words);
}

}  // namespace salvo::python
