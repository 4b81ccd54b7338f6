#include <fmt/format.h>
#include <salvo/study.h>

#include "study/study_impl.h"
#include "text/numbers.h"
#include "text/tags.h"
#include "text/text.h"

// What people say about trials: notes of the store, which no search reads.
namespace salvo {
namespace {

constexpr std::string_view kAnnotation = "trial ";  // and its number
constexpr std::string_view kTag = "tag ";           // its number and the word: each by itself, so that nobody undoes another's

}  // namespace

void Study::annotate(std::int64_t id, const std::string& text) {
  if (!trial(id)) throw std::invalid_argument(fmt::format("annotate: there is no trial {}", id));
  if (!is_text(text)) throw std::invalid_argument(fmt::format("annotate: expected text in UTF-8, got \"{}\"", shown(text)));
  impl_->store->set_note(fmt::format("{}{}", kAnnotation, id), text);
}

std::map<std::int64_t, std::string> Study::annotations() {
  std::map<std::int64_t, std::string> out;
  for (const auto& [key, text] : impl_->store->notes(std::string(kAnnotation)))
    if (const auto id = to_int64(std::string_view(key).substr(kAnnotation.size())); id && !text.empty()) out.emplace(*id, text);
  return out;
}

void Study::set_tags(const Tags& names, bool carried) {
  std::map<std::string, std::string> notes;
  const std::string mark(carried ? 1 : 0, '1');  // "" takes a note back
  const std::int64_t total = counts().total();
  for (const auto& [id, words] : names) {
    if (id < 1 || id > total)
      throw std::invalid_argument(fmt::format("tag: there is no trial {}; the study has {}. Nothing was changed", id, total));
    for (const std::string& word : words) {
      if (const std::string problem = tag_problem(word); !problem.empty())
        throw std::invalid_argument(fmt::format("tag: {}. Nothing was changed", problem));
      notes[fmt::format("{}{} {}", kTag, id, word)] = mark;
    }
  }
  impl_->store->set_notes(notes);
}

void Study::tag(const Tags& names) { set_tags(names, true); }
void Study::untag(const Tags& names) { set_tags(names, false); }

Tags Study::tags() {
  Tags out;
  for (const auto& [key, carried] : impl_->store->notes(std::string(kTag))) {
    const std::string_view rest = std::string_view(key).substr(kTag.size());
    const std::size_t blank = std::min(rest.find(' '), rest.size());
    if (const auto id = to_int64(rest.substr(0, blank)); id && !carried.empty() && blank < rest.size())
      out[*id].emplace_back(rest.substr(blank + 1));
  }
  return out;
}

std::vector<std::string> Study::tags(std::int64_t id) {
  const std::string before = fmt::format("{}{} ", kTag, id);
  std::vector<std::string> out;
  for (const auto& [key, carried] : impl_->store->notes(before))
    if (!carried.empty()) out.push_back(key.substr(before.size()));
  return out;
}

}  // namespace salvo
