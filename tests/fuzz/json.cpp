#include <salvo/error.h>
#include <salvo/records.h>

#include <cmath>
#include <cstdint>
#include <cstdlib>

namespace {

const salvo::Space& space() {
  static const salvo::Space s({{"rate", salvo::Float{0, 1}},
                               {"stages", salvo::Int{1, 8}},
                               {"metal", salvo::Categorical{{std::string("Pd"), std::int64_t{7}, true}}},
                               {"k", salvo::Fixed{2.5}}});
  return s;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text(reinterpret_cast<const char*>(data), size);
  try {
    for (const salvo::ToldRow& row : salvo::parse_records(text, "fuzz.json", space(), salvo::Format::json).rows) {
      if (!row.id && !row.params) std::abort();
      const auto* values = std::get_if<salvo::Values>(&row.outcome);
      if (values && !std::isfinite(values->outputs.at(0))) std::abort();
      if (row.params && space().check(*row.params) != *row.params) std::abort();
    }
  } catch (const salvo::InputError&) {
  }
  return 0;
}
