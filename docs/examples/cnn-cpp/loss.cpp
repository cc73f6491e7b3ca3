// Softmax and cross entropy; see loss.h.
#include "loss.h"

#include <algorithm>
#include <cmath>

namespace cnn {

Loss crossEntropy(const Tensor &scores,
                  const std::vector<std::size_t> &labels) {
  Loss loss;
  loss.gradient =
      Tensor(scores.samples, scores.channels, scores.height, scores.width);
  const std::size_t classes = scores.sampleSize();
  for (std::size_t n = 0; n < scores.samples; ++n) {
    const float *score = scores.row(n, 0, 0);
    float *gradient = loss.gradient.row(n, 0, 0);
    const float *best = std::max_element(score, score + classes);
    float sum = 0.0F;
    for (std::size_t c = 0; c < classes; ++c)
      sum += std::exp(score[c] - *best);
    for (std::size_t c = 0; c < classes; ++c) {
      const float probability = std::exp(score[c] - *best) / sum;
      gradient[c] = (probability - (c == labels[n] ? 1.0F : 0.0F)) /
                    static_cast<float>(scores.samples);
    }
    loss.sum += std::log(sum) - (score[labels[n]] - *best);
    loss.hits += static_cast<std::size_t>(best - score) == labels[n];
  }
  return loss;
}

} // namespace cnn
