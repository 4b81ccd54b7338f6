#include "search/outputs_learned.h"

#include <fmt/format.h>

#include <stdexcept>

#include "search/settings.h"
#include "text/json.h"

namespace salvo {

Learned store_outputs(const Learned& header, std::span<const SpaceLearned* const> outputs) {
  Learned out{header.ask, header.sequence, header.settings, {}, {}};
  Tree list = Tree::list();
  for (const SpaceLearned* each : outputs) {
    Tree& tree = list.items.emplace_back();
    if (!each) continue;
    const Learned one = each->stored();
    tree.add("bytes", Tree::of(std::int64_t{std::ssize(one.arrays)}));
    tree.add("learned", parse_json(one.document));
    out.arrays.insert(out.arrays.end(), one.arrays.begin(), one.arrays.end());
  }
  Tree document;
  document.add("outputs", std::move(list));
  out.document = to_json(document);
  return out;
}

OutputsLearned OutputsLearned::from(const Learned& stored, int num_dims, std::span<const std::int64_t> num_known) {
  const Tree tree = parse_json(stored.document);
  const Tree& list = tree.at("outputs");
  if (list.items.size() != num_known.size())
    throw std::invalid_argument(fmt::format("expected {} outputs, got {}", num_known.size(), list.items.size()));
  OutputsLearned out{.ask = stored.ask, .sequence = stored.sequence, .settings = stored.settings};
  auto begin = stored.arrays.begin();
  for (std::size_t o = 0; o < num_known.size(); ++o) {
    const Tree& each = list.items[o];
    out.outputs.emplace_back();
    if (!each.find("learned")) continue;
    const auto bytes = whole_within(each, "bytes", 0, stored.arrays.end() - begin);
    const Learned one{stored.ask, stored.sequence, stored.settings, to_json(each.at("learned")), {begin, begin + bytes}};
    begin += bytes;
    out.outputs.back() = SpaceLearned::from(one, num_dims, num_known[o]);
  }
  if (begin != stored.arrays.end()) throw std::invalid_argument("inducing points of no output");
  return out;
}

}  // namespace salvo
