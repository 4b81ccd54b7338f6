#include "search/outputs_learned.h"

#include <fmt/format.h>

#include <stdexcept>

#include "search/settings.h"
#include "text/json.h"

namespace salvo {

Learned join(const Learned& header, std::span<const std::optional<Learned>> outputs) {
  Learned out{header.ask, header.sequence, header.settings, {}, {}};
  Tree list = Tree::list();
  for (const std::optional<Learned>& one : outputs) {
    Tree& tree = list.items.emplace_back();
    if (!one) continue;
    tree.add("bytes", Tree::of(std::int64_t{std::ssize(one->arrays)}));
    tree.add("learned", parse_json(one->document));
    out.arrays.insert(out.arrays.end(), one->arrays.begin(), one->arrays.end());
  }
  Tree document;
  document.add("outputs", std::move(list));
  out.document = to_json(document);
  return out;
}

std::vector<std::optional<Learned>> parts_of(const Learned& joined, std::size_t num_outputs) {
  const Tree tree = parse_json(joined.document);
  const Tree& list = tree.at("outputs");
  if (list.items.size() != num_outputs)
    throw std::invalid_argument(fmt::format("expected {} outputs, got {}", num_outputs, list.items.size()));
  std::vector<std::optional<Learned>> out(num_outputs);
  auto begin = joined.arrays.begin();
  for (std::size_t o = 0; o < num_outputs; ++o) {
    const Tree& each = list.items[o];
    if (!each.find("learned")) continue;
    const auto bytes = whole_within(each, "bytes", 0, joined.arrays.end() - begin);
    out[o] = Learned{joined.ask, joined.sequence, joined.settings, to_json(each.at("learned")), {begin, begin + bytes}};
    begin += bytes;
  }
  if (begin != joined.arrays.end()) throw std::invalid_argument("inducing points of no output");
  return out;
}

OutputsLearned OutputsLearned::from(const Learned& stored, int num_dims, std::span<const std::int64_t> num_known) {
  OutputsLearned out{.ask = stored.ask, .sequence = stored.sequence, .settings = stored.settings};
  const std::vector<std::optional<Learned>> parts = parts_of(stored, num_known.size());
  for (std::size_t o = 0; o < parts.size(); ++o) {
    out.outputs.emplace_back();
    if (parts[o]) out.outputs.back() = SpaceLearned::from(*parts[o], num_dims, num_known[o]);
  }
  return out;
}

}  // namespace salvo
