#include <fmt/core.h>
#include <salvo/error.h>
#include <unistd.h>

#include <cerrno>
#include <cmath>
#include <cstring>
#include <fstream>
#include <map>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "source.h"
#include "text.h"

namespace salvo::app {
namespace {

std::string read_all(const std::string& path) {
  std::FILE* file = path == "-" ? stdin : std::fopen(path.c_str(), "rb");
  std::string text;
  bool failed = file == nullptr;
  int error = errno;
  if (file) {
    char block[1 << 16];
    for (std::size_t size = 0; (size = std::fread(block, 1, sizeof block, file)) > 0;) text.append(block, size);
    error = errno;
    failed = std::ferror(file) != 0;
    if (file != stdin) std::fclose(file);
  }
  if (failed) throw Error(fmt::format("cannot read {}: {}", path == "-" ? "standard input" : path, std::strerror(error)));
  return text;
}

Format guess_format(const std::string& path, const std::string& text) {
  if (path.ends_with(".csv")) return Format::csv;
  if (path.ends_with(".json") || path.ends_with(".jsonl")) return Format::json;
  const auto first = text.find_first_not_of(" \t\r\n\xef\xbb\xbf");
  return first != std::string::npos && (text[first] == '{' || text[first] == '[') ? Format::json : Format::csv;
}

bool same(const Value& a, const Value& b) {
  const auto *x = std::get_if<double>(&a), *y = std::get_if<double>(&b);
  // A spreadsheet keeps 15 digits, and a person may keep fewer.
  return x && y ? std::abs(*x - *y) <= 1e-6 * std::max(std::abs(*x), std::abs(*y)) : a == b;
}

void check_distinct(const std::vector<ToldRow>& records, const std::string& path) {
  std::map<std::int64_t, std::size_t> line_of;
  for (const ToldRow& record : records) {
    const auto [first, is_new] = line_of.emplace(*record.id, record.line);
    if (is_new) continue;
    throw InputError(fmt::format("{}:{}: trial {} is there twice, first in line {}; expected one outcome for each", path,
                                 record.line, *record.id, first->second));
  }
}

// A row that names a trial and gives parameters must mean the point that was handed out.
void check_params(Study& study, const ToldRow& record, const std::string& path) {
  const std::optional<Trial> trial = study.trial(*record.id);
  if (!trial) return;  // tell() says so
  const auto& parameters = study.options().space().parameters();
  for (std::size_t i = 0; i < parameters.size(); ++i) {
    if (same((*record.params)[i], trial->params[i])) continue;
    throw InputError(fmt::format("{}:{}: {}: trial {} has {}, got {}; leave the trial out to report a point of your own", path,
                                 record.line, parameters[i].name, *record.id, to_string(trial->params[i]),
                                 to_string((*record.params)[i])));
  }
}

struct Taken {
  std::int64_t values = 0, failed = 0, abandoned = 0, added = 0;
};

Taken tell_outcomes(Study& study, const std::vector<ToldRow>& records, const std::string& path) {
  check_distinct(records, path);
  Taken told;
  std::vector<Told> outcomes;
  for (const ToldRow& record : records) {
    if (record.params) check_params(study, record, path);
    outcomes.push_back({*record.id, record.outcome});
    ++(std::holds_alternative<Values>(record.outcome)      ? told.values
       : std::holds_alternative<Abandoned>(record.outcome) ? told.abandoned
                                                           : told.failed);
  }
  study.tell(outcomes);
  return told;
}

Taken tell_points(Study& study, const std::vector<ToldRow>& records, const std::string& path) {
  std::vector<Params> points;
  std::vector<Values> values;
  for (const ToldRow& record : records) {
    const auto* told = std::get_if<Values>(&record.outcome);
    if (!record.params || !told) {
      throw InputError(fmt::format("{}:{}: a row without a trial needs all parameters and a value", path, record.line));
    }
    points.push_back(*record.params);
    values.push_back(*told);
  }
  study.add(points, values);
  return {.added = static_cast<std::int64_t>(points.size())};
}

Taken tell_file(Study& study, const TellArgs& args) {
  const std::string text = read_all(args.input), path = args.input == "-" ? "standard input" : args.input;
  const std::vector<ToldRow> records =
      parse_records(text, path, study.options().space(), args.format.value_or(guess_format(args.input, text)));
  if (records.empty()) throw InputError(fmt::format("{}: expected at least one row with an outcome, got none", path));
  for (const ToldRow& record : records) {
    if (record.id.has_value() == records[0].id.has_value()) continue;
    throw InputError(
        fmt::format("{}:{}: rows with and without a trial are mixed (line {} is the other kind); tell them apart, so "
                    "that each file is taken whole or not at all",
                    path, record.line, records[0].line));
  }
  return records[0].id ? tell_outcomes(study, records, path) : tell_points(study, records, path);
}

Taken tell_one(Study& study, const TellArgs& args) {
  if (args.value) {
    study.tell(*args.trial, *args.value);
    return {.values = 1};
  }
  std::vector<Told> outcomes = {{*args.trial, Abandoned{}}};
  for (const std::int64_t id : args.more) outcomes.push_back({id, Abandoned{}});
  const auto num = static_cast<std::int64_t>(outcomes.size());
  if (args.fail)
    for (Told& each : outcomes) each.outcome = Failure{args.fail->empty() ? "no reason given" : *args.fail};
  study.tell(outcomes);
  return args.fail ? Taken{.failed = num} : Taken{.abandoned = num};
}

void check(const TellArgs& args) {
  const int outcomes = args.value.has_value() + args.fail.has_value() + args.abandon;
  if (args.input.empty() && !args.trial) {
    throw InputError("tell: expected a FILE (- for standard input) or --trial N; see salvo tell --help");
  }
  if (!args.input.empty() && (args.trial || outcomes > 0)) {
    throw InputError("tell: a FILE and --trial, --value, --fail or --abandon exclude each other");
  }
  if (args.trial && outcomes != 1) {
    throw InputError(
        fmt::format("tell: --trial {} needs one of --value X, --fail REASON or --abandon, got {}", *args.trial, outcomes));
  }
  if (!args.more.empty() && args.value)
    throw InputError(
        fmt::format("tell: --value is of one trial, got {}; give the others theirs in a FILE", args.more.size() + 1));
}

std::string summary(const Taken& told) {
  std::string text;
  const auto part = [&](std::int64_t n, const std::string& what) {
    if (n > 0) text += (text.empty() ? "" : ", ") + what;
  };
  part(told.values, plural(told.values, "value"));
  part(told.failed, plural(told.failed, "failure"));
  part(told.abandoned, count(told.abandoned) + " abandoned");
  part(told.added, plural(told.added, "point") + " evaluated elsewhere");
  return text;
}

}  // namespace

int execute(const Common& common, const TellArgs& args) {
  check(args);
  Source source = open_for_work(common);
  const Taken told = args.trial ? tell_one(source.study, args) : tell_file(source.study, args);
  const std::int64_t taken = told.values + told.failed + told.abandoned + told.added;
  if (common.json) {
    print(JsonObject()
              .add("event", "told")
              .add("taken", taken)
              .add("values", told.values)
              .add("failed", told.failed)
              .add("abandoned", told.abandoned)
              .add("added", told.added)
              .line());
  } else if (!common.quiet) {
    print(fmt::format("Took {}: {}.\n", plural(taken, "outcome"), summary(told)));
  }
  return 0;
}

}  // namespace salvo::app
