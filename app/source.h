#pragma once
#include <salvo/study.h>
#include <salvo/study_file.h>

#include <optional>

#include "arguments.h"

namespace salvo::app {

// A study and the study file it came from. A store remembers the file's text, so that it can be run by itself;
// a study made by a program has none.
struct Source {
  Study study;
  std::optional<StudyFile> file;
};

inline constexpr const char* kRemark = "remark";  // the note that people keep about the study

[[nodiscard]] Source open_for_work(const Common& common);  // makes the store when there is none
[[nodiscard]] Source open_to_look(const Common& common);   // changes nothing
// What is said where somebody looks at a study that is not there yet.
[[nodiscard]] std::string not_started(const std::string& study, const std::string& storage);

// Where the study is kept, without a look into it.
[[nodiscard]] std::string storage_of(const Common& common);

// Refuses to write a result over the study file or over a file of the store.
void check_output(const Common& common, const std::string& output, const char* option = "--output");
// The same where the store is known, and may be damaged: it is not opened.
void check_apart(const std::string& output, const char* option, const std::string& storage,
                 std::initializer_list<std::string> files);

// The outputs of the study, or of the one that would begin.
[[nodiscard]] Outputs outputs_of(const Common& common);

}  // namespace salvo::app
