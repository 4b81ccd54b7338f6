#pragma once
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "support/chart.h"

namespace salvo::experiments {

// What every experiment of experiments/paper writes: FOLDER/NAME.json with the numbers beside the command, the machine and the
// commit, and FOLDER/NAME.svg with the picture.
struct Result {
  std::string name, title, remark;
  nlohmann::ordered_json numbers;
  std::vector<Panel> panels;
};
void write_result(const Result& result, const std::string& folder, const std::string& command);

// The slope of log y against log x over the last `count` points, by least squares.
[[nodiscard]] double fitted_exponent(const std::vector<double>& x, const std::vector<double>& y, std::size_t count);

}  // namespace salvo::experiments
