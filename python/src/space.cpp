#include <fmt/format.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/vector.h>

#include "bind.h"

namespace salvo::python {
namespace {

std::vector<Value> to_choices(nb::handle sequence) {
  std::vector<Value> choices;
  for (const nb::handle choice : nb::borrow(sequence)) choices.push_back(to_value(choice));
  return choices;
}

List from_choices(const std::vector<Value>& choices) {
  List out;
  for (const Value& choice : choices) out.append(from_value(choice));
  return out;
}

// ("float", low, high, log, step, digits), ("int", low, high, log, step), ("choice", choices[, numbers]), ("ordinal", choices),
// ("fixed", value)
Domain to_domain(nb::handle object) {
  if (!PyTuple_Check(object.ptr()) || PyTuple_Size(object.ptr()) == 0) refuse_class("Space", object);
  const auto kind = take<std::string>("Space", nb::borrow<nb::tuple>(object)[0]);
  if (kind == "float" || kind == "int") {
    const Tuple all = take_tuple("Space", object, kind == "float" ? 6 : 5);
    const Scale scale = take<bool>("log", all[3]) ? Scale::log : Scale::linear;
    if (kind == "float")
      return Float{take<double>("low", all[1]), take<double>("high", all[2]), scale, take<double>("step", all[4]),
                   take<int>("digits", all[5])};
    return Int{take<std::int64_t>("low", all[1]), take<std::int64_t>("high", all[2]), scale, take<std::int64_t>("step", all[4])};
  }
  if (kind == "choice" && PyTuple_Size(object.ptr()) == 3) {
    const Tuple all = take_tuple("Space", object, 3);
    return Categorical{to_choices(all[1]), take<std::vector<std::vector<double>>>("numbers", all[2])};
  }
  const Tuple one = take_tuple("Space", object, 2);
  if (kind == "choice") return Categorical{to_choices(one[1])};
  if (kind == "ordinal") return Ordinal{to_choices(one[1])};
  if (kind == "fixed") return Fixed{to_value(one[1])};
  if (kind == "candidate") return Candidate{take<std::int64_t>("Space", one[1])};
  throw std::invalid_argument(fmt::format("Space: expected float, int, choice, ordinal or fixed, got \"{}\"", kind));
}

Tuple from_domain(const Domain& domain) {
  struct Visitor {
    Tuple operator()(const Float& d) const {
      return nb::make_tuple("float", d.low, d.high, d.scale == Scale::log, d.step, d.digits);
    }
    Tuple operator()(const Int& d) const { return nb::make_tuple("int", d.low, d.high, d.scale == Scale::log, d.step); }
    Tuple operator()(const Categorical& d) const {
      return d.described() ? nb::make_tuple("choice", from_choices(d.choices), d.numbers)
                           : nb::make_tuple("choice", from_choices(d.choices));
    }
    Tuple operator()(const Ordinal& d) const { return nb::make_tuple("ordinal", from_choices(d.choices)); }
    Tuple operator()(const Fixed& d) const { return nb::make_tuple("fixed", from_value(d.value)); }
    Tuple operator()(const Candidate& d) const { return nb::make_tuple("candidate", d.count); }
  };
  return std::visit(Visitor{}, domain);
}

std::vector<Parameter> to_parameters(const List& list) {
  std::vector<Parameter> parameters;
  for (const nb::handle item : list) {
    const Tuple pair = take_tuple("Space", item, 2);
    parameters.push_back({take<std::string>("Space", pair[0]), to_domain(pair[1])});
  }
  return parameters;
}

std::vector<std::string> to_conditions(const List& list) {
  std::vector<std::string> out;
  for (const nb::handle item : list) {
    if (!PyUnicode_Check(item.ptr())) refuse_class("where", item);
    out.push_back(to_text(item));
  }
  return out;
}

List parameters_of(const Space& space) {
  List out;
  for (const Parameter& p : space.parameters()) out.append(nb::make_tuple(p.name, from_domain(p.domain)));
  return out;
}

List following(const Space& space) {
  List out;
  for (int i = 0; i < static_cast<int>(space.parameters().size()); ++i)
    if (space.follows(i)) out.append(space.parameters()[static_cast<std::size_t>(i)].name);
  return out;
}

PointsOut encode(const Encoding& encoding, const nb::object& points) {
  const std::vector<Params> typed = to_points(encoding.space(), points);
  Matrix X(static_cast<Eigen::Index>(typed.size()), encoding.num_dims());
  for (std::size_t i = 0; i < typed.size(); ++i)
    encoding.encode(typed[i], {X.row(static_cast<Eigen::Index>(i)).data(), static_cast<std::size_t>(X.cols())});
  return from_matrix(std::move(X));
}

List decode(const Encoding& encoding, const PointsIn& points) {
  Matrix X = to_matrix(points);
  if (X.cols() != encoding.num_dims())
    throw std::invalid_argument(fmt::format("Space.decode: expected {} columns, got {}", encoding.num_dims(), X.cols()));
  if (!X.allFinite()) throw std::invalid_argument("Space.decode: expected finite coordinates, got NaN or infinity");
  List out;
  for (Eigen::Index i = 0; i < X.rows(); ++i) {
    const std::span<double> x(X.row(i).data(), static_cast<std::size_t>(X.cols()));
    if (encoding.allowed()) encoding.snap(x);  // to where the conditions hold
    out.append(from_params(encoding.space(), encoding.decode(x)));
  }
  return out;
}

// Whether the conditions hold there or not.
PointsOut from_unit(const Encoding& encoding, const PointsIn& points) {
  const Matrix U = to_matrix(points);
  if (U.cols() != encoding.num_free())
    throw std::invalid_argument(fmt::format("Space.from_unit: expected {} columns, got {}", encoding.num_free(), U.cols()));
  if (!U.allFinite()) throw std::invalid_argument("Space.from_unit: expected finite numbers, got NaN or infinity");
  Matrix X(U.rows(), encoding.num_dims());
  for (Eigen::Index i = 0; i < U.rows(); ++i)
    encoding.from_unit({U.row(i).data(), static_cast<std::size_t>(U.cols())},
                       {X.row(i).data(), static_cast<std::size_t>(X.cols())});
  return from_matrix(std::move(X));
}

// Random points where the conditions hold.
PointsOut draw(const Encoding& encoding, std::int64_t count, std::uint64_t seed) {
  if (count < 0 || count > 10'000'000)
    throw std::invalid_argument(fmt::format("Space.sample: expected a count from 0 to 10000000, got {}", count));
  Matrix X(count, encoding.num_dims());
  {
    const LongCall long_call;
    for (Eigen::Index i = 0; i < X.rows(); ++i)
      encoding.draw({X.row(i).data(), static_cast<std::size_t>(X.cols())},
                    Key(seed).fold("sample").fold(static_cast<std::uint64_t>(i)));
  }
  return from_matrix(std::move(X));
}

// Looks for points where the conditions hold, which may take a while.
Encoding encoding_of(const Space& space) {
  const LongCall long_call;
  return Encoding(space);
}

}  // namespace

void bind_space(nb::module_& m) {
  nb::class_<Space>(m, "Space", "What may vary, and the conditions among it.")
      .def(
          "__init__",
          [](Space* self, const List& parameters, const List& where) {
            new (self) Space(to_parameters(parameters), to_conditions(where));
          },
          nb::arg("parameters"), nb::arg("where") = nb::list())
      .def_prop_ro("parameters", &parameters_of)
      .def_prop_ro("where", &Space::where)
      .def_prop_ro("follow", &following)
      .def_prop_ro("num_free", &Space::num_free)
      .def_prop_ro("num_points", &Space::num_points)
      .def(
          "check", [](const Space& space, const nb::object& point) { return from_params(space, to_params(space, point)); },
          nb::arg("point"))
      .def("encoding", &encoding_of);

  nb::class_<Encoding>(m, "Encoding", "A space in the unit cube.")
      .def_prop_ro("num_dims", &Encoding::num_dims)
      .def_prop_ro("num_points", &Encoding::num_points)
      .def_prop_ro("share", &Encoding::share)
      .def("encode", &encode, nb::arg("points"))
      .def("decode", &decode, nb::arg("X"))
      .def("from_unit", &from_unit, nb::arg("U"))
      .def("draw", &draw, nb::arg("count"), nb::arg("seed"));
}

}  // namespace salvo::python
