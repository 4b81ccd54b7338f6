// How well do M features carry the kernel? The error of ΦΦᵀ against K at equal M, for every kind of prior features: the
// measurement behind the default of model.features.

#include <fmt/core.h>
#include <salvo/salvo.h>

#include <array>
#include <cmath>
#include <cstdio>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "experiments.h"
#include "support/measure.h"

namespace salvo::experiments {
namespace {

struct Row {
  KernelType kernel;
  int d, M;
  FeatureType type;
  double error;  // root mean square over pairs of points and seeds, in units of σ²; NaN: there are none
};

Matrix features(FeatureType type, const Kernel& kernel, int M, const Matrix& X, Key key) {
  if (type == FeatureType::eigen) return eigenfunctions(EigenType::automatic, kernel, M).features(X);
  const FourierFeatures waves = fourier_features(kernel, M, key, type);
  return waves.cosines(X) * waves.scale;
}

double error(FeatureType type, KernelType name, int d, int M, int seeds) {
  // Distances in the unit box grow with √d, and with them the length-scales that a study learns.
  const Kernel kernel{name, 1.0, Vector::Constant(d, 0.3 * std::max(1.0, std::sqrt(d / 6.0)))};
  if (type == FeatureType::eigen && d > 6) return std::nan("");
  double sum = 0;
  for (int s = 0; s < seeds; ++s) {
    const Key key = Key(1).fold(static_cast<std::uint64_t>(s));
    const Matrix X = uniform(60, d, key.fold("points"));
    const Matrix Phi = features(type, kernel, M, X, key.fold("features"));
    sum += (Phi * Phi.transpose() - gram(kernel, X, X)).squaredNorm() / 3600;
  }
  return std::sqrt(sum / seeds);
}

// Error against M for one kernel in six coordinates, both on log scales.
void picture(const std::vector<Row>& rows, const std::string& path) {
  constexpr std::array kColours = {"#000000", "#888888", "#d95f02", "#7570b3", "#1b9e77", "#e7298a"};
  const auto x = [](double M) { return 70 + 480 * std::log(M / 125) / std::log(32.0); };
  const auto y = [](double e) { return 40 + 320 * std::log(0.2 / e) / std::log(20.0); };  // 0.2 to 0.01
  std::string svg =
      "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 760 420' font-family='sans-serif' font-size='13'>\n"
      "<rect width='760' height='420' fill='white'/><text x='70' y='22'>error of ΦΦᵀ against K, matern52, d = 6</text>\n";
  for (const int M : {125, 250, 500, 1000, 2000, 4000})
    svg += fmt::format("<text x='{:.0f}' y='385' text-anchor='middle'>{}</text>\n", x(M), M);
  for (const double e : {0.01, 0.02, 0.05, 0.1, 0.2})
    svg += fmt::format(
        "<line x1='70' x2='550' y1='{0:.1f}' y2='{0:.1f}' stroke='#ddd'/><text x='62' y='{0:.1f}' "
        "text-anchor='end'>{1}</text>\n",
        y(e), e);
  svg += "<text x='310' y='408' text-anchor='middle'>M</text>\n";
  for (std::size_t k = 0; k < Names<FeatureType>::list.size(); ++k) {
    const auto& [type, name] = Names<FeatureType>::list[k];
    std::string line;
    double last = 0;
    for (const Row& row : rows)
      if (row.type == type && row.kernel == KernelType::matern52 && row.d == 6) {
        line += fmt::format("{:.1f},{:.1f} ", x(row.M), y(row.error));
        last = row.error;
      }
    svg += fmt::format(
        "<polyline fill='none' stroke-width='2' stroke='{0}' points='{1}'/><text x='560' y='{2}' fill='{0}'>{3} "
        "({4:.2g} at M = 4000)</text>\n",
        kColours[k], line, 60 + 22 * k, name, last);
  }
  std::ofstream file(path);
  file << svg << "</svg>\n";
  if (!file.flush()) throw std::runtime_error("cannot write " + path);
}

}  // namespace

int run_features(Arguments& arguments) {
  bool json = false;
  int seeds = 10;
  std::string svg;
  arguments.flag("--json", json, "one JSON object per line");
  arguments.option("--seeds", seeds, "draws of each kind", kPositive);
  arguments.option("--picture", svg, "write a picture (SVG)");
  arguments.parse();

  std::vector<Row> rows;
  if (!json) {
    fmt::print("root mean square error of ΦΦᵀ against K, in units of σ² ({} draws)\n{:<10}{:>3}{:>6}", seeds, "kernel", "d", "M");
    for (const auto& [type, name] : Names<FeatureType>::list) fmt::print("{:>15}", name);
    fmt::print("\n");
  }
  for (const KernelType kernel : {KernelType::se, KernelType::matern12, KernelType::matern32, KernelType::matern52})
    for (const int d : {1, 2, 3, 6, 12, 24})
      for (const int M : {125, 250, 500, 1000, 2000, 4000}) {
        if (M != 250 && M != 1000 && M != 4000 && (d != 6 || kernel != KernelType::matern52)) continue;
        if (!json) fmt::print("{:<10}{:>3}{:>6}", to_string(kernel), d, M);
        for (const auto& [type, name] : Names<FeatureType>::list) {
          const double e = error(type, kernel, d, M, seeds);
          rows.push_back({kernel, d, M, type, e});
          if (!json) fmt::print("{:>15.2g}", e);
          if (json && std::isfinite(e))
            fmt::print("{}\n", nlohmann::ordered_json{{"kernel", to_string(kernel)},
                                                      {"d", d},
                                                      {"M", M},
                                                      {"features", to_string(type)},
                                                      {"error", e},
                                                      {"seeds", seeds}}
                                   .dump());
        }
        if (!json) fmt::print("\n");
        std::fflush(stdout);
      }
  if (!svg.empty()) picture(rows, svg);
  return 0;
}

}  // namespace salvo::experiments
