#include "fields.h"

#include <fmt/format.h>

#include <algorithm>

namespace salvo::python {

void Given::wrong_type(const std::string& expected) const {
  throw nb::type_error(fmt::format("{}: expected {}, got {}", name, expected, class_of(object)).c_str());
}

void Given::wrong_value(const std::string& expected) const {
  const nb::object shown = is_text() ? nb::object(nb::repr(object)) : nb::object(nb::str(object));
  throw std::invalid_argument(fmt::format("{}: expected {}, got {}", name, expected, nb::cast<std::string>(shown)));
}

std::string Given::text(const std::string& expected) const {
  if (!is_text()) wrong_type(expected);
  return to_text(object);
}

std::string Given::word(const std::vector<std::string>& words) const {
  const std::string expected = fmt::format("one of \"{}\"", fmt::join(words, "\", \""));
  const std::string given = text(expected);
  if (std::find(words.begin(), words.end(), given) == words.end()) wrong_value(expected);
  return given;
}

double Given::number(const std::string& expected) const {
  if (is_text() || is_bool(object) || PyBytes_Check(object.ptr())) wrong_type(expected);
  const nb::object number = nb::steal(PyNumber_Float(object.ptr()));
  if (number.is_valid()) return PyFloat_AsDouble(number.ptr());
  const bool too_large = PyErr_ExceptionMatches(PyExc_OverflowError) != 0;
  PyErr_Clear();
  if (too_large) throw std::invalid_argument(fmt::format("{}: expected {}, got one too large", name, expected));
  wrong_type(expected);
}

std::int64_t Given::whole(Whole rule, std::int64_t most, const std::string& otherwise) const {
  if (is_bool(object) || !PyIndex_Check(object.ptr())) wrong_type(rule.expected() + otherwise);
  const nb::object index = nb::steal(PyNumber_Index(object.ptr()));
  if (!index.is_valid()) {  // an array has the method, and may still be none
    PyErr_Clear();
    wrong_type(rule.expected() + otherwise);
  }
  int overflow = 0;
  const long long value = PyLong_AsLongLongAndOverflow(index.ptr(), &overflow);
  if (overflow == 0 && !rule.allows(value)) wrong_value(rule.expected() + otherwise);
  rule.high = std::min(rule.high, most);
  if (overflow != 0 || !rule.allows(value)) wrong_value(rule.expected() + otherwise);
  return value;
}

std::optional<Given> ReadFields::find(const char* key) {
  known_.emplace_back(key);
  if (!from_.contains(key)) return std::nullopt;
  return Given{prefix_ + key, nb::object(from_[key])};
}

void ReadFields::refuse_others(const std::string& where) const {
  for (const auto& [key, value] : from_) {
    const bool text = PyUnicode_Check(key.ptr());
    if (text && std::find(known_.begin(), known_.end(), to_text(key)) != known_.end()) continue;
    throw std::invalid_argument(fmt::format("{}: expected keys among {}; got {}", where, fmt::join(known_, ", "),
                                            nb::cast<std::string>(nb::str(nb::repr(key)))));
  }
}

}  // namespace salvo::python
