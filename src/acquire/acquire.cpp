#include "acquire/acquire.h"

#include <stdexcept>

namespace salvo {

Matrix acquire(Method method, const Situation& situation) {
  switch (method) {
    case Method::thompson:
      return thompson(situation);
    case Method::random:
    case Method::sobol:
      break;  // a design without a model, which the study hands out itself
  }
  throw std::logic_error("acquire: this method has no model to choose by");
}

}  // namespace salvo
