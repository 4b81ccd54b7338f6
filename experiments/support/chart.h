#pragma once
#include <string>
#include <vector>

namespace salvo::experiments {

struct Series {
  std::string label;
  std::vector<double> x, y;
  bool dashed = false;  // a reference to read the others by
};
struct Panel {
  std::string title, x_label, y_label;
  bool log_x = true, log_y = true;
  std::vector<Series> series;
};

// Panels side by side, two to a row, with the command line's own drawing code.
void write_chart(const std::string& path, const std::string& title, const std::string& remark, const std::vector<Panel>& panels);

}  // namespace salvo::experiments
