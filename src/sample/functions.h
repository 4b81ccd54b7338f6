#pragma once
#include <salvo/encoding.h>
#include <salvo/kernel.h>

#include <span>
#include <vector>

namespace salvo {

// One discrete parameter that takes another level.
struct Change {
  Encoding::Discrete discrete;
  std::int64_t level = 0;
};

// x with its coordinate e at each of `places`.
[[nodiscard]] Matrix moved_along(std::span<const double> x, int e, std::span<const double> places);

// What a search climbs: functions over the unit cube, several evaluated together. evaluate() is all there must be; the
// others say the same in ways that an implementation may have faster ones for.
class Functions {
 public:
  virtual ~Functions() = default;

  [[nodiscard]] int size() const { return size_; }
  [[nodiscard]] const Kernel& kernel() const { return kernel_; }  // of the model: which points are near, how much f varies
  [[nodiscard]] double tolerance() const { return tolerance_; }   // a step that gains less is a search's last
  [[nodiscard]] virtual bool kinked() const { return false; }     // so rough that a gradient leads nowhere far

  // Function index[k] at row k of X: values [K], −∞ where there is none, and gradients [K,d] when asked for.
  virtual void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const = 0;
  // Every function at every row of X: [n,B].
  [[nodiscard]] virtual Matrix values(const Matrix& X) const;
  // Where searches begin: of each of num_blocks runs of equal length of the rows of C, the row where each of the functions
  // `members` is highest: [num_blocks][members].
  [[nodiscard]] virtual std::vector<int> best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const;
  // Whether it is a sum of functions of one coordinate each, or nearly: then a search may sweep() over them.
  [[nodiscard]] virtual bool is_sum() const { return false; }
  // One function where coordinate e of x moves to each of `places`. Called from several threads.
  virtual void along(int function, std::span<const double> x, int e, std::span<const double> places,
                     std::span<double> values) const;
  // One function where x takes each of the changes, one at a time. Called from several threads.
  virtual void changed(const Encoding& space, int function, std::span<const double> x, std::span<const Change> changes,
                       std::span<double> values) const;

 protected:
  Functions(int size, Kernel kernel, double tolerance) : size_(size), kernel_(std::move(kernel)), tolerance_(tolerance) {}

 private:
  int size_;
  Kernel kernel_;
  double tolerance_;
};

}  // namespace salvo
