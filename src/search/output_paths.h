#pragma once
#include <salvo/paths.h>

#include <memory>
#include <vector>

#include "sample/several.h"
#include "search/output_model.h"

namespace salvo {

// Sample paths of every output for the members of a batch, by the models of everything or by those around the best.
class OutputPaths {
 public:
  enum class Of { everything, neighbourhood };
  // model: sizes and α, where they are not the posterior's own; step: the number of the batch; boldness [B]: how much of α each
  // member has.
  OutputPaths(const std::vector<OutputModel>& outputs, Of of, const ModelOptions& model, Method method, double step,
              const Vector& boldness, Key key);

  [[nodiscard]] std::vector<const Functions*> objectives() const;
  // The bounds of each constraint that has a model, in its units, the same for every member.
  [[nodiscard]] std::vector<Bounded> bounds() const;
  // Those with `care` [B] deviations of what is known at X, where the members' searches are, kept away from; negative: that far
  // beyond. Row k of X is of search index[k].
  [[nodiscard]] std::vector<Bounded> bounds(const Vector& care, const Matrix& X, const std::vector<int>& index) const;
  [[nodiscard]] const Anchor& units(std::size_t output) const { return parts_[output].units; }
  // How fast the outputs vary along each coordinate of the cube [d]: inverse squares of lengths, of the mean 1 for each output.
  [[nodiscard]] Eigen::RowVectorXd curvature() const;

 private:
  struct Part {
    const SparseGp* gp = nullptr;  // null: it has no model yet
    const Frame* frame = nullptr;  // null: the cube's own
    Anchor units{};
    std::unique_ptr<Paths> paths{};
    std::unique_ptr<Functions> functions{};
  };
  [[nodiscard]] Bounded bounds_of(std::size_t output) const;
  const std::vector<OutputModel>& outputs_;
  int count_;
  std::vector<Part> parts_;
};

}  // namespace salvo
