// Files of candidates: the first byte says which kind the others are read as (see kinds), as their names would.
#include <salvo/error.h>
#include <salvo/pool_build.h>
#include <unistd.h>

#include <array>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <filesystem>
#include <fstream>

namespace {

constexpr std::array kinds{".pool", ".npy", ".npz", ".csv"};

std::string path_for(const char* kind) {
  static const std::string folder = [] {
    std::string name = (std::filesystem::temp_directory_path() / "salvo-fuzz-XXXXXX").string();
    if (!mkdtemp(name.data())) std::abort();
    return name;
  }();
  return folder + "/input" + kind;
}

// Whatever was read can be asked for: every row has its features, finite ones, and is found by its id.
void look(const salvo::Pool& pool) {
  for (std::int64_t row = 0; row < pool.size(); ++row) {
    if (pool.find(pool.id(row)) != row) std::abort();
    if (pool.kind() == salvo::PoolKind::numbers)
      for (int d = 0; d < pool.num_features(); ++d)
        if (!std::isfinite(pool.numbers(row)[d])) std::abort();
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  if (size == 0) return 0;
  const std::string path = path_for(kinds[data[0] % kinds.size()]);
  std::ofstream(path, std::ios::binary | std::ios::trunc)
      .write(reinterpret_cast<const char*>(data) + 1, static_cast<std::streamsize>(size - 1));
  try {
    look(data[0] % kinds.size() == 0 ? salvo::Pool::open(path) : salvo::read_pool({.library = path}));
  } catch (const salvo::InputError&) {
  } catch (const salvo::StoreError&) {  // a pool file that is damaged or none
  }
  return 0;
}
