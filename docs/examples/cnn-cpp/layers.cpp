// The layers that aren't templates; see layers.h.
#include "layers.h"

#include <algorithm>

namespace cnn {

Tensor MaxPool::forward(Tensor batch) {
  input = std::move(batch);
  Tensor output(input.samples, input.channels, input.height / 2,
                input.width / 2);
  chosen.clear();
  std::size_t next = 0;
  for (std::size_t n = 0; n < output.samples; ++n)
    for (std::size_t c = 0; c < output.channels; ++c)
      for (std::size_t y = 0; y < output.height; ++y)
        for (std::size_t x = 0; x < output.width; ++x) {
          const float *base = input.data.data();
          const float *upper = input.row(n, c, 2 * y) + 2 * x;
          const float *lower = input.row(n, c, 2 * y + 1) + 2 * x;
          const float *best =
              std::max({upper, upper + 1, lower, lower + 1},
                       [](const float *left, const float *right) {
                         return *left < *right;
                       });
          chosen.push_back(static_cast<std::size_t>(best - base));
          output.data[next++] = *best;
        }
  return output;
}

Tensor MaxPool::backward(const Tensor &gradient) const {
  Tensor below(input.samples, input.channels, input.height, input.width);
  for (std::size_t i = 0; i < chosen.size(); ++i)
    below.data[chosen[i]] = gradient.data[i];
  return below;
}

Tensor Dense::forward(Tensor batch) {
  input = std::move(batch);
  Tensor output(input.samples, outputs, 1, 1);
  for (std::size_t n = 0; n < input.samples; ++n)
    for (std::size_t o = 0; o < outputs; ++o) {
      float sum = bias.values[o];
      for (std::size_t i = 0; i < inputs; ++i)
        sum += weights.values[o * inputs + i] * input.data[n * inputs + i];
      *output.row(n, o, 0) = sum;
    }
  return output;
}

Tensor Dense::backward(const Tensor &gradient) {
  Tensor below(input.samples, input.channels, input.height, input.width);
  for (std::size_t n = 0; n < input.samples; ++n)
    for (std::size_t o = 0; o < outputs; ++o) {
      const float above = *gradient.row(n, o, 0);
      bias.gradients[o] += above;
      for (std::size_t i = 0; i < inputs; ++i) {
        weights.gradients[o * inputs + i] += above * input.data[n * inputs + i];
        below.data[n * inputs + i] += above * weights.values[o * inputs + i];
      }
    }
  return below;
}

} // namespace cnn
