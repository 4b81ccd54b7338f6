#include "source.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>

#include "changed_space.h"
#include "json.h"
#include "output.h"
#include "text.h"
#include "text/store_file.h"

namespace salvo::app {
namespace {

namespace fs = std::filesystem;

constexpr const char *kNoteText = "study_file", *kNotePath = "study_file_path", *kNoteOverrides = "overrides",
                     *kNoteStart = "start";

bool exists(const std::string& path) {
  std::error_code ignored;
  return fs::exists(path, ignored);
}

std::string absolute(const std::string& path) {
  std::error_code failed;
  const fs::path full = fs::absolute(path, failed);
  return failed ? path : full.lexically_normal().string();
}

std::string file_text(const std::string& path) {
  std::ifstream in(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

// [["key","value"],…]; empty for none.
std::string to_text(const Overrides& overrides) { return overrides.empty() ? "" : nlohmann::json(overrides).dump(); }

// What to_text wrote, or an older version: a line key=value for each. None when it is neither.
std::optional<Overrides> from_text(std::string_view text) {
  if (text.starts_with('[')) {
    try {
      return nlohmann::json::parse(text).get<Overrides>();
    } catch (const nlohmann::json::exception&) {
      return std::nullopt;
    }
  }
  Overrides overrides;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    const auto equals = line.find('=');
    if (equals == 0 || equals == std::string_view::npos) return std::nullopt;
    overrides.emplace_back(line.substr(0, equals), line.substr(equals + 1));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
  }
  return overrides;
}

// What to write into the store about where it came from.
struct Notes {
  std::string text, path;
  Overrides overrides;
};

struct Given {
  std::optional<StudyFile> file;
  Notes notes;
  std::string storage;
};

// A file by another name may be no study file at all: then its first line of TOML is not what is wrong.
StudyFile read_given_file(const Common& common) {
  try {
    return read_study_file(common.study, common.overrides);
  } catch (const InputError& error) {
    if (common.study.ends_with(".toml") || !exists(common.study)) throw;
    throw InputError(
        fmt::format("{}: expected a study file (.toml, as salvo init writes it) or the store of a study (.db), got another file: "
                    "it is no database, and read as a study file:\n{}",
                    common.study, error.what()));
  }
}

Given from_study_file(const Common& common) {
  Given given;
  given.file = read_given_file(common);
  given.notes = {file_text(common.study), absolute(common.study), common.overrides};
  if (!common.storage.empty()) given.file->storage = common.storage;
  given.storage = given.file->storage;
  return given;
}

Overrides remembered_overrides(Study& study) {
  const std::string text = study.note(kNoteOverrides).value_or("");
  if (auto overrides = from_text(text)) return std::move(*overrides);
  const std::string file = study.note(kNotePath).value_or("STUDY.toml");
  throw StoreError(
      fmt::format("{}: damaged: its note \"{}\", which keeps what --set gave, should be [[\"key\",\"value\"],…] and is {}\n"
                  "Run the study file, with each --set that should hold, and the note is written anew: salvo run {} --storage {}",
                  study.path(), kNoteOverrides, shorten(json_string(text), 60), shell_word(file), shell_word(study.path())));
}

// The study file that a store remembers, under the overrides it was last run with and then today's.
std::optional<StudyFile> remembered_file(Study& study, const Common& common, Notes& notes) {
  const std::optional<std::string> text = study.note(kNoteText);
  if (!text) {
    if (common.overrides.empty()) return std::nullopt;
    throw InputError(fmt::format("--set: {} was not made from a study file, so there is nothing to override", common.study));
  }
  notes = {*text, study.note(kNotePath).value_or(common.study), remembered_overrides(study)};
  notes.overrides.insert(notes.overrides.end(), common.overrides.begin(), common.overrides.end());
  StudyFile file = parse_study_file(notes.text, notes.path, notes.overrides);
  file.storage = common.study;
  // A program may have changed the space since: the text that is remembered is nobody's wish.
  auto* search = std::get_if<SpaceSearch>(&file.study.search);
  const bool wished = std::any_of(common.overrides.begin(), common.overrides.end(), [](const auto& each) {
    return each.first.starts_with("parameters") || each.first.starts_with("where");
  });
  if (search && !wished && !study.review_space(search->space, file.before).changes.empty()) {
    search->space = study.space();
    file.start.clear();
  }
  return file;
}

Given from_store(const Common& common) {
  if (!common.storage.empty() && absolute(common.storage) != absolute(common.study)) {
    throw InputError(fmt::format("--storage: {} is a store itself; leave --storage {} out", common.study, common.storage));
  }
  Given given;
  given.storage = common.study;
  Study study = Study::open(common.study);
  given.file = remembered_file(study, common, given.notes);
  return given;
}

Given look_up(const Common& common) {
  if (common.study.empty()) throw InputError("STUDY: expected the name of a study file or a store, got an empty text");
  if (names_store(common.study)) return from_store(common);
  if (!exists(common.study) && exists(common.study + ".toml")) {
    throw InputError(fmt::format("{}: no such file (did you mean {}.toml?)", common.study, common.study));
  }
  return from_study_file(common);
}

void check_seed(const Common& common, const Study& study) {
  if (!common.seed || *common.seed == study.options().seed) return;
  throw InputError(
      fmt::format("--seed {}: this study began with seed {}, and a study keeps its seed; give --storage FILE.db to "
                  "start another one",
                  *common.seed, study.options().seed));
}

// Said once, when the file was changed. Unlike with --seed it is no error: the study goes on as it began.
void note_seed(const Common& common, const Given& given, Study& study) {
  const std::uint64_t asked = given.file->study.seed, kept = study.options().seed;
  const bool changed =
      study.note(kNoteText) != given.notes.text || from_text(study.note(kNoteOverrides).value_or("")) != given.notes.overrides;
  if (common.quiet || asked == kept || !changed) return;
  print_error(fmt::format(
      "salvo: note: {} has seed {}, but the study in {} began with seed {} and keeps it; --storage FILE.db starts another one\n",
      common.study, asked, study.path(), kept));
}

void keep(Study& study, const char* key, const std::string& value) {
  if (study.note(key) != value) study.set_note(key, value);
}

// Each once: a point that failed, or that somebody took out of the queue, does not come back when others are added. What is
// known already stays out, so that nothing is tried twice when this is cut off in the middle.
void enqueue_start(Study& study, const StudyFile& file) {
  nlohmann::json seen = nlohmann::json::parse(study.note(kNoteStart).value_or("[]"), nullptr, false);
  if (!seen.is_array()) seen = nlohmann::json::array();
  for (nlohmann::json& point : seen)  // a parameter that is new since then had a value before
    for (const auto& [name, value] : file.before)
      if (point.is_object() && !point.contains(name)) point[name] = nlohmann::json::parse(json_value(value));
  std::vector<Params> fresh;
  for (const Params& params : file.start) {
    const nlohmann::json point = nlohmann::json::parse(json_params(params, study.space()));
    if (std::find(seen.begin(), seen.end(), point) != seen.end()) continue;
    fresh.push_back(params);
    seen.push_back(point);
  }
  if (fresh.empty()) return;
  study.enqueue(fresh);
  study.set_note(kNoteStart, seen.dump());
}

}  // namespace

Source open_for_work(const Common& common) {
  Given given = look_up(common);
  if (!given.file) {
    Study study = Study::open(given.storage);
    check_seed(common, study);
    return {std::move(study), std::nullopt};
  }
  if (common.seed) given.file->study.seed = *common.seed;
  SpaceUpdate update;
  Outputs outputs = given.file->study.outputs;
  if (store_exists(given.storage)) {
    Study study = Study::open(given.storage);
    check_seed(common, study);
    note_seed(common, given, study);
    given.file->study.seed = study.options().seed;
    outputs = study.options().outputs;
    update = review_for_work(common, study, *given.file);
  }
  Study study = Study::open_or_create(given.file->study, given.storage, update);
  note_changed_outputs(common, outputs, study.options().outputs);
  keep(study, kNoteText, given.notes.text);
  keep(study, kNotePath, given.notes.path);
  keep(study, kNoteOverrides, to_text(given.notes.overrides));
  enqueue_start(study, *given.file);
  return {std::move(study), std::move(given.file)};
}

void check_apart(const std::string& output, const char* option, const std::string& storage,
                 std::initializer_list<std::string> files) {
  try {
    check_not_in_store(output, std::span(&storage, 1));
  } catch (const InputError& error) {
    throw InputError(fmt::format("{} {}", option, error.what()));
  }
  std::error_code failed;
  for (const std::string& mine : files)
    if (fs::equivalent(output, mine, failed))
      throw InputError(fmt::format("{} {}: that is the study file itself; name another file", option, output));
}

void check_output(const Common& common, const std::string& output, const char* option) {
  if (output.empty() || output == "-") return;
  // What is not there yet is over the store only by its name; a store need not be opened for that.
  Given given;
  given.storage = common.study;
  if (exists(output) || !names_store(common.study)) given = look_up(common);
  check_apart(output, option, given.storage, {common.study, given.notes.path});
}

std::string storage_of(const Common& common) { return names_store(common.study) ? common.study : look_up(common).storage; }

Outputs outputs_of(const Common& common) {
  const Given given = look_up(common);
  return store_exists(given.storage) ? Study::open(given.storage).options().outputs : given.file->study.outputs;
}

std::string not_started(const std::string& study, const std::string& storage) {
  return fmt::format("{} has not been started: there is no {} yet; begin with: salvo run {}", study, storage, shell_word(study));
}

Source open_to_look(const Common& common) {
  Given given = look_up(common);
  if (!store_exists(given.storage)) {
    throw StoreError(not_started(common.study, given.storage));
  }
  Study study = Study::open(given.storage);
  check_seed(common, study);
  if (given.file) {
    note_for_a_look(common, study, *given.file);
    note_outputs_for_a_look(common, study, *given.file);
  }
  return {std::move(study), std::move(given.file)};
}

}  // namespace salvo::app
