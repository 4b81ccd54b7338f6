#pragma once
#include <memory>
#include <span>
#include <vector>

#include "sample/functions.h"
#include "sample/limit.h"

namespace salvo {

// What the paths of several objectives are worth together to one search of a batch.
class Merit {
 public:
  virtual ~Merit() = default;
  // f has the value of each objective's path; slope, unless empty, gets what the merit changes by with each.
  [[nodiscard]] virtual double value(int search, std::span<const double> f, std::span<double> slope) const = 0;
};

// Of one objective: its path.
class OneObjective : public Merit {
 public:
  [[nodiscard]] double value(int, std::span<const double> f, std::span<double> slope) const override {
    if (!slope.empty()) slope[0] = 1;
    return f[0];
  }
};

// Where the paths of one constraint have to stay, each within bounds of its own.
struct Bounded {
  const Functions* g;
  Vector low, high;  // [B] in the units of g; −∞, ∞: no bound
};

// Searches of the members of a batch where there are several outputs (docs/math.md §19): each climbs the merit of its own paths
// of the objectives, less the price of what its own paths of the constraints miss. Search s is of member s mod B, and has prices
// of its own: press() raises those of what is missed still, as an augmented Lagrangian does, so that a climb that goes on ends
// where the constraints hold. `objectives`, `constraints` and `merit` must live as long.
class SeveralFunctions : public Functions {
 public:
  // searches: of each member. The objectives' functions are in the units of y, of about 1.
  SeveralFunctions(std::vector<const Functions*> objectives, std::vector<Bounded> constraints, const Merit& merit,
                   std::vector<std::unique_ptr<Limit>> limits, int searches);

  void evaluate(const Matrix& X, const std::vector<int>& index, Vector& values, Matrix* gradients = nullptr) const override;
  [[nodiscard]] Matrix values(const Matrix& X) const override;
  [[nodiscard]] std::vector<int> best_candidates(const std::vector<int>& members, const Matrix& C, int num_blocks) const override;

  [[nodiscard]] bool is_sum() const override;
  void along(int search, std::span<const double> x, int e, std::span<const double> places,
             std::span<double> values) const override;

  void set_bounds(std::vector<Bounded> bounds) { constraints_ = std::move(bounds); }  // of the same constraints
  // Every member's paths of one objective at every row [n,B], and what they miss of the constraints in all.
  [[nodiscard]] Matrix objective_values(std::size_t objective, const Matrix& X) const {
    return objectives_[objective]->values(X);
  }
  [[nodiscard]] Matrix missed_in_all(const Matrix& X) const;
  void follow(const Merit& merit) { merit_ = &merit; }  // another one from here on
  // Row k of X is where search index[k] has come.
  void press(const Matrix& X, const std::vector<int>& index);
  // What makes the better end of a search: among those that keep to the constraints the merit, else how little they miss.
  [[nodiscard]] Vector settled(const Matrix& X, const std::vector<int>& index) const;

 private:
  [[nodiscard]] Matrix first_values(const Matrix& X, int begin) const;
  struct Price {
    double value = 0, pull = 0;  // and by what the value changes with g
  };
  [[nodiscard]] Price price(std::size_t constraint, int search, double g) const;
  [[nodiscard]] double missed(std::size_t constraint, int member, double g) const;  // below 0: too low, above: too high
  std::vector<const Functions*> objectives_;
  std::vector<Bounded> constraints_;
  const Merit* merit_;
  std::vector<std::unique_ptr<Limit>> limits_;
  int num_members_;
  Matrix price_;      // [constraints,searches] of one unit missed, by its sign
  double steepness_;  // of the price of a square
};

}  // namespace salvo
