// Random numbers that are the same with every standard library.
#ifndef CNN_RANDOM_H
#define CNN_RANDOM_H

#include <cstddef>
#include <cstdint>

namespace cnn {

class Random {
public:
  explicit Random(std::uint64_t seed) : state(seed) {}

  // Uniform in [0, 1).
  float uniform() {
    state = state * 6364136223846793005U + 1442695040888963407U;
    return static_cast<float>(state >> 40) / 16777216.0F;
  }
  // Normally distributed, near enough: a sum of uniform numbers.
  float normal() {
    float sum = -6.0F;
    for (int i = 0; i < 12; ++i)
      sum += uniform();
    return sum;
  }
  // Uniform among 0 to `count` - 1.
  std::size_t below(std::size_t count) {
    return static_cast<std::size_t>(uniform() * static_cast<float>(count));
  }

private:
  std::uint64_t state;
};

} // namespace cnn

#endif // CNN_RANDOM_H
