#pragma once
#include <salvo/encoding.h>
#include <salvo/random.h>

#include <cstring>
#include <span>
#include <string>
#include <unordered_set>

namespace salvo {

// What tells encoded points apart, bit by bit (encodings are canonical: see Encoding::snap).
[[nodiscard]] inline std::string point_key(std::span<const double> x) {
  std::string bytes(x.size() * sizeof(double), '\0');
  for (std::size_t i = 0; i < x.size(); ++i) {
    const double positive_zero = x[i] + 0.0;  // −0 and 0 are the same point
    std::memcpy(bytes.data() + i * sizeof(double), &positive_zero, sizeof(double));
  }
  return bytes;
}

// Encoded points that may not be handed out again.
class Taken {
 public:
  explicit Taken(const Matrix& X) {
    for (Eigen::Index i = 0; i < X.rows(); ++i) insert({X.row(i).data(), static_cast<std::size_t>(X.cols())});
  }
  bool insert(std::span<const double> x) { return keys_.insert(point_key(x)).second; }  // false when it was there
  [[nodiscard]] bool contains(std::span<const double> x) const { return keys_.contains(point_key(x)); }
  [[nodiscard]] std::size_t size() const { return keys_.size(); }

 private:
  std::unordered_set<std::string> keys_;
};

// The row of X with the largest value that is not taken, which it then is; false when all are.
[[nodiscard]] bool take_best(const Matrix& X, const Vector& values, Taken& taken, Eigen::Ref<Eigen::RowVectorXd> out);

// Whether a search that leaves out as many points finds `size` others with ease: half of a finite space is free.
[[nodiscard]] inline bool has_room(const Encoding& space, std::size_t closed, int size) {
  return space.num_points() >= 2 * (static_cast<double>(closed) + size);
}

// Some point that is not taken [1,d], at random where there is room; it is then.
[[nodiscard]] Matrix free_point(const Encoding& space, Taken& taken, Key key);
// Of a space without continuous parameters: x, or the first point after it that is not taken, which it then is.
[[nodiscard]] Matrix next_free_point(const Encoding& space, Taken& taken, Matrix x);

}  // namespace salvo
