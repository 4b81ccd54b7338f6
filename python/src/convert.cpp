#include "convert.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <utility>

namespace salvo::python {

std::string class_of(nb::handle object) { return nb::cast<std::string>(nb::str(object.type().attr("__name__"))); }

std::string to_text(nb::handle object) {
  Py_ssize_t size = 0;
  const char* text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (!text) throw nb::python_error();
  return {text, static_cast<std::size_t>(size)};
}

bool is_bool(nb::handle object) {
  const std::string name = class_of(object);
  return PyBool_Check(object.ptr()) || name == "bool_" || name == "bool";
}

namespace {

std::int64_t to_integer(nb::handle object) {
  const nb::object whole = nb::steal(PyNumber_Index(object.ptr()));
  if (!whole.is_valid()) throw nb::python_error();
  const long long value = PyLong_AsLongLong(whole.ptr());
  if (value == -1 && PyErr_Occurred()) {
    PyErr_Clear();
    throw nb::value_error("expected a whole number that fits in 64 bits");
  }
  return value;
}

}  // namespace

void refuse_class(const char* name, nb::handle object) {
  throw nb::type_error(fmt::format("{}: unexpected {}", name, class_of(object)).c_str());
}

Tuple take_tuple(const char* name, nb::handle object, std::size_t size) {
  if (!PyTuple_Check(object.ptr())) refuse_class(name, object);
  auto tuple = nb::borrow<nb::tuple>(object);
  if (tuple.size() != size)
    throw std::invalid_argument(fmt::format("{}: expected a tuple of {}, got one of {}", name, size, tuple.size()));
  return tuple;
}

Matrix to_matrix(const PointsIn& points) {
  return Eigen::Map<const Matrix>(points.data(), static_cast<Eigen::Index>(points.shape(0)),
                                  static_cast<Eigen::Index>(points.shape(1)));
}

Vector to_vector(const NumbersIn& numbers) {
  return Eigen::Map<const Vector>(numbers.data(), static_cast<Eigen::Index>(numbers.shape(0)));
}

PointsOut from_matrix(Matrix&& matrix) {
  auto* kept = new Matrix(std::move(matrix));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Matrix*>(p); });
  return PointsOut(kept->data(), {static_cast<std::size_t>(kept->rows()), static_cast<std::size_t>(kept->cols())}, owner);
}

NumbersOut from_vector(Vector&& vector) {
  auto* kept = new Vector(std::move(vector));
  const nb::capsule owner(kept, [](void* p) noexcept { delete static_cast<Vector*>(p); });
  return NumbersOut(kept->data(), {static_cast<std::size_t>(kept->size())}, owner);
}

Value to_value(nb::handle object) {
  if (PyBool_Check(object.ptr())) return object.ptr() == Py_True;
  if (PyUnicode_Check(object.ptr())) return to_text(object);
  if (PyFloat_Check(object.ptr())) return PyFloat_AsDouble(object.ptr());
  if (is_bool(object)) return PyObject_IsTrue(object.ptr()) == 1;
  if (PyIndex_Check(object.ptr())) return to_integer(object);
  if (PyNumber_Check(object.ptr()) && nb::hasattr(object, "__float__")) {  // NumPy's other floats, Decimal, …
    const double value = PyFloat_AsDouble(object.ptr());
    if (value == -1 && PyErr_Occurred()) throw nb::python_error();
    return value;
  }
  throw nb::type_error(fmt::format("expected a bool, a number or a text, got {}", class_of(object)).c_str());
}

nb::object from_value(const Value& value) {
  return std::visit([](const auto& v) { return nb::cast(v); }, value);
}

Params to_params(const Space& space, nb::handle mapping) {
  if (!PyMapping_Check(mapping.ptr()) || !nb::hasattr(mapping, "keys")) {
    throw nb::type_error(
        fmt::format("expected a point as a mapping from parameter names to values, got {}", class_of(mapping)).c_str());
  }
  const auto& parameters = space.parameters();
  std::vector<std::optional<Value>> values(parameters.size());
  const nb::object keys = mapping.attr("keys")();
  for (const nb::handle key : keys) {
    const std::string name = nb::cast<std::string>(nb::str(key));
    const int at = PyUnicode_Check(key.ptr()) ? space.find(name) : -1;
    if (at < 0) throw std::invalid_argument(fmt::format("parameter \"{}\" is not in the space", name));
    try {
      const nb::object value = mapping[key];
      if (space.follows(at) && (value.is_none() || (PyFloat_Check(value.ptr()) && std::isnan(PyFloat_AsDouble(value.ptr())))))
        continue;
      values[static_cast<std::size_t>(at)] = to_value(value);
    } catch (const nb::builtin_exception& error) {
      const std::string text = fmt::format("parameter \"{}\": {}", name, error.what());
      throw nb::builtin_exception(error.type(), text.c_str());
    }
  }
  return space.check(space.completed(values));
}

std::vector<Params> to_points(const Space& space, nb::handle sequence) {
  std::vector<Params> points;
  for (const nb::handle mapping : nb::borrow(sequence)) points.push_back(to_params(space, mapping));
  return points;
}

Dict from_params(const Space& space, const Params& params) {
  Dict out;
  for (std::size_t i = 0; i < params.size(); ++i) out[space.parameters()[i].name.c_str()] = from_value(params[i]);
  return out;
}

}  // namespace salvo::python
