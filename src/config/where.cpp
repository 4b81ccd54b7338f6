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

namespace {

Space checked(const std::vector<Parameter>& parameters, const std::vector<std::string>& texts) {
  Space out(parameters, texts);
  (void)Encoding(out);  // looks for points
  return out;
}

}  // namespace

// Together; one after the other where something is wrong, to find out what.
Space with_conditions(std::vector<Parameter> parameters, const std::vector<WrittenCondition>& where, FileErrors& errors) {
  std::vector<std::string> texts;
  for (const WrittenCondition& each : where) texts.push_back(each.text);
  try {
    return checked(parameters, texts);
  } catch (const std::invalid_argument& error) {
    if (where.size() == 1) {
      errors.add(where[0].place, "where", error.what());
      return Space(std::move(parameters));
    }
  }
  texts.clear();
  for (const WrittenCondition& each : where) {
    texts.push_back(each.text);
    try {
      (void)checked(parameters, texts);
    } catch (const std::invalid_argument& error) {
      errors.add(each.place, "where", error.what());
      texts.pop_back();
    }
  }
  if (errors.empty()) errors.add(where[0].place, "where", "the conditions together leave nothing");
  return Space(std::move(parameters));
}

}  // namespace salvo
