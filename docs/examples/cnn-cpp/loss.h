// Softmax and cross entropy of a batch's scores.
#ifndef CNN_LOSS_H
#define CNN_LOSS_H

#include "tensor.h"

#include <cstddef>
#include <vector>

namespace cnn {

struct Loss {
  float sum = 0.0F;     // over the batch's samples
  std::size_t hits = 0; // samples whose label has the highest score
  Tensor gradient;      // of the mean, with respect to the scores
};

Loss crossEntropy(const Tensor &scores, const std::vector<std::size_t> &labels);

} // namespace cnn

#endif // CNN_LOSS_H
