#pragma once
#include <functional>

#include "arguments.h"

namespace CLI {
class App;
}

namespace salvo::app {

// The options of `salvo ask`, `salvo enqueue`, `salvo tell` and `salvo note`; args() is where they go.
extern const char *const kAskExamples, *const kEnqueueExamples, *const kTellExamples, *const kNoteExamples;
void add_ask_options(CLI::App& sub, const std::function<AskArgs&()>& args);
void add_enqueue_options(CLI::App& sub, const std::function<EnqueueArgs&()>& args);
void add_tell_options(CLI::App& sub, const std::function<TellArgs&()>& args);
void add_note_options(CLI::App& sub, const std::function<NoteArgs&()>& args);

}  // namespace salvo::app
