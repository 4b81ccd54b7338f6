#include <fmt/format.h>
#include <salvo/error.h>
#include <salvo/pool_build.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <memory>

#include "pool/builder.h"
#include "pool/library.h"
#include "pool/table.h"
#include "text/csv.h"
#include "text/store_file.h"
#include "text/text.h"

namespace salvo {
namespace {

namespace fs = std::filesystem;
constexpr std::size_t kExamples = 5;

bool is_numpy(std::string_view path) {
  if (path.ends_with(".gz")) path.remove_suffix(3);
  return path.ends_with(".npy") || path.ends_with(".npz");
}

// The rows that are left out, as a CSV file. It appears with the first of them.
class BadRows {
 public:
  BadRows(std::string path, PoolBuildSummary& summary) : path_(std::move(path)), summary_(summary) {
    if (!path_.empty()) fs::remove(path_);
  }

  void add(std::size_t line, const std::string& id, const std::string& why) {
    ++summary_.num_bad;
    if (summary_.bad_examples.size() < kExamples)
      summary_.bad_examples.push_back(fmt::format("line {}: {}: {}", line, shown(id), why));
    if (path_.empty()) return;
    if (!file_) {
      file_.reset(std::fopen(path_.c_str(), "wb"));
      if (!file_) fail();
      std::fputs("line,id,problem\n", file_.get());
    }
    if (std::fputs(fmt::format("{},{},{}\n", line, csv_cell(id), csv_cell(why)).c_str(), file_.get()) < 0) fail();
  }

  void finish() {
    if (file_ && std::fflush(file_.get()) != 0) fail();
  }

 private:
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  [[noreturn]] void fail() const { throw Error(fmt::format("{}: cannot be written: {}", path_, std::strerror(errno))); }
  std::string path_;
  PoolBuildSummary& summary_;
  std::unique_ptr<std::FILE, Close> file_;
};

std::string folder_for(const std::string& path) {
  const auto parent = fs::path(path).parent_path();
  std::string folder = parent.empty() ? "." : parent.string();
  if (!fs::is_directory(folder)) throw InputError(fmt::format("{}: cannot be written: there is no folder {}", path, folder));
  if (fs::is_directory(path)) throw InputError(fmt::format("{}: is a folder; expected the name of a file to write", path));
  return folder;
}

void check_target(const PoolBuildOptions& options, const std::string& path) {
  check_not_in_store(path);
  if (!options.bad_rows.empty()) check_not_in_store(options.bad_rows);
  std::error_code ignored;
  if (options.library != "-" && fs::equivalent(options.library, path, ignored))
    throw InputError(fmt::format("{}: the pool would replace the library it is made from; name another file", path));
}

}  // namespace

std::string PoolBuildOptions::called() const {
  if (!name.empty()) return name;
  return library == "-" ? "standard input" : library;
}

std::string PoolBuildOptions::spelt(std::string_view option, std::string_view value) const {
  if (spelling) return spelling(option, value);
  return value.empty() ? std::string(option) : fmt::format("{} = {}", option, value);
}

void PoolBuildOptions::validate() const {
  const auto require = [this](bool holds, std::string_view option, std::string_view expected, const auto& got) {
    if (!holds) throw std::invalid_argument(fmt::format("{}: expected {}, got {}", spelt(option), expected, got));
  };
  require(!library.empty(), "library", "the name of a file", "an empty text");
  require((!smiles.empty()) + (!hex.empty()) + (!features.empty()) <= 1, "features",
          fmt::format("one of {}, {} and {}", spelt("smiles"), spelt("hex"), spelt("features")), "several");
  require(radius >= 0 && radius <= 10, "radius", "0 to 10", radius);
  require(bits >= 0 && bits <= kMaxFeatures, "bits", fmt::format("1 to {}", kMaxFeatures), bits);
  require(bits == 0 || features.empty(), "bits",
          fmt::format("fingerprints ({}, {} or {})", spelt("smiles"), spelt("hex"), spelt("packed")), "columns of numbers");
}

PoolBuildSummary build_pool(const PoolBuildOptions& options, const std::string& path) {
  const auto start = std::chrono::steady_clock::now();
  options.validate();
  const std::string folder = folder_for(path);
  check_target(options, path);
  const auto library = is_numpy(options.library) ? open_numpy_library(options, folder) : open_csv_library(options);
  const std::string name = options.called();
  PoolBuilder builder(library->layout(), folder, name);
  PoolBuildSummary summary;
  BadRows bad(options.bad_rows, summary);
  LibraryRows rows;
  while (library->next(rows)) {
    for (std::size_t i = 0; i < rows.size(); ++i)
      if (!rows.problems[i].empty()) bad.add(rows.lines[i], rows.ids[i], rows.problems[i]);
    builder.add(rows);
    summary.num_rows += static_cast<std::int64_t>(rows.size());
    if (options.progress) options.progress({summary.num_rows, library->share()});
  }
  bad.finish();
  if (builder.num_candidates() == 0) {
    throw InputError(fmt::format("{}: none of its {} SMILES can be read; the first: {}. Is {} the right column?", name,
                                 summary.num_rows, summary.bad_examples.empty() ? "" : summary.bad_examples[0],
                                 options.spelt("smiles")));
  }
  builder.write(path);
  summary.num_candidates = builder.num_candidates();
  summary.num_duplicates = builder.num_duplicates();
  summary.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return summary;
}

Pool read_pool(const PoolBuildOptions& options) {
  struct Folder {
    std::string path = (fs::temp_directory_path() / "salvo-XXXXXX").string();
    Folder() {
      if (!::mkdtemp(path.data()))
        throw Error(fmt::format("{}: cannot be made: {}. TMPDIR names another folder", path, std::strerror(errno)));
    }
    ~Folder() {
      std::error_code ignored;
      fs::remove_all(path, ignored);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
  } const folder;
  const std::string path = folder.path + "/pool";
  (void)build_pool(options, path);
  Pool::Table table = open_table(path);
  table.path.clear();
  return Pool(std::make_shared<const Pool::Table>(std::move(table)));
}

}  // namespace salvo
