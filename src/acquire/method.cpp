#include <salvo/method.h>

#include <algorithm>
#include <array>

namespace salvo {
namespace {

constexpr std::array kMethods = {
    MethodInfo{Method::automatic, ModelUse::sparse,
               "thompson, and sample paths of an exact GP around the best point, in shares by what came of each"},
    MethodInfo{Method::thompson, ModelUse::sparse, "the maximisers of sample paths of a sparse GP (S-GP-TS)"},
    MethodInfo{Method::thompson_exact, ModelUse::exact, "the maximisers of sample paths of the exact GP, O(n³)"},
    MethodInfo{Method::thompson_grid, ModelUse::exact,
               "the exact GP drawn jointly at N random points (vanilla GP-TS), O(n³ + N³)"},
    MethodInfo{Method::thompson_features, ModelUse::sparse,
               "sample paths of linear regression in random features (starves variance)"},
    MethodInfo{Method::turbo, ModelUse::sparse,
               "Thompson sampling in one trust region that grows, shrinks and restarts (TuRBO-1)"},
    MethodInfo{Method::ei, ModelUse::exact, "expected improvement; in a batch, pending points count as seen at their mean"},
    MethodInfo{Method::aei, ModelUse::exact, "augmented expected improvement, for noisy objectives"},
    MethodInfo{Method::gibbon, ModelUse::exact, "information about the maximum (GIBBON), one point or a batch"},
    MethodInfo{Method::lp, ModelUse::exact, "expected improvement, penalised around pending points (local penalisation)"},
    MethodInfo{Method::qei, ModelUse::exact, "expected improvement of the whole batch (qEI), by fixed draws"},
    MethodInfo{Method::random, ModelUse::none, "uniformly random points"},
    MethodInfo{Method::sobol, ModelUse::none, "scrambled Sobol points, evenly spread"},
};

}  // namespace

std::span<const MethodInfo> methods() { return kMethods; }

const MethodInfo& info(Method method) {
  return *std::find_if(kMethods.begin(), kMethods.end(), [&](const MethodInfo& m) { return m.method == method; });
}

}  // namespace salvo
