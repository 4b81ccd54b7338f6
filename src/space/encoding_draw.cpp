// What a space's conditions leave of the unit cube, for those who know an encoding alone.
#include <salvo/encoding.h>

#include <stdexcept>
#include <vector>

#include "space/allowed.h"

namespace salvo {

double Encoding::share() const { return allowed_ ? allowed_->share() : 1; }

void Encoding::draw(std::span<double> x, Key key) const {
  if (allowed_) return allowed_->draw(x, key);
  std::vector<double> u(static_cast<std::size_t>(num_free()));
  key.fill_uniform(u);
  from_unit(u, x);
  snap(x);
}

}  // namespace salvo
