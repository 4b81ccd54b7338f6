#include <fmt/core.h>
#include <salvo/features.h>

#include <array>
#include <stdexcept>
#include <string>
#include <utility>

namespace salvo {
namespace {

constexpr std::array<std::pair<FeatureType, std::string_view>, 6> kFeatureNames{{{FeatureType::automatic, "auto"},
                                                                                 {FeatureType::fourier, "fourier"},
                                                                                 {FeatureType::fourier_pairs, "fourier-pairs"},
                                                                                 {FeatureType::orthogonal, "orthogonal"},
                                                                                 {FeatureType::quasi_random, "quasi-random"},
                                                                                 {FeatureType::eigen, "eigen"}}};
constexpr std::array<std::pair<EigenType, std::string_view>, 3> kEigenNames{
    {{EigenType::automatic, "auto"}, {EigenType::box, "box"}, {EigenType::gaussian, "gaussian"}}};

template <class Names, class T>
std::string_view name_of(const Names& names, T type) {
  for (const auto& [value, name] : names)
    if (value == type) return name;
  return "unknown";
}

template <class Names>
auto by_name(const Names& names, const char* what, std::string_view name) {
  std::string known;
  for (const auto& [value, text] : names) {
    if (text == name) return value;
    known += (known.empty() ? "" : ", ") + std::string(text);
  }
  throw std::invalid_argument(fmt::format("{}: expected one of {}; got \"{}\"", what, known, name));
}

}  // namespace

std::string_view to_string(FeatureType type) { return name_of(kFeatureNames, type); }
FeatureType feature_type(std::string_view name) { return by_name(kFeatureNames, "features", name); }
std::string_view to_string(EigenType type) { return name_of(kEigenNames, type); }
EigenType eigen_type(std::string_view name) { return by_name(kEigenNames, "eigenfunctions", name); }

}  // namespace salvo
