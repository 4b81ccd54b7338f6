#include "changed_space.h"

#include <fmt/format.h>
#include <salvo/error.h>

#include "output.h"
#include "text.h"

namespace salvo::app {
namespace {

std::string indented(const std::vector<std::string>& lines) {
  std::string text;
  for (const std::string& line : lines) text += fmt::format("  {}\n", one_line(line));
  return text;
}

// What to write into the study file, for each parameter of which something is not known.
std::string missing(const SpaceReview& review) {
  std::vector<std::string> lines;
  for (const Parameter& parameter : review.without_before)
    lines.push_back(fmt::format("{} = {}", parameter.name, as_toml(parameter.domain, "before = …")));
  for (const Parameter& parameter : review.still_varying) lines.push_back(fmt::format("{} = {{ value = … }}", parameter.name));
  std::string text = fmt::format("Say what is not known, in the study file under [parameters]:\n{}", indented(lines));
  if (!review.still_varying.empty())
    text += "A parameter with a value is not varied any more; the next time it may be left out.\n";
  return text;
}

std::string refusal(const Common& common, Study& study, const SpaceReview& review) {
  std::string text = fmt::format("{}: its parameters are not those of the study in {}:\n{}", common.study, study.path(),
                                 indented(in_words(review)));
  if (!review.possible()) return text + missing(review) + "Nothing was changed.";
  return text +
         fmt::format(
             "To go on so, give the same command with --accept-changes (a copy first: salvo backup {} COPY.db). To go on as "
             "before, undo the changes. Nothing was changed.",
             shell_word(study.path()));
}

}  // namespace

SpaceUpdate review_for_work(const Common& common, Study& study, const StudyFile& file) {
  if (study.options().pool() || file.study.pool()) return {};
  const SpaceReview review = study.review_space(file.study.space(), file.before);
  if (review.changes.empty()) return {};
  if (!common.accept_changes || !review.possible()) throw InputError(refusal(common, study, review));
  if (!common.quiet) print_error(fmt::format("salvo: note: the parameters of the study change:\n{}", indented(in_words(review))));
  return {.accept = true, .before = file.before};
}

void note_for_a_look(const Common& common, Study& study, const StudyFile& file) {
  if (common.quiet || study.options().pool() || file.study.pool()) return;
  const SpaceReview review = study.review_space(file.study.space(), file.before);
  if (review.changes.empty()) return;
  print_error(fmt::format(
      "salvo: note: the parameters of {} are not those of the study in {}, which is shown as it is:\n{}{}", common.study,
      study.path(), indented(in_words(review)),
      review.possible() ? "The next ask, run, tell or enqueue can take them over: --accept-changes\n" : missing(review)));
}

void note_changed_outputs(const Common& common, const Outputs& before, const Outputs& now) {
  const std::vector<std::string> changes = changed_outputs(before, now);
  if (common.quiet || changes.empty()) return;
  print_error(fmt::format("salvo: note: the outputs of the study change:\n{}", indented(changes)));
}

void note_outputs_for_a_look(const Common& common, Study& study, const StudyFile& file) {
  const std::vector<std::string> changes = changed_outputs(study.options().outputs, file.study.outputs);
  if (common.quiet || changes.empty()) return;
  print_error(fmt::format("salvo: note: the outputs of {} are not those of the study in {}, which is shown as it is:\n{}",
                          common.study, study.path(), indented(changes)));
}

}  // namespace salvo::app
