// Pictures of four shapes, and a loader that deals them out in batches.
#ifndef CNN_DATA_LOADER_H
#define CNN_DATA_LOADER_H

#include "random.h"
#include "tensor.h"

#include <cstddef>
#include <vector>

namespace cnn {

constexpr std::size_t ImageSize = 12;
constexpr std::size_t Classes = 4; // horizontal, vertical, diagonal, cross

struct Batch {
  Tensor images;
  std::vector<std::size_t> labels;

  std::size_t size() const { return labels.size(); }
};

// Draws pictures anew in every epoch: `for (const Batch &batch : loader)` is
// one epoch. A picture is a shape at a random place under noise; which pictures
// come is decided by the seed alone.
class DataLoader {
public:
  DataLoader(std::size_t samples, std::size_t batchSize, std::uint64_t seed)
      : samples(samples), batchSize(batchSize), random(seed) {}

  class Iterator {
  public:
    Iterator(DataLoader *loader, std::size_t first)
        : loader(loader), first(first) {}

    const Batch &operator*() const { return loader->current; }
    Iterator &operator++() {
      first += loader->current.size();
      loader->draw(first);
      return *this;
    }
    bool operator!=(const Iterator &other) const {
      return first != other.first;
    }

  private:
    DataLoader *loader;
    std::size_t first;
  };

  Iterator begin() {
    draw(0);
    return {this, 0};
  }
  Iterator end() { return {this, samples}; }
  std::size_t batches() const { return (samples + batchSize - 1) / batchSize; }

private:
  // Makes the batch that starts with sample `first` the current one.
  void draw(std::size_t first);
  void paint(std::size_t sample, std::size_t label);

  std::size_t samples, batchSize;
  Random random;
  Batch current;
};

} // namespace cnn

#endif // CNN_DATA_LOADER_H
