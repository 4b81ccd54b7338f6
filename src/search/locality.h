#pragma once
#include <optional>

#include "acquire/success.h"
#include "search/local_model.h"
#include "search/posterior.h"
#include "search/progress.h"
#include "search/repeats.h"

namespace salvo {

// The half of a search that looks around the best point, by a model of that neighbourhood (docs/how-it-works.md, "Around the
// best point"). What it learns it learns when the model of everything does, from the same observations: nothing more is stored,
// and a resumed study goes on alike.
class Locality {
 public:
  Locality(const Encoding& space, const ModelOptions& model, int batch) : space_(space), model_(model), batch_(batch) {}

  // To be called before all others, when the data or the posterior has changed.
  void follow(const Observations& data, const Posterior& posterior);

  // Some of `size` points, as many as are due: distinct, and none of them taken.
  [[nodiscard]] Matrix choose(const Observations& data, const Matrix& taken, int size, Key key,
                              const Success* success = nullptr) const;

  // What the neighbourhood's own model says, where it predicts clearly better than the posterior there.
  struct Recommendation {
    std::int64_t row = 0;                    // the best
    std::vector<std::int64_t> rows{};        // of the neighbourhood
    Prediction there{Vector(0), Vector(0)};  // of these, in `units`
    Anchor units{};
  };
  [[nodiscard]] std::optional<Recommendation> recommend(const Observations& data, const Posterior& posterior,
                                                        std::int64_t leader) const;

  [[nodiscard]] bool noise_free() const { return now_->noise_free; }
  [[nodiscard]] bool quiet() const { return now_->noise_free || now_->quiet; }
  [[nodiscard]] const LocalShape& shape() const { return now_->shape; }
  [[nodiscard]] Progress progress(const Observations& data) const;  // with what the noise leaves of it

 private:
  struct Neighbourhood {
    LocalShape shape{};
    bool noise_free = false;  // points evaluated twice had the same value
    bool quiet = false;       // so little noise that values tell better from worse by themselves
    std::int64_t leader = 0;  // the row that seemed best
  };
  [[nodiscard]] std::vector<std::int64_t> observed(const Observations& data, std::int64_t at) const;
  Encoding space_;
  ModelOptions model_;
  int batch_;
  std::optional<Neighbourhood> now_;
  std::int64_t ask_ = -1, num_rows_ = -1;  // of what it was learned from
};

}  // namespace salvo
