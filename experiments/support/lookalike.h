#pragma once
#include <salvo/pool.h>
#include <salvo/random.h>

#include <cstdint>

namespace salvo::experiments {

// How far drawn fingerprints are from their sample: root mean squares over all bits and over all pairs of bits.
struct Likeness {
  double density;      // of the difference in how often a bit is set
  double correlation;  // of the difference in two bits' correlation
  double spread;       // of the sample's correlations themselves, to compare with
};

// `size` fingerprints whose bits are set as often as the sample's and, pair by pair, together as often: a Gaussian vector with
// fitted correlations, cut at a threshold for each bit. What three bits do together is not taken over.
[[nodiscard]] Pool lookalike(const Pool& sample, std::int64_t size, Key key);
[[nodiscard]] Likeness likeness(const Pool& sample, const Pool& drawn);

}  // namespace salvo::experiments
