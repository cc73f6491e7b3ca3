// Trains a perceptron with one hidden layer on the GPU to tell three spiral
// arms apart, with kernels of its own. The loop is marked with the macros of
// <loopscope/annotate.h>, which are nothing unless Loopscope's rewriter reads
// this file.
//
// Exits with 0 when it has learned (training loss below 0.15 and accuracy above
// 0.95 on points that it was not trained on), with 2 where there is no GPU.
#include "../common/spiral.h"
#include "kernels.h"

#include <loopscope/annotate.h>

#include <cstdio>
#include <cstdlib>
#include <numeric>
#include <vector>

#define CUDA_CHECK(CALL)                                                       \
  do {                                                                         \
    const cudaError_t status = (CALL);                                         \
    if (status != cudaSuccess) {                                               \
      std::fprintf(stderr, "%s:%d: %s: %s\n", __FILE__, __LINE__, #CALL,       \
                   cudaGetErrorString(status));                                \
      std::exit(2);                                                            \
    }                                                                          \
  } while (false)

namespace {

constexpr int TrainSamples = 3072, ValidSamples = 768, Epochs = 60;
constexpr float Rate = 0.1F;

// Points on the host, and the batch that was drawn last, on the device.
class Loader {
public:
  Loader(int count, spiral_random seed)
      : order(static_cast<std::size_t>(count)),
        points(order.size() * SPIRAL_FEATURES), labels(order.size()),
        random(seed) {
    spiral_make(points.data(), labels.data(), count, seed);
    std::iota(order.begin(), order.end(), 0);
  }

  void shuffle() {
    spiral_shuffle(order.data(), static_cast<int>(order.size()), &random);
    next = 0;
  }

  // Copies the next batch to the device; false at the end.
  bool draw(Network &net) {
    if (next == order.size())
      return false;
    net.samples = 0;
    for (; next < order.size() && net.samples < BatchSize; ++next) {
      const auto from = static_cast<std::size_t>(order[next]);
      const auto to = static_cast<std::size_t>(net.samples++);
      batchLabels[to] = labels[from];
      for (std::size_t f = 0; f < SPIRAL_FEATURES; ++f)
        batchPoints[to * SPIRAL_FEATURES + f] =
            points[from * SPIRAL_FEATURES + f];
    }
    CUDA_CHECK(cudaMemcpy(net.points, batchPoints, sizeof batchPoints,
                          cudaMemcpyHostToDevice));
    CUDA_CHECK(cudaMemcpy(net.labels, batchLabels, sizeof batchLabels,
                          cudaMemcpyHostToDevice));
    return true;
  }

private:
  std::vector<int> order;
  std::vector<float> points;
  std::vector<int> labels;
  spiral_random random;
  std::size_t next = 0;
  float batchPoints[BatchSize * SPIRAL_FEATURES] = {};
  int batchLabels[BatchSize] = {};
};

// Reads the sums that the loss kernel has gathered since `clear`.
void readTotals(const Network &net, Totals &totals) {
  CUDA_CHECK(
      cudaMemcpy(&totals, net.totals, sizeof totals, cudaMemcpyDeviceToHost));
}

float trainEpoch(Network &net, Loader &loader) {
  CUDA_CHECK(cudaMemset(net.totals, 0, sizeof(Totals)));
  loader.shuffle();

  LOOPSCOPE_TRAIN("net.samples")
  while (loader.draw(net)) {
    LOOPSCOPE_PHASE("zero_grad")
    CUDA_CHECK(cudaMemset(net.gradients, 0, ParameterCount * sizeof(float)));
    LOOPSCOPE_PHASE("forward") forward(net);
    LOOPSCOPE_PHASE("loss") loss(net);
    LOOPSCOPE_PHASE("backward") backward(net);
    LOOPSCOPE_PHASE("opt_step") update(net, Rate);
  }
  Totals totals;
  LOOPSCOPE_PHASE("read_loss") readTotals(net, totals);
  return totals.loss / TrainSamples;
}

LOOPSCOPE_FIT
float fit(Network &net) {
  Loader loader(TrainSamples, 1);
  float mean = 0.0F;
  LOOPSCOPE_EPOCH
  for (int epoch = 1; epoch <= Epochs; ++epoch) {
    mean = trainEpoch(net, loader);
    if (epoch % 15 == 0)
      std::printf("epoch %2d  loss %.3f\n", epoch, static_cast<double>(mean));
  }
  return mean;
}

LOOPSCOPE_VALIDATE
float validate(Network &net) {
  Loader loader(ValidSamples, 2);
  CUDA_CHECK(cudaMemset(net.totals, 0, sizeof(Totals)));
  LOOPSCOPE_VALID("net.samples")
  while (loader.draw(net)) {
    LOOPSCOPE_PHASE("predict") forward(net);
    LOOPSCOPE_PHASE("loss") loss(net);
  }
  Totals totals;
  readTotals(net, totals);
  return static_cast<float>(totals.hits) / ValidSamples;
}

} // namespace

int main() {
  int devices = 0;
  if (cudaGetDeviceCount(&devices) != cudaSuccess || devices == 0) {
    std::fprintf(stderr, "cuda-mlp: no GPU\n");
    return 2;
  }

  Network net;
  CUDA_CHECK(
      cudaMallocManaged(&net.parameters, ParameterCount * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&net.gradients, ParameterCount * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&net.velocities, ParameterCount * sizeof(float)));
  CUDA_CHECK(
      cudaMalloc(&net.points, BatchSize * SPIRAL_FEATURES * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&net.labels, BatchSize * sizeof(int)));
  CUDA_CHECK(cudaMalloc(&net.hidden, BatchSize * Hidden * sizeof(float)));
  CUDA_CHECK(
      cudaMalloc(&net.scores, BatchSize * SPIRAL_CLASSES * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&net.scoreGradients,
                        BatchSize * SPIRAL_CLASSES * sizeof(float)));
  CUDA_CHECK(cudaMalloc(&net.totals, sizeof(Totals)));
  CUDA_CHECK(cudaMemset(net.velocities, 0, ParameterCount * sizeof(float)));
  spiral_random random = 3;
  for (int p = 0; p < ParameterCount; ++p)
    net.parameters[p] = spiral_uniform(&random) - 0.5F;

  const float mean = fit(net);
  const float score = validate(net);
  const bool learned = mean < 0.15F && score > 0.95F;
  std::printf("%s: loss %.3f, accuracy %.3f\n",
              learned ? "learned" : "not learned", static_cast<double>(mean),
              static_cast<double>(score));
  return learned ? 0 : 1;
}
