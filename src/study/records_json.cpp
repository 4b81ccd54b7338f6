#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/records.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>
#include <optional>
#include <set>

#include "space/value.h"
#include "study/own_columns.h"
#include "study/records_detail.h"
#include "text/file.h"
#include "text/tags.h"
#include "text/text.h"

namespace salvo {
namespace {

using Json = nlohmann::json;

constexpr std::array<std::string_view, 11> kKnownKeys = {"trial",    "id",           "value", "params", "state", "error",
                                                         "measured", kStandardError, kTags,   "said",   kNote};
constexpr int kMaxDepth = 4;  // array → record → params → value

// nlohmann's message without its own prefix and position.
std::string plain_words(std::string_view what) {
  if (const auto end = what.find("] "); end != std::string_view::npos) what.remove_prefix(end + 2);
  if (const auto end = what.find(": "); what.starts_with("parse error") && end != std::string_view::npos)
    what.remove_prefix(end + 2);
  return what.size() <= 200 ? std::string(what) : std::string(what.substr(0, 200)) + "…";
}

// Parses strictly: no key twice, no deep nesting. `line` is where text begins in the file. None, and a mistake, when it is wrong.
std::optional<Json> parse_strictly(std::string_view text, Mistakes& mistakes, std::size_t line) {
  std::vector<std::set<std::string>> keys;  // of the objects that are open
  const auto watch = [&](int depth, Json::parse_event_t event, Json& parsed) {
    if (depth > kMaxDepth) throw RowMistake{"nested too deeply for a record"};
    if (event == Json::parse_event_t::object_start) keys.emplace_back();
    if (event == Json::parse_event_t::object_end) keys.pop_back();
    if (event == Json::parse_event_t::key && !keys.back().insert(parsed.get<std::string>()).second)
      throw RowMistake{fmt::format("the key \"{}\" is there twice", shown(parsed.get<std::string>()))};
    return true;
  };
  try {
    return Json::parse(text.begin(), text.end(), watch);
  } catch (const Json::parse_error& error) {
    const std::string_view before = text.substr(0, error.byte > 0 ? error.byte - 1 : 0);
    const auto breaks = static_cast<std::size_t>(std::count(before.begin(), before.end(), '\n'));
    const std::size_t column = before.size() - (breaks > 0 ? before.rfind('\n') + 1 : 0) + 1;
    mistakes.add(line + breaks, "not JSON: " + plain_words(error.what()), column);
  } catch (const Json::exception& error) {
    mistakes.add(line, plain_words(error.what()));
  } catch (const RowMistake& mistake) {
    mistakes.add(line, mistake.problem);
  }
  return std::nullopt;
}

// The line of every element of a JSON array that is known to be valid.
std::vector<std::size_t> element_lines(std::string_view array) {
  std::vector<std::size_t> lines;
  std::size_t line = 1;
  int depth = 0;
  bool in_text = false, escaped = false, fresh = false;
  for (const char c : array) {
    const bool space = c == ' ' || c == '\t' || c == '\r' || c == '\n';
    if (fresh && !space && c != ']') {
      lines.push_back(line);
      fresh = false;
    }
    line += c == '\n';
    if (in_text) {
      in_text = escaped || c != '"';
      escaped = !escaped && c == '\\';
      continue;
    }
    if (c == '"') in_text = true;
    if (c == '[' || c == '{') fresh = ++depth == 1;
    if (c == ']' || c == '}') --depth;
    if (c == ',' && depth == 1) fresh = true;
  }
  return lines;
}

[[noreturn]] void wrong(const std::string& problem) { throw RowMistake{problem}; }

Value value_of(const Json& json, const std::string& key) {
  if (json.is_boolean()) return json.get<bool>();
  if (json.is_string()) return json.get<std::string>();
  if (json.is_number_unsigned() && json.get<std::uint64_t>() > std::numeric_limits<std::int64_t>::max())
    return json.get<double>();
  if (json.is_number_integer()) return json.get<std::int64_t>();
  if (json.is_number_float()) return json.get<double>();
  wrong(fmt::format("{}: expected a number, a text, true or false, got {}", key, shown(json.dump())));
}

void check_names(const Json& json, const Space& space) {
  if (!json.is_object()) wrong(fmt::format("params: expected an object, got {}", shown(json.dump())));
  for (const auto& item : json.items()) {
    if (space.find(item.key()) >= 0) continue;
    std::vector<std::string_view> known;
    for (const Parameter& p : space.parameters()) known.push_back(p.name);
    wrong(fmt::format("params: unknown parameter \"{}\"{}", shown(item.key()), hint(item.key(), known)));
  }
}

Params read_params(const Json& json, const Space& space) {
  std::vector<std::optional<Value>> values;
  for (int i = 0; i < static_cast<int>(space.parameters().size()); ++i) {
    const Parameter& parameter = space.parameters()[i];
    const auto found = json.find(parameter.name);
    const bool left_out = found == json.end() || (found->is_null() && space.follows(i));
    if (left_out && !space.may_be_left_out(i)) wrong(fmt::format("params: expected \"{}\", it is not there", parameter.name));
    values.push_back(left_out ? std::nullopt : std::optional(value_of(*found, "params." + parameter.name)));
  }
  try {
    return space.check(space.completed(values));
  } catch (const std::invalid_argument& error) {
    wrong(error.what());
  }
}

// Beside a trial, which knows its point: what is said of it.
std::vector<std::string> read_written(const Json& json, const Space& space) {
  std::vector<std::string> written;
  for (const Parameter& parameter : space.parameters()) {
    const auto found = json.find(parameter.name);
    written.push_back(found == json.end() ? "" : to_string(value_of(*found, "params." + parameter.name)));
  }
  return written;
}

std::map<std::string, double> read_measured(const Json& json) {
  if (!json.is_object()) wrong(fmt::format("measured: expected an object, got {}", shown(json.dump())));
  std::map<std::string, double> out;
  for (const auto& item : json.items()) {
    if (item.value().is_null()) continue;
    if (!item.value().is_number() || !std::isfinite(item.value().get<double>()))
      wrong(fmt::format("measured.{}: expected a finite number, got {}", shown(item.key()), shown(item.value().dump())));
    out.emplace(item.key(), item.value().get<double>());
  }
  return out;
}

std::map<std::string, std::string> read_said(const Json& json) {
  if (!json.is_object()) wrong(fmt::format("said: expected an object, got {}", shown(json.dump())));
  std::map<std::string, std::string> out;
  for (const auto& item : json.items()) {
    if (item.value().is_null()) continue;
    if (!item.value().is_string() || item.key().empty())
      wrong(fmt::format("said.{}: expected a text, got {}", shown(item.key()), shown(item.value().dump())));
    out.emplace(item.key(), item.value().get<std::string>());
  }
  return out;
}

std::string text_of(const Json& json, const char* key) {
  if (json.is_null()) return "";
  if (!json.is_string()) wrong(fmt::format("{}: expected a text, got {}", key, shown(json.dump())));
  return json.get<std::string>();
}

// A list of words, or a text as a sheet has it.
std::vector<std::string> read_tags(const Json& json) {
  if (json.is_string()) return split_tags(json.get<std::string>());
  if (!json.is_array()) wrong(fmt::format("{}: expected a list of words, got {}", kTags, shown(json.dump())));
  std::vector<std::string> out;
  for (const Json& word : json) {
    if (!word.is_string()) wrong(fmt::format("{}: expected a list of words, got {} in it", kTags, shown(word.dump())));
    out.push_back(word.get<std::string>());
  }
  return out;
}

// A number, or a word for what passes or fails; nothing: it was not measured.
void read_output(const Json& value, std::size_t i, const OutputNames& outputs, RawRecord& raw) {
  if (value.is_null()) return;
  if (!raw.values_written[i].empty())
    wrong(fmt::format("{0}: \"{0}\" and \"values.{0}\" say the same; keep one", outputs.name(i)));
  if (value.is_number() && !outputs.passed(i)) return raw.set(i, value.get<double>(), shortest(value.get<double>()));
  const std::string text = value.is_string() ? value.get<std::string>() : value.dump();
  const auto passed = outputs.passed(i) ? outputs.read(i, text) : std::nullopt;
  if (!passed) wrong(fmt::format("{}: expected {}, got {}", outputs.name(i), outputs.expected(i), shown(value.dump())));
  raw.set(i, *passed, text);
}

void read_outputs(const Json& json, const OutputNames& outputs, RawRecord& raw) {
  if (!json.is_object()) wrong(fmt::format("values: expected an object, got {}", shown(json.dump())));
  for (const auto& item : json.items()) {
    const int output = outputs.find(item.key(), false);
    if (output < 0) wrong(fmt::format("values: expected {}, got \"{}\"", outputs.listed(), shown(item.key())));
    read_output(item.value(), static_cast<std::size_t>(output), outputs, raw);
  }
}

bool says_state(const Json& value) { return value.is_string() && is_state(value.get<std::string>()); }

void check_key(const Json& record, const std::string& key, const OutputNames& outputs) {
  if (key == kHistory) wrong(kHistoryProblem);
  if (key == kOnlyOutput) wrong(fmt::format("value: expected {} in its place", outputs.listed()));
  std::vector<std::string_view> missing;
  for (std::size_t i = 0; i < outputs.size(); ++i)
    if (!record.contains(outputs.name(i))) missing.push_back(outputs.name(i));
  for (const std::string_view known : kKnownKeys)
    if (known != kOnlyOutput && !record.contains(known) && known != "measured" && known != kStandardError && known != kTags &&
        known != "said" && known != kNote && (known != "state" || says_state(record.at(key))))
      missing.push_back(known);
  if (const std::string problem = name_problem("key", key, missing); !problem.empty()) wrong(problem);
}

void remember(std::vector<std::string>& names, const std::string& name) {
  if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
}

// What somebody has written beside it, in whatever words: as programs' own keys are kept.
void keep_own(const std::string& key, const Json& value, RawRecord& raw, ToldFile& file) {
  const bool number = value.is_boolean() || (value.is_number() && std::isfinite(value.get<double>()));
  const bool text = value.is_string() && is_text(value.get_ref<const std::string&>());
  const bool room = raw.measured.size() + raw.said.size() < kMostOwn && !key.empty() && key.size() <= kLongestOwn && is_text(key);
  if (value.is_null() || (text && value.get_ref<const std::string&>().empty())) return;
  if ((!number && !text) || !room) return remember(file.left_out, key);
  if (raw.measured.contains(key) || raw.said.contains(key))
    wrong(
        fmt::format("\"{0}\" and \"{1}.{0}\" say the same; keep one", shown(key), raw.said.contains(key) ? "said" : "measured"));
  if (number) raw.measured[key] = value.is_boolean() ? (value.get<bool>() ? 1 : 0) : value.get<double>();
  if (text) raw.said[key] = beginning(value.get_ref<const std::string&>(), kLongestSaid);
  remember(file.kept, std::string(number ? kMeasured : kSaid) + key);
}

RawRecord read_record(const Json& json, std::size_t line, const Space& space, const OutputNames& outputs, Wanted wanted,
                      ToldFile& file) {
  if (!json.is_object()) wrong(fmt::format("expected an object {{…}}, got {}", shown(json.dump())));
  if (json.contains("trial") && json.contains("id")) wrong("\"trial\" and \"id\" say the same; keep one");
  RawRecord raw(line, outputs.size());
  const Json* params = nullptr;
  std::vector<std::string> others;
  for (const auto& item : json.items()) {
    const std::string& key = item.key();
    const Json& value = item.value();
    int output = outputs.find(key, false);
    if (key == kOnlyOutput && outputs.size() == 1) output = 0;
    const bool known = std::find(kKnownKeys.begin(), kKnownKeys.end(), key) != kKnownKeys.end() && key != kOnlyOutput;
    if (output >= 0) {
      read_output(value, static_cast<std::size_t>(output), outputs, raw);
    } else if (key == "values" && outputs.own()) {
      if (!value.is_null()) read_outputs(value, outputs, raw);
    } else if (!known) {
      if (std::find(kPassedOver.begin(), kPassedOver.end(), key) != kPassedOver.end()) continue;
      check_key(json, key, outputs);
      others.push_back(key);
    } else if (key == "state") {
      raw.state = text_of(value, "state");
    } else if (key == "error") {
      raw.error = text_of(value, "error");
    } else if (value.is_null()) {
      continue;
    } else if (key == "params") {
      check_names(value, space);
      params = &value;
    } else if (key == "measured") {
      raw.measured.merge(read_measured(value));
      if (json.contains(kStandardError) && value.contains(kStandardError))
        wrong("\"sd\" and \"measured.sd\" say the same; keep one");
    } else if (key == "said") {
      raw.said = read_said(value);
    } else if (key == kNote) {
      raw.note = text_of(value, "note");
    } else if (key == kTags) {
      raw.tags = read_tags(value);
    } else if (key == kStandardError) {
      if (!value.is_number() || !std::isfinite(value.get<double>()))
        wrong(fmt::format("{}: expected a finite number, got {}", key, shown(value.dump())));
      raw.measured[key] = value.get<double>();
    } else {
      if (!value.is_number_integer() || std::holds_alternative<double>(value_of(value, key)))
        wrong(fmt::format("{}: expected a whole number, got {}", key, shown(value.dump())));
      raw.id = value.get<std::int64_t>();
    }
  }
  if (wanted == Wanted::points) {
    if (!params) wrong("params: expected the parameters of a point, got none");
    RawRecord point(line);
    point.params = read_params(*params, space);
    return point;
  }
  for (const std::string& key : others) keep_own(key, json.at(key), raw, file);
  if (!raw.id && !params) wrong("expected a trial, or the parameters of a point evaluated elsewhere");
  if (params && raw.id) raw.written = read_written(*params, space);
  if (params && !raw.id) raw.params = read_params(*params, space);
  return raw;
}

}  // namespace

ToldFile parse_json_records(std::string_view text, const std::string& path, const Space& space, const OutputNames& outputs,
                            Wanted wanted, Mistakes& mistakes) {
  ToldFile file;
  const auto first = text.find_first_not_of(" \t\r\n");
  if (first == std::string_view::npos)
    throw InputError(fmt::format("{}: expected JSON, one object per line or one array, got nothing", path));
  const auto add = [&](const Json& json, std::size_t line) {
    try {
      RawRecord raw = read_record(json, line, space, outputs, wanted, file);
      if (wanted == Wanted::points) {
        file.rows.push_back({.line = line, .params = std::move(raw.params)});
        return;
      }
      raw.is_open() ? static_cast<void>(++file.num_open) : file.rows.push_back(finish_record(std::move(raw), outputs));
    } catch (const RowMistake& mistake) {
      mistakes.add(line, mistake.problem);
    }
  };
  if (text[first] == '[') {
    const std::optional<Json> array = parse_strictly(text, mistakes, 1);
    const std::vector<std::size_t> lines = array ? element_lines(text) : std::vector<std::size_t>();
    for (std::size_t i = 0; array && i < array->size(); ++i) add((*array)[i], lines.at(i));
    return file;
  }
  std::size_t line = 1;
  for (std::size_t start = 0; start < text.size(); ++line) {
    const std::size_t end = std::min(text.find('\n', start), text.size());
    const std::string_view row = text.substr(start, end - start);
    if (row.find_first_not_of(" \t\r") != std::string_view::npos)
      if (const std::optional<Json> json = parse_strictly(row, mistakes, line)) add(*json, line);
    start = end + 1;
  }
  return file;
}

std::string to_json(const Trial& trial, const Space& space, const std::vector<Output>& outputs) {
  if (trial.params.size() != space.parameters().size())
    throw std::invalid_argument(
        fmt::format("to_json: expected {} parameter values, got {}", space.parameters().size(), trial.params.size()));
  nlohmann::ordered_json params = nlohmann::ordered_json::object();
  for (std::size_t i = 0; i < trial.params.size(); ++i)
    params[space.parameters()[i].name] = std::visit([](const auto& v) { return Json(v); }, trial.params[i]);
  nlohmann::ordered_json json = {{"trial", trial.id}, {"params", std::move(params)}};
  const OutputNames names(outputs);
  const auto* told = trial.outcome ? std::get_if<Values>(&*trial.outcome) : nullptr;
  if (names.own()) {
    nlohmann::ordered_json values = nlohmann::ordered_json::object();
    for (std::size_t i = 0; told && i < names.size(); ++i)
      values[names.name(i)] = std::isnan(told->outputs.at(i)) ? Json() : Json(told->outputs[i]);
    json["values"] = told ? std::move(values) : nlohmann::ordered_json();
  } else {
    json["value"] = trial.value() ? Json(*trial.value()) : Json();
  }
  json["state"] = to_string(trial.state());
  json["origin"] = to_string(trial.source);
  json["asked_at"] = iso_time(trial.asked_at);
  json["told_at"] = trial.told_at > 0 ? Json(iso_time(trial.told_at)) : Json();
  if (!trial.error().empty()) json["error"] = trial.error();
  if (trial.outside) json["outside"] = true;
  if (told) {
    if (!told->others.empty()) json["measured"] = told->others;
    if (!told->said.empty()) json["said"] = told->said;
  }
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

}  // namespace salvo
