#include <fmt/format.h>
#include <nanobind/stl/unique_ptr.h>
#include <nanobind/stl/vector.h>
#include <salvo/pool.h>
#include <salvo/pool_build.h>
#include <salvo/pool_model.h>

#include <memory>
#include <optional>

#include "bind.h"
#include "options.h"

namespace salvo::python {
namespace {

using FloatsIn = nb::ndarray<const float, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using WordsIn = nb::ndarray<const std::uint64_t, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using RowsIn = nb::ndarray<const std::int64_t, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using RowsOut = nb::ndarray<nb::numpy, std::int64_t, nb::ndim<1>>;

template <class T, class Array>
std::vector<T> to_vector_of(const Array& array) {
  return {array.data(), array.data() + array.size()};
}

std::span<const std::int64_t> span_of(const RowsIn& rows) { return {rows.data(), rows.shape(0)}; }

RowsOut from_rows(std::vector<std::int64_t>&& rows) {
  auto* kept = new std::vector<std::int64_t>(std::move(rows));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<std::vector<std::int64_t>*>(p); });
  return RowsOut(kept->data(), {kept->size()}, owner);
}

void check_row(const Pool& pool, std::int64_t row) {
  if (row < 0 || row >= pool.size())
    throw nb::index_error(fmt::format("Pool: there are {} candidates, got row {}", pool.size(), row).c_str());
}

void check_rows(const Pool& pool, const RowsIn& rows) {
  for (const std::int64_t row : span_of(rows)) check_row(pool, row);
}

Pool from_numbers(const FloatsIn& X, const std::vector<std::string>& columns, const std::vector<std::string>& ids) {
  const LongCall long_call;
  return Pool::from_numbers(to_vector_of<float>(X), columns, ids);
}

Pool from_bits(const WordsIn& words, int num_bits, const std::vector<std::string>& ids) {
  const LongCall long_call;
  return Pool::from_bits(to_vector_of<std::uint64_t>(words), num_bits, ids);
}

// An option of a library as a keyword: hex, or hex=COLUMN.
std::string keyword(std::string_view option, std::string_view value) {
  const std::string_view name = option == "bits" ? "num_bits" : option;
  return value.empty() ? std::string(name) : fmt::format("{}={}", name, value);
}

// A library in a file that Salvo's own readers know, the pool kept at `path`, or in memory when that is empty. Errors call the
// library `name`.
Pool read(const std::string& library, const std::string& name, const std::string& hex, const std::vector<std::string>& features,
          const std::string& id, const std::vector<std::string>& keep, int num_bits, const std::string& path) {
  PoolBuildOptions options{.library = library, .hex = hex, .features = features, .id = id, .keep = keep, .bits = num_bits};
  options.name = name;
  options.spelling = keyword;
  LongCall long_call;
  options.progress = [&](const PoolBuildProgress&) { long_call.look(); };
  if (path.empty()) return read_pool(options);
  (void)build_pool(options, path);
  return Pool::open(path);
}

// All rows where they lie, read only: the array keeps the pool alive.
nb::object features(const Pool& pool) {
  auto* kept = new Pool(pool);
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Pool*>(p); });
  const auto rows = static_cast<std::size_t>(pool.size());
  if (pool.kind() == PoolKind::numbers) {
    const auto columns = static_cast<std::size_t>(pool.num_features());
    return nb::cast(nb::ndarray<nb::numpy, const float, nb::ndim<2>>(pool.numbers(0), {rows, columns}, owner));
  }
  const auto words = static_cast<std::size_t>(pool.words_per_row());
  return nb::cast(nb::ndarray<nb::numpy, const std::uint64_t, nb::ndim<2>>(pool.bits(0), {rows, words}, owner));
}

std::vector<std::string> ids_of(const Pool& pool, const RowsIn& rows) {
  check_rows(pool, rows);
  std::vector<std::string> out;
  for (const std::int64_t row : span_of(rows)) out.emplace_back(pool.id(row));
  return out;
}

std::vector<std::string> all_ids(const Pool& pool, std::int64_t row) {
  check_row(pool, row);
  const auto found = pool.all_ids(row);
  return {found.begin(), found.end()};
}

std::vector<std::string> text_column(const Pool& pool, const std::string& name) {
  const int column = pool.find_text(name);
  if (column < 0) throw std::invalid_argument(fmt::format("Pool: there is no text column \"{}\"", name));
  std::vector<std::string> out;
  for (std::int64_t row = 0; row < pool.size(); ++row) out.emplace_back(pool.text(row, column));
  return out;
}

