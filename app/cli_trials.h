#pragma once
#include <functional>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

// The options of `salvo ask`, `salvo enqueue`, `salvo tell`, `salvo note` and `salvo tag`; args() is where they go.
extern const char *const kAskExamples, *const kEnqueueExamples, *const kTellExamples, *const kNoteExamples, *const kTagExamples;
void add_ask_options(CLI::App& sub, const std::function<AskArgs&()>& args);
void add_enqueue_options(CLI::App& sub, const std::function<EnqueueArgs&()>& args);
void add_tell_options(CLI::App& sub, const std::function<TellArgs&()>& args);
void add_note_options(CLI::App& sub, const std::function<NoteArgs&()>& args);
void add_tag_options(CLI::App& sub, const std::function<TagArgs&()>& args);
// --tag of what shows trials.
void add_tag_filter(CLI::App& sub, const std::function<std::vector<std::string>&()>& tags);

}  // namespace salvo::app
