#pragma once
#include <string>
#include <vector>

namespace salvo::experiments {

struct RecallLine {
  std::string label;
  std::vector<double> x, median, low, high;  // low and high: over the seeds
};
struct RecallPanel {
  std::string title;
  std::vector<RecallLine> lines;
};

// Panels side by side: recall against evaluations, one line a method, a band over its seeds.
void write_recall(const std::string& path, const std::string& title, const std::vector<RecallPanel>& panels);

}  // namespace salvo::experiments
