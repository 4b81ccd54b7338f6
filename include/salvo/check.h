#pragma once
#include <salvo/space.h>
#include <salvo/trial.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace salvo {

// What is wrong with a study's file, and what of it is whole.
struct StudyCheck {
  std::vector<std::string> damage{};   // each in a few words: "trial 7: its checksum is wrong"; none: all is well
  std::vector<std::string> notes{};    // worth knowing, and no damage
  std::int64_t num_trials = 0;         // that the study has handed out or was told
  std::optional<Space> space{};        // none: not even that can be read
  std::vector<std::string> outputs{};  // the names of its outputs
  std::vector<Trial> whole{};          // the trials that are whole, by id
};

// Looks at everything in a study's file and changes nothing: SQLite's own check, the checksums, whether each trial and each
// outcome is there, whose pending trials will not come back. Throws StoreError: missing, or no study at all.
[[nodiscard]] StudyCheck check_study(const std::string& url);

}  // namespace salvo
