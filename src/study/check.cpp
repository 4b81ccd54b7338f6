#include <salvo/check.h>
#include <salvo/error.h>
#include <salvo/study.h>

#include "store/store.h"

namespace salvo {

// What the store keeps for others to read, the options, is looked at by opening the study.
StudyCheck check_study(const std::string& url) {
  StudyCheck out = check_store(url);
  if (!out.damage.empty()) return out;
  try {
    (void)Study::open(url);
  } catch (const Error& error) {
    out.damage.emplace_back(error.what());
  }
  return out;
}

}  // namespace salvo