// A model that has been fitted; it never changes afterwards, so any number of threads may ask it.
std::unique_ptr<PoolModel> fitted(const Pool& pool, const Dict& options, const RowsIn& rows, const NumbersIn& values,
                                  std::uint64_t seed) {
  const PoolModelOptions typed = to_pool_model(options, "", pool);
  check_rows(pool, rows);
  const Vector y = to_vector(values);
  const LongCall long_call;
  auto model = std::make_unique<PoolModel>(pool, typed, seed);
  (void)model->learn(span_of(rows), y, Key(seed).fold("learn"));
  return model;
}

Tuple choose(const PoolModel& model, int count, const RowsIn& taken, std::uint64_t seed) {
  check_rows(model.pool(), taken);
  PoolChoice out;
  {
    const LongCall long_call;
    out = model.choose(count, span_of(taken), Key(seed).fold("choose"));
  }
  return nb::make_tuple(from_rows(std::move(out.rows)), from_vector(std::move(out.values)));
}

Tuple predict(const PoolModel& model, const RowsIn& rows) {
  check_rows(model.pool(), rows);
  Prediction out;
  {
    const LongCall long_call;
    out = model.predict(span_of(rows));
  }
  return nb::make_tuple(from_vector(std::move(out.mean)), from_vector(std::move(out.variance)));
}

Dict learned(const PoolModel& model) {
  const PoolLearned& found = model.learned();
  Dict out;
  out["variance"] = found.variance;
  out["noise"] = found.noise;
  out["mean"] = found.mean;
  out["bias"] = found.bias;
  out["power"] = found.power;
  out["lengthscales"] = from_vector(Vector(found.lengthscales));
  out["inducing"] = from_rows(std::vector(found.inducing));
  return out;
}

}  // namespace

void bind_pool(nb::module_& m) {
  nb::class_<Pool>(m, "Pool", "Candidates with ids and features.")
      .def_static(
          "open",
          [](const std::string& path) {
            const LongCall long_call;
            return Pool::open(path);
          },
          nb::arg("path"))
      .def_static("read", &read, nb::arg("library"), nb::arg("name"), nb::arg("hex"), nb::arg("features"), nb::arg("id"),
                  nb::arg("keep"), nb::arg("num_bits"), nb::arg("path"))
      .def_static("from_numbers", &from_numbers, nb::arg("X"), nb::arg("columns"), nb::arg("ids"))
      .def_static("from_bits", &from_bits, nb::arg("words"), nb::arg("num_bits"), nb::arg("ids"))
      .def(
          "save",
          [](const Pool& pool, const std::string& path) {
            const LongCall long_call;
            pool.save(path);
          },
          nb::arg("path"))
      .def_prop_ro("size", &Pool::size)
      .def_prop_ro("kind", [](const Pool& pool) { return std::string(to_string(pool.kind())); })
      .def_prop_ro("num_features", &Pool::num_features)
      .def_prop_ro("columns", [](const Pool& pool) { return pool.columns(); })
      .def_prop_ro("texts", &Pool::texts)
      .def_prop_ro("made_by", [](const Pool& pool) { return pool.made_by(); })
      .def_prop_ro("path", [](const Pool& pool) { return pool.path(); })
      .def_prop_ro("checksum", [](const Pool& pool) { return pool.checksum(); })
      .def_prop_ro("num_bytes", &Pool::num_bytes)
      .def("features", &features)
      .def("ids", &ids_of, nb::arg("rows"))
      .def("all_ids", &all_ids, nb::arg("row"))
      .def("text", &text_column, nb::arg("name"))
      .def(
          "find", [](const Pool& pool, const std::string& id) { return pool.find(id); }, nb::arg("id"));
  nb::class_<PoolModel>(m, "PoolModel")
      .def("choose", &choose, nb::arg("count"), nb::arg("taken"), nb::arg("seed"))
      .def("predict", &predict, nb::arg("rows"))
      .def("learned", &learned)
      .def_prop_ro("bound", &PoolModel::bound);
  m.def(
      "check_pool_model", [](const Pool& pool, const Dict& options) { (void)to_pool_model(options, "", pool); }, nb::arg("pool"),
      nb::arg("options"));
  m.def("fit_pool", &fitted, nb::arg("pool"), nb::arg("options"), nb::arg("rows"), nb::arg("y"), nb::arg("seed"));
}

}  // namespace salvo::python
