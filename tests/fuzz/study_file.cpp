#include <salvo/encoding.h>
#include <salvo/error.h>
#include <salvo/study_file.h>

#include <cstdint>
#include <cstdlib>

// The file, and after a NUL byte an override "key=value". What is accepted must hold its promises.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view all(reinterpret_cast<const char*>(data), size);
  const std::string_view text = all.substr(0, all.find('\0'));
  salvo::Overrides overrides;
  if (text.size() < all.size()) {
    const std::string_view set = all.substr(text.size() + 1);
    const std::size_t equals = std::min(set.find('='), set.size());
    overrides.emplace_back(set.substr(0, equals), equals < set.size() ? set.substr(equals + 1) : "");
  }
  try {
    const salvo::StudyFile file = salvo::parse_study_file(text, "fuzz.toml", overrides);
    file.study.validate();
    file.objective.validate();
    const salvo::Space& space = file.study.space();
    const salvo::Encoding encoding(space);
    salvo::Vector x = salvo::Vector::Constant(encoding.num_dims(), 0.3);
    encoding.snap({x.data(), static_cast<std::size_t>(x.size())});
    const salvo::Params params = encoding.decode({x.data(), static_cast<std::size_t>(x.size())});
    if (space.check(params) != params || encoding.encode(params) != x) std::abort();
  } catch (const salvo::InputError& error) {
    if (std::string_view(error.what()).empty()) std::abort();
  }
  return 0;
}
