// Paints the pictures; see data_loader.h.
#include "data_loader.h"

#include <algorithm>

namespace cnn {

void DataLoader::draw(std::size_t first) {
  const std::size_t count = std::min(batchSize, samples - first);
  current.images = Tensor(count, 1, ImageSize, ImageSize);
  current.labels.resize(count);
  for (std::size_t i = 0; i < count; ++i) {
    current.labels[i] = random.below(Classes);
    paint(i, current.labels[i]);
  }
}

void DataLoader::paint(std::size_t sample, std::size_t label) {
  constexpr std::size_t Length = 7;
  constexpr float Noise = 0.3F; // standard deviation
  const std::size_t top = random.below(ImageSize - Length + 1);
  const std::size_t left = random.below(ImageSize - Length + 1);
  for (std::size_t i = 0; i < Length; ++i) {
    const std::size_t middle = Length / 2;
    if (label == 0 || label == 3)
      current.images.row(sample, 0, top + middle)[left + i] = 1.0F;
    if (label == 1 || label == 3)
      current.images.row(sample, 0, top + i)[left + middle] = 1.0F;
    if (label == 2)
      current.images.row(sample, 0, top + i)[left + i] = 1.0F;
  }
  float *pixels = current.images.row(sample, 0, 0);
  for (std::size_t i = 0; i < ImageSize * ImageSize; ++i)
    pixels[i] += Noise * random.normal();
}

} // namespace cnn
