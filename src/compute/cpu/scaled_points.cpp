#include "compute/rows.h"

namespace salvo {

template <class T>
ScaledPoints<T>::ScaledPoints(const Matrix& Z, const Vector& lengthscales)
    : size(static_cast<int>(Z.rows())), dims(static_cast<int>(Z.cols())), data(static_cast<std::size_t>(Z.size())) {
  for (int d = 0; d < dims; ++d)
    for (int j = 0; j < size; ++j)
      data[static_cast<std::size_t>(d) * static_cast<std::size_t>(size) + static_cast<std::size_t>(j)] =
          static_cast<T>(Z(j, d) / lengthscales(d));
}
template struct ScaledPoints<double>;
template struct ScaledPoints<float>;

}  // namespace salvo
