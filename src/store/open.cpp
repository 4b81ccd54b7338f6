#include <salvo/error.h>
#include <salvo/study.h>

#include <filesystem>
#include <stdexcept>
#include <string_view>

#include "store/memory/store.h"
#include "store/sqlite/store.h"
#include "store/store.h"

// Which kind of store a url means: the one place that knows them all.
namespace salvo {

void check_url(const std::string& url) {
  if (url.empty()) throw std::invalid_argument("path: expected the name of a file or \":memory:\", got an empty text");
  if (url.find('\0') != std::string::npos) throw std::invalid_argument("path: expected a name without NUL bytes, got one with");
}

std::unique_ptr<Store> create_store(const std::string& url, const Definition& definition) {
  check_url(url);
  if (url == kInMemory) return std::make_unique<MemoryStore>(definition);
  return SqliteStore::create(url, definition);
}

std::unique_ptr<Store> open_store(const std::string& url) {
  check_url(url);
  if (url == kInMemory) throw std::invalid_argument("Study::open: there is nothing to open in \":memory:\". Create a study");
  return SqliteStore::open(url);
}

StudyCheck check_store(const std::string& url) {
  check_url(url);
  if (url == kInMemory) throw std::invalid_argument("check_study: there is nothing to check in \":memory:\"");
  return SqliteStore::check(url);
}

bool store_exists(const std::string& url) {
  std::error_code ignored;
  return url != kInMemory && std::filesystem::exists(url, ignored);
}

// By its content, or by its name: then opening says what is wrong with it.
bool names_store(const std::string& url) {
  constexpr std::string_view kMagic = "SQLite format 3";
  std::error_code ignored;
  if (std::filesystem::is_regular_file(url, ignored)) {
    try {
      if (head_of(url, kMagic.size()).bytes == kMagic) return true;
    } catch (const StoreError&) {  // it may not be read: its name says what it is
    }
  }
  const std::string extension = std::filesystem::path(url).extension().string();
  return extension == ".db" || extension == ".sqlite" || extension == ".sqlite3";
}

}  // namespace salvo
