#include <fmt/format.h>
#include <salvo/check.h>
#include <salvo/output.h>

#include "arguments.h"
#include "json.h"
#include "output.h"
#include "source.h"
#include "text.h"

namespace salvo::app {
namespace {

// What another study can be told: a point and its value, a line each.
void save_whole(const StudyCheck& found, const std::string& path) {
  Output out(path);
  for (const Trial& trial : found.whole) {
    if (trial.state() != TrialState::done || trial.outside) continue;
    JsonObject row;
    row.raw("params", json_params(trial.params, *found.space));
    const std::vector<double>& outputs = std::get<Values>(*trial.outcome).outputs;
    if (found.outputs == std::vector<std::string>{std::string(kOnlyOutput)}) {
      row.add("value", outputs.at(0));
    } else {
      JsonObject values;
      for (std::size_t k = 0; k < found.outputs.size(); ++k) values.add(found.outputs[k], outputs.at(k));  // a NaN is null
      row.raw("values", values.text());
    }
    JsonObject measured, said;
    for (const auto& [name, number] : std::get<Values>(*trial.outcome).others) measured.add(name, number);
    for (const auto& [name, text] : std::get<Values>(*trial.outcome).said) said.add(name, text);
    out.write(row.raw("measured", measured.text()).raw("said", said.text()).line());
  }
  out.finish();
}

std::string in_words(const StudyCheck& found, const std::string& storage, const std::string& saved) {
  std::string text;
  if (found.damage.empty()) {
    text = fmt::format("{}: {}, nothing is damaged\n", storage, plural(std::ssize(found.whole), "trial"));
  } else {
    text = fmt::format("{}: the study is damaged\n", storage);
    for (const std::string& what : found.damage) text += fmt::format("  {}\n", one_line(what));
  }
  for (const std::string& note : found.notes) text += fmt::format("  note: {}\n", one_line(note));
  if (found.damage.empty()) return text;
  text += fmt::format("{} of {} trials are whole. Restore a copy of the file if there is one.", count(std::ssize(found.whole)),
                      count(found.num_trials));
  if (!found.space)
    text += " What can be read of it: sqlite3 FILE .recover | sqlite3 NEW\n";
  else if (saved.empty())
    text += fmt::format(" Otherwise save what is whole (salvo check {} -o whole.jsonl) and tell another study\n",
                        shell_word(storage));
  else
    text += fmt::format(" Otherwise begin another study with what is whole: salvo tell NEW.toml {}\n", shell_word(saved));
  return text;
}

}  // namespace

int execute(const Common& common, const CheckArgs& args) {
  const std::string storage = storage_of(common);
  if (!args.output.empty()) check_apart(args.output, "--output", storage, {common.study});
  if (!names_store(common.study) && !store_exists(storage)) throw StoreError(not_started(common.study, storage));
  const StudyCheck found = check_study(storage);
  if (!args.output.empty() && found.space) save_whole(found, args.output);
  if (common.json) {
    print(JsonObject()
              .add("event", "check")
              .add("storage", storage)
              .add("damaged", !found.damage.empty())
              .add("trials", found.num_trials)
              .add("whole", std::ssize(found.whole))
              .raw("damage", json_list(found.damage))
              .raw("notes", json_list(found.notes))
              .line());
  } else {
    print(in_words(found, storage, args.output));
  }
  return found.damage.empty() ? 0 : kExitWorld;
}

}  // namespace salvo::app
