#include "acquire/acquire.h"

#include <stdexcept>

namespace salvo {

Matrix acquire(Method method, const Situation& situation) {
  switch (method) {
    case Method::automatic:  // what the study does beside that is its own
    case Method::thompson:
    case Method::thompson_exact:
      return thompson(situation);
    case Method::thompson_grid:
      return thompson_grid(situation);
    case Method::thompson_features:
      return thompson_features(situation);
    case Method::ei:
      return expected_improvement(situation);
    case Method::aei:
      return augmented_improvement(situation);
    case Method::gibbon:
      return gibbon(situation);
    case Method::lp:
      return local_penalisation(situation);
    case Method::qei:
      return batch_improvement(situation);
    case Method::turbo:
      return trust_region(situation);
    case Method::random:
    case Method::sobol:
      break;  // a design without a model, which the study hands out itself
  }
  throw std::logic_error("acquire: this method has no model to choose by");
}

}  // namespace salvo
