#pragma once
#include <gtest/gtest.h>

#include "store/store.h"
#include "support/folder.h"
#include "support/options.h"

// What the tests of all kinds of store share: a second kind of database is a second entry of kStores.
namespace salvo {

struct Kind {
  const char* name;
  std::string (*url)(const test::Folder&);
  bool lasts;  // it can be closed and opened again
};
inline const Kind kStores[] = {{"sqlite", [](const test::Folder& folder) { return folder.path("study.db"); }, true},
                               {"memory", [](const test::Folder&) { return std::string(kInMemory); }, false}};

inline Params point(double temperature) {
  return {temperature, 0.01, std::int64_t{3}, std::string("huge"), std::string("Ni"), std::string("north")};
}

class EveryStore : public ::testing::TestWithParam<Kind> {
 protected:
  void begin(const std::vector<std::string>& outputs = {"value"}) {
    store_ = create_store(GetParam().url(folder_), {test::mixed_space(), outputs, R"({"any": "document"})"});
  }
  // The store as the next process finds it, where there can be one.
  Store& again() {
    if (GetParam().lasts) {
      store_.reset();
      store_ = open_store(GetParam().url(folder_));
    }
    return *store_;
  }
  // Points at 300, 301, …, the next of the study.
  std::vector<Trial> claim(int count, const Learned* learned = nullptr, const std::string& owner = "") {
    std::vector<Store::NewTrial> points;
    const auto first = static_cast<double>(store_->counts().total());
    for (int i = 0; i < count; ++i) points.push_back({point(300 + first + i), i % 2 == 0 ? Source::initial : Source::model});
    return store_->claim(store_->snapshot(0, -1).asks, points, learned, owner).value();
  }
  void tell(std::int64_t id, const Outcome& outcome) {
    const Told one{id, outcome};
    store_->tell({&one, 1});
  }

  test::Folder folder_;
  std::unique_ptr<Store> store_;
};

}  // namespace salvo
