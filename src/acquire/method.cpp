#include <fmt/format.h>
#include <fmt/ranges.h>
#include <salvo/method.h>

#include <algorithm>
#include <array>
#include <stdexcept>
#include <string>
#include <vector>

namespace salvo {
namespace {

// From here on a search of the whole box is lost in its corners: docs/methods.md has the figures.
constexpr int kManyParameters = 7;

constexpr std::array kMethods = {
    MethodInfo{Method::automatic, "auto", ModelUse::sparse, "thompson for up to 6 continuous parameters, turbo for more"},
    MethodInfo{Method::thompson, "thompson", ModelUse::sparse, "the maximisers of sample paths of a sparse GP (S-GP-TS)"},
    MethodInfo{Method::thompson_exact, "thompson-exact", ModelUse::exact,
               "the maximisers of sample paths of the exact GP, O(n³)"},
    MethodInfo{Method::thompson_grid, "thompson-grid", ModelUse::exact,
               "the exact GP drawn jointly at N random points (vanilla GP-TS), O(n³ + N³)"},
    MethodInfo{Method::thompson_features, "thompson-features", ModelUse::sparse,
               "sample paths of linear regression in random features (starves variance)"},
    MethodInfo{Method::turbo, "turbo", ModelUse::sparse,
               "Thompson sampling in one trust region that grows, shrinks and restarts (TuRBO-1)"},
    MethodInfo{Method::ei, "ei", ModelUse::exact, "expected improvement; in a batch, pending points count as seen at their mean"},
    MethodInfo{Method::aei, "aei", ModelUse::exact, "augmented expected improvement, for noisy objectives"},
    MethodInfo{Method::gibbon, "gibbon", ModelUse::exact, "information about the maximum (GIBBON), one point or a batch"},
    MethodInfo{Method::lp, "lp", ModelUse::exact, "expected improvement, penalised around pending points (local penalisation)"},
    MethodInfo{Method::qei, "qei", ModelUse::exact, "expected improvement of the whole batch (qEI), by fixed draws"},
    MethodInfo{Method::random, "random", ModelUse::none, "uniformly random points"},
    MethodInfo{Method::sobol, "sobol", ModelUse::none, "scrambled Sobol points, evenly spread"},
};

}  // namespace

std::span<const MethodInfo> methods() { return kMethods; }

const MethodInfo& info(Method method) {
  return *std::find_if(kMethods.begin(), kMethods.end(), [&](const MethodInfo& m) { return m.method == method; });
}

std::string_view to_string(Method method) { return info(method).name; }

Method method_for(Method method, int num_continuous) {
  if (method != Method::automatic) return method;
  return num_continuous < kManyParameters ? Method::thompson : Method::turbo;
}

Method method(std::string_view name) {
  std::vector<std::string> known;
  for (const MethodInfo& m : kMethods) {
    if (m.name == name) return m.method;
    known.push_back(fmt::format("\"{}\"", m.name));
  }
  throw std::invalid_argument(fmt::format("method: expected one of {}, got \"{}\"", fmt::join(known, ", "), name));
}

}  // namespace salvo
