#pragma once
#include <salvo/study.h>

#include <string>
#include <vector>

namespace salvo::app {

// Which trials carry all of the tags that somebody wants to see; with none, every trial does.
class Tagged {
 public:
  // Throws InputError when no trial carries one of them: it is a slip of the pen.
  Tagged(Study& study, const std::vector<std::string>& wanted);
  [[nodiscard]] bool operator()(const Trial& trial) const;
  [[nodiscard]] const Tags& all() const { return tags_; }
  [[nodiscard]] bool any() const { return !wanted_.empty(); }  // tags that are wanted

 private:
  Tags tags_;
  std::vector<std::string> wanted_;
};

// How many trials carry which tag.
[[nodiscard]] std::map<std::string, std::int64_t> num_tagged(const Tags& tags);

}  // namespace salvo::app
