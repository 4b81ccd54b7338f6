#pragma once
#include <salvo/study.h>

#include "plot/data.h"
#include "plot/picture.h"

namespace salvo::app::plot {

[[nodiscard]] Figure progress_figure(const Data& data);
[[nodiscard]] Figure slices_figure(const Data& data, Study& study);
[[nodiscard]] Figure parallel_figure(const Data& data);
[[nodiscard]] Figure importance_figure(const Data& data);
[[nodiscard]] Figure lengthscales_figure(const Data& data);
[[nodiscard]] Figure front_figure(const Data& data);        // of several objectives, two by two
[[nodiscard]] Figure hypervolume_figure(const Data& data);  // over the evaluations
[[nodiscard]] Figure recall_figure(const Data& data);       // of a pool whose values are known
[[nodiscard]] Figure batches_figure(const Data& data);      // the distribution of the values of each batch

}  // namespace salvo::app::plot
