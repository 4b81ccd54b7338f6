#pragma once
// Between Python's objects and Salvo's: what comes in is checked, what goes out is moved and not copied.
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/string.h>  // wherever text is cast, or it would be taken for a bound type
#include <salvo/salvo.h>

#include <stdexcept>
#include <string>
#include <vector>

#include "long_call.h"

namespace salvo::python {

namespace nb = nanobind;

using PointsIn = nb::ndarray<const double, nb::ndim<2>, nb::c_contig, nb::device::cpu>;
using NumbersIn = nb::ndarray<const double, nb::ndim<1>, nb::c_contig, nb::device::cpu>;
using PointsOut = nb::ndarray<nb::numpy, double, nb::ndim<2>>;
using NumbersOut = nb::ndarray<nb::numpy, double, nb::ndim<1>>;

// As the stubs are to name them.
using List = nb::typed<nb::list, nb::any>;
using Dict = nb::typed<nb::dict, nb::str, nb::any>;
using Tuple = nb::typed<nb::tuple, nb::any, nb::ellipsis>;

[[nodiscard]] std::string class_of(nb::handle object);  // its name
[[nodiscard]] std::string to_text(nb::handle object);   // UTF-8; a lone surrogate has none and is the caller's mistake
[[nodiscard]] bool is_bool(nb::handle object);          // NumPy's own, too, which is no bool of Python's and no number either
[[noreturn]] void refuse_class(const char* name, nb::handle object);  // TypeError

// An object as a T; TypeError that names what it is for otherwise.
template <class T>
[[nodiscard]] T take(const char* name, nb::handle object) {
  T out;
  if (!nb::try_cast<T>(object, out)) refuse_class(name, object);
  return out;
}

// Tuples do not check their bounds: the size first.
[[nodiscard]] Tuple take_tuple(const char* name, nb::handle object, std::size_t size);

[[nodiscard]] Matrix to_matrix(const PointsIn& points);
[[nodiscard]] Vector to_vector(const NumbersIn& numbers);
[[nodiscard]] PointsOut from_matrix(Matrix&& matrix);  // the array owns the matrix
[[nodiscard]] NumbersOut from_vector(Vector&& vector);

// A bool, whole number, number or text, NumPy's own included; TypeError otherwise.
[[nodiscard]] Value to_value(nb::handle object);
[[nodiscard]] nb::object from_value(const Value& value);

// A mapping from names to values, checked against the space; what is fixed or follows may be left out
// (in a frame it may be empty).
[[nodiscard]] Params to_params(const Space& space, nb::handle mapping);
[[nodiscard]] std::vector<Params> to_points(const Space& space, nb::handle sequence);
[[nodiscard]] Dict from_params(const Space& space, const Params& params);

}  // namespace salvo::python
