#include "config/where.h"

#include <salvo/encoding.h>

#include <stdexcept>

namespace salvo {

std::vector<WrittenCondition> read_where(Section& top, FileErrors& errors) {
  std::vector<WrittenCondition> out;
  const Tree* where = top.anything("where");
  if (where && where->kind != Tree::Kind::array) {
    const bool table = where->kind == Tree::Kind::table;
    top.wrong("where", table ? "expected [[where]], with two brackets on each side, got a table of one"
                             : "expected a list such as [\"a + b <= 1\"], got " + where->words());
    return out;
  }
  std::vector<Tree> items;
  if (!top.list("where", items)) return out;
  for (const Tree& item : items) {
    if (item.kind == Tree::Kind::text) {
      out.push_back({item.text, item.place});
      continue;
    }
    if (item.kind != Tree::Kind::table) {
      errors.add(item.place, "where", "expected a text such as \"a + b <= 1\", got " + item.words());
      continue;
    }
    Section section(&item, "where", errors);
    std::string text;
    if (!section.has("expression")) section.wrong("expression", "expected a text such as \"a + b <= 1\", it is not there");
    if (const Tree* node = section.anything("expression"); section.text("expression", text)) out.push_back({text, node->place});
    section.finish();
  }
  return out;
}

Space with_conditions(std::vector<Parameter> parameters, const std::vector<WrittenCondition>& where, FileErrors& errors) {
  std::vector<std::string> texts;
  for (const WrittenCondition& each : where) texts.push_back(each.text);
  try {
    Space all(parameters, texts);
    (void)Encoding(all);  // looks for points
    return all;
  } catch (const std::invalid_argument&) {
    texts.clear();
  }
  // One after the other, so that each is blamed for what it does.
  for (const WrittenCondition& each : where) {
    texts.push_back(each.text);
    try {
      (void)Encoding(Space(parameters, texts));
    } catch (const std::invalid_argument& error) {
      errors.add(each.place, "where", error.what());
      texts.pop_back();
    }
  }
  return Space(std::move(parameters));
}

}  // namespace salvo
