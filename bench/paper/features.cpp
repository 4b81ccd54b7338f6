// How well do M features carry the kernel? The error of ΦΦᵀ against K at equal M, for every kind of prior features: the
// measurement behind the default of model.features.
#include "sample/features.h"

#include <fmt/core.h>
#include <salvo/salvo.h>

#include <CLI/CLI.hpp>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

namespace {

using namespace salvo;

struct Row {
  KernelType kernel;
  int d, M;
  FeatureType type;
  double error;  // root mean square over pairs of points and seeds, in units of σ²; NaN: there are none
};

Matrix uniform(Eigen::Index n, Eigen::Index d, Key key) {
  Matrix X(n, d);
  key.fill_uniform({X.data(), static_cast<std::size_t>(X.size())});
  return X;
}

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

void picture(const std::vector<Row>& rows, const std::string& path) {
  FILE* pipe = popen("gnuplot", "w");  // NOLINT(cert-env33-c): its input is written here
  if (!pipe) throw std::runtime_error("features: gnuplot does not start");
  fmt::print(pipe,
             "set terminal svg size 900,420 dynamic enhanced\nset output '{}'\nset logscale xy\nset key outside right\n"
             "set xlabel 'M'\nset ylabel 'error of {{/Symbol FF}}^T (of {{/Symbol s}}^2)'\n"
             "set title 'matern52, d = 6'\nset xtics (125, 250, 500, 1000, 2000, 4000)\nplot ",
             path);
  std::string data;
  for (const FeatureType type : kFeatureTypes) {
    fmt::print(pipe, "'-' with linespoints title '{}', ", to_string(type));
    for (const Row& row : rows)
      if (row.type == type && row.kernel == KernelType::matern52 && row.d == 6) data += fmt::format("{} {}\n", row.M, row.error);
    data += "e\n";
  }
  fmt::print(pipe, "\n{}", data);
  if (pclose(pipe) != 0) throw std::runtime_error("features: gnuplot failed");
}

}  // namespace

int main(int argc, char** argv) try {
  CLI::App app{"The error of the prior's features against the kernel, at equal M."};
  bool json = false;
  int seeds = 10;
  std::string svg;
  app.add_flag("--json", json, "one JSON object per line");
  app.add_option("--seeds", seeds, "draws of each kind")->check(CLI::PositiveNumber);
  app.add_option("--picture", svg, "write a picture (SVG, by gnuplot)");
  CLI11_PARSE(app, argc, argv);

  std::vector<Row> rows;
  if (!json) {
    fmt::print("root mean square error of ΦΦᵀ against K, in units of σ² ({} draws)\n{:<10}{:>3}{:>6}", seeds, "kernel", "d", "M");
    for (const FeatureType type : kFeatureTypes) fmt::print("{:>15}", to_string(type));
    fmt::print("\n");
  }
  for (const KernelType kernel : {KernelType::se, KernelType::matern12, KernelType::matern32, KernelType::matern52})
    for (const int d : {1, 2, 3, 6, 12, 24})
      for (const int M : {125, 250, 500, 1000, 2000, 4000}) {
        if (M != 250 && M != 1000 && M != 4000 && (d != 6 || kernel != KernelType::matern52)) continue;
        if (!json) fmt::print("{:<10}{:>3}{:>6}", to_string(kernel), d, M);
        for (const FeatureType type : kFeatureTypes) {
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
} catch (const std::exception& error) {
  fmt::print(stderr, "bench_features: {}\n", error.what());
  return 1;
}
