#include <fmt/format.h>
#include <salvo/check.h>
#include <salvo/error.h>

#include "config/options_json.h"
#include "store/store.h"

namespace salvo {

// What the store keeps for others to read, the options, is looked at here.
StudyCheck check_study(const std::string& url) {
  StudyCheck out = check_store(url);
  if (!out.damage.empty() || !out.space) return out;
  try {
    const auto store = open_store(url);
    (void)options_from_json(store->definition().options, store->definition().space, url, std::nullopt);
  } catch (const std::logic_error& error) {
    out.damage.push_back(fmt::format("the table \"study\": {}", error.what()));
  } catch (const Error& error) {  // its pool is elsewhere, say
    out.notes.push_back(fmt::format("it cannot be used as it is: {}", error.what()));
  }
  return out;
}

}  // namespace salvo
