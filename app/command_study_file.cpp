#include <fmt/core.h>
#include <salvo/error.h>
#include <salvo/study_file.h>

#include <algorithm>

#include "arguments.h"
#include "json.h"
#include "nearest.h"
#include "output.h"
#include "text.h"

namespace salvo::app {
namespace {

constexpr int kWidth = 100, kIndent = 4;

// What the documents say in Markdown, for a terminal: no marks, and links by their file.
std::string plain(std::string_view markdown) {
  std::string out;
  while (!markdown.empty()) {
    const std::size_t middle = markdown[0] == '[' ? markdown.find("](") : std::string_view::npos;
    const std::size_t close = middle == std::string_view::npos ? middle : markdown.find(')', middle);
    if (close != std::string_view::npos) {
      const std::string target = fmt::format("docs/{}", markdown.substr(middle + 2, close - middle - 2));
      const bool alone = out.ends_with('(');  // "([how](…))"
      out += alone ? target : fmt::format("{} ({})", plain(markdown.substr(1, middle - 1)), target);
      markdown.remove_prefix(close + 1);
      continue;
    }
    if (markdown[0] != '`' && markdown[0] != '*') out += markdown[0];
    markdown.remove_prefix(1);
  }
  return out;
}

std::string wrapped(std::string_view text) {
  std::string out, line(kIndent, ' ');
  const auto end_line = [&] {
    out += line + "\n";
    line.assign(kIndent, ' ');
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find(' '), text.size());
    const std::string_view word = text.substr(0, end);
    if (width(line) > kIndent && width(line) + 1 + width(word) > kWidth) end_line();
    if (width(line) > kIndent) line += ' ';
    line += word;
    text.remove_prefix(std::min(end + 1, text.size()));
  }
  end_line();
  return out;
}

std::string for_people(const KeyDoc& doc) {
  return fmt::format("{}{}\n", doc.key, doc.of_pool ? "   (of a study over a pool)" : "") +
         wrapped(fmt::format("{}; default: {}", plain(doc.type), plain(doc.standard))) + wrapped(plain(doc.what));
}

std::string for_programs(const KeyDoc& doc) {
  return JsonObject()
      .add("event", "key")
      .add("key", doc.key)
      .add("type", plain(doc.type))
      .add("default", plain(doc.standard))
      .add("what", plain(doc.what))
      .add("of_pool", doc.of_pool)
      .line();
}

// "parameters.rate.low" is documented as "parameters.NAME.low", and so are outputs.
std::string documented(const std::string& key) {
  const std::size_t first = key.find('.'), last = key.rfind('.');
  const bool named = key.starts_with("parameters.") || key.starts_with("outputs.");
  return named && first != last ? key.substr(0, first) + ".NAME" + key.substr(last) : key;
}

// The key itself, or all of a section.
bool is_meant(const std::string& asked, const std::string& key) {
  return asked.empty() || key == asked || key.starts_with(asked + ".");
}

}  // namespace

int execute(const Common& common, const StudyFileArgs& args) {
  const std::string asked = documented(args.key);
  std::vector<std::string> names;
  std::string text;
  for (const KeyDoc& doc : study_file_keys()) {
    names.push_back(doc.key);
    if (!is_meant(asked, doc.key)) continue;
    if (!text.empty() && !common.json) text += "\n";
    text += common.json ? for_programs(doc) : for_people(doc);
  }
  if (text.empty())
    throw InputError(
        fmt::format("study-file: expected a key of the study file, as model.kernel, or a section, as budget; got \"{}\"{}",
                    args.key, suggestion(args.key, names)));
  print(text);
  return 0;
}

}  // namespace salvo::app
