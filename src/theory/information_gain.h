#pragma once
#include <salvo/kernel.h>
#include <salvo/random.h>

#include <cstdint>

namespace salvo {

// ½ log det(I + K_A/τ) as A grows greedily over a design of points of the unit cube, each as often as it pays.
struct InformationGain {
  Vector gains;  // [picks] what each pick added; never rises
  int design = 0;

  // After n picks. Beyond those computed the last gain is added over and over, which can only overstate.
  [[nodiscard]] double after(std::int64_t n) const;
};

[[nodiscard]] InformationGain greedy_information_gain(const Kernel& kernel, double noise, std::int64_t num_picks, int design,
                                                      Key key);

}  // namespace salvo
