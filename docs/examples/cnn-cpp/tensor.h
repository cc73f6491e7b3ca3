// A batch of equally shaped samples: all the numeric data of this program.
#ifndef CNN_TENSOR_H
#define CNN_TENSOR_H

#include <cstddef>
#include <vector>

namespace cnn {

// Samples of channels x height x width floats, in that order in memory.
struct Tensor {
  std::size_t samples = 0, channels = 0, height = 0, width = 0;
  std::vector<float> data;

  Tensor() = default;
  Tensor(std::size_t samples, std::size_t channels, std::size_t height,
         std::size_t width)
      : samples(samples), channels(channels), height(height), width(width),
        data(samples * channels * height * width) {}

  // The first value of row `y` of one channel of one sample.
  float *row(std::size_t sample, std::size_t channel, std::size_t y) {
    return &data[((sample * channels + channel) * height + y) * width];
  }
  const float *row(std::size_t sample, std::size_t channel,
                   std::size_t y) const {
    return &data[((sample * channels + channel) * height + y) * width];
  }
  // Number of floats of one sample.
  std::size_t sampleSize() const { return channels * height * width; }
};

// Trainable numbers and the gradient of the loss with respect to each.
struct Parameters {
  std::vector<float> values, gradients, velocities;

  explicit Parameters(std::size_t count)
      : values(count), gradients(count), velocities(count) {}
};

} // namespace cnn

#endif // CNN_TENSOR_H
