#pragma once
#include <salvo/matrix.h>
#include <salvo/random.h>
#include <salvo/space.h>

#include <cstdint>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

namespace salvo {

// Numbers of more values than that are as good as continuous.
constexpr std::int64_t kManyLevels = 16;

class Allowed;
class Described;

// A space in the unit cube: numbers and ordinals take one coordinate in [0,1], a categorical takes one coordinate per choice
// (one-hot), or one per number by which its choices are described, a fixed parameter takes none, nor
// does one that follows from others.
class Encoding {
 public:
  // A parameter with finitely many values: its coordinates [offset, offset + width) and its levels 0 … num_levels−1.
  struct Discrete {
    int parameter = 0;
    int offset = 0;
    int width = 1;
    std::int64_t num_levels = 0;
    enum class Kind { ordered, one_hot, described } kind = Kind::ordered;  // described: by what is known of each choice

    [[nodiscard]] bool is_ordered() const { return kind == Kind::ordered; }
    [[nodiscard]] bool is_one_hot() const { return kind == Kind::one_hot; }
  };

  Encoding() = default;
  // Throws std::invalid_argument for the candidates of a pool, which have no coordinates.
  Encoding(Space space);  // NOLINT(google-explicit-constructor): a space has one encoding

  // The same coordinates where parameters, by their number, have one value each, as if they were fixed: what is drawn, snapped
  // or decoded has it, and searches leave their coordinates alone.
  [[nodiscard]] Encoding pinned(const std::map<int, Value>& values) const;

  [[nodiscard]] const Space& space() const { return space_; }
  [[nodiscard]] int num_dims() const { return num_dims_; }
  [[nodiscard]] int num_free() const { return num_free_; }  // parameters that vary by themselves
  // Distinct points that may be handed out; where there are conditions and more than a hundred thousand points, those without
  // them.
  [[nodiscard]] double num_points() const;
  [[nodiscard]] std::vector<std::string> coordinate_names() const;  // "rate", "kind=Pd"
  [[nodiscard]] const std::vector<int>& continuous_dims() const { return continuous_; }
  [[nodiscard]] const std::vector<Discrete>& discretes() const { return discretes_; }
  // Continuous coordinates of which only some numbers are handed out, more than a few: searched as continuous, and settled then.
  [[nodiscard]] const std::vector<Discrete>& grids() const { return grids_; }
  [[nodiscard]] bool is_finite() const;  // no coordinate takes any number

  void encode(const Params& params, std::span<double> x) const;  // params must be valid; x has num_dims()
  [[nodiscard]] Vector encode(const Params& params) const;
  // The nearest valid, typed point. decode(encode(p)) == p for every p that decode gave and for every discrete value;
  // floats are coded in steps of 2^-40 of their range, so one from elsewhere comes back to within half a step. Whether the
  // space's conditions hold there is snap()'s.
  [[nodiscard]] Params decode(std::span<const double> x) const;
  // Moves x to the nearest valid point of the encoding (exactly encode(decode(x))), and on to one near it that is allowed.
  void snap(std::span<double> x) const;
  [[nodiscard]] const Allowed* allowed() const { return allowed_.get(); }  // null: every point of the cube is
  [[nodiscard]] bool allows(std::span<const double> x) const;              // a valid point
  [[nodiscard]] double share() const;  // of the cube's points that are allowed, about; 1 where all are
  // A valid point that is allowed, at random: uniform in each parameter's own scale among those.
  void draw(std::span<double> x, Key key) const;

  // Which choice of a categorical parameter x has.
  [[nodiscard]] std::int64_t choice(int parameter, std::span<const double> x) const;
  [[nodiscard]] std::int64_t level(const Discrete& discrete, std::span<const double> x) const;
  void set_level(const Discrete& discrete, std::int64_t level, std::span<double> x) const;
  // Finite spaces: the next valid point that is allowed, in the order of an odometer; false after the last, where the first
  // comes again.
  bool next(std::span<double> x) const;
  // Maps u in [0,1)^num_free(), one number per parameter that varies, to a valid encoded point, allowed or not: uniform in the
  // parameter's own scale, choices equally often.
  void from_unit(std::span<const double> u, std::span<double> x) const;
  [[nodiscard]] const Described* described(int parameter) const;  // null where its choices are not
  [[nodiscard]] int offset(int parameter) const { return offsets_[static_cast<std::size_t>(parameter)]; }  // of its coordinates

 private:
  Space space_;
  std::shared_ptr<const Where> where_;      // null: no number follows from others, and all points are allowed
  std::shared_ptr<const Allowed> allowed_;  // null: all points are
  std::vector<int> offsets_;                // first coordinate of each parameter
  std::vector<int> continuous_;
  std::vector<Discrete> discretes_, grids_;
  std::map<int, std::shared_ptr<const Described>> described_;  // by parameter
  int num_dims_ = 0, num_free_ = 0;
  double num_points_ = 1;
  std::vector<std::pair<int, double>> pins_;  // coordinates that have one value

  void pin(std::span<double> x) const;
  void round(std::span<double> x) const;
  bool turn(std::span<double> x) const;
  void count();
  void allow();
  [[nodiscard]] bool varies(int parameter) const;  // has coordinates that are not pinned
};

}  // namespace salvo
