// Trains a perceptron with one hidden layer on the GPU to tell three spiral
// arms apart, with kernels of its own and, where it is installed, cuBLAS.
// Batches are copied on a stream of their own while the one before is worked
// on. With --graph, a step is one CUDA graph. The loop is marked with the
// macros of <loopscope/annotate.h>, which are nothing unless Loopscope's
// rewriter reads this file.
//
// Exits with 0 when it has learned (training loss below 0.15 and accuracy above
// 0.95 on points that it was not trained on), with 2 where there is no GPU.
#include "../common/spiral.h"
#include "kernels.h"

#include <loopscope/annotate.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
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

// Points on the host, and the batch that was drawn last, on its way to the
// device.
class Loader {
public:
  Loader(int count, spiral_random seed)
      : order(static_cast<std::size_t>(count)),
        points(order.size() * SPIRAL_FEATURES), labels(order.size()),
        random(seed) {
    spiral_make(points.data(), labels.data(), count, seed);
    std::iota(order.begin(), order.end(), 0);
    // Memory that a copy can be made from while the host does something else.
    CUDA_CHECK(cudaMallocHost(&batchPoints, BatchSize * SPIRAL_FEATURES *
                                                sizeof *batchPoints));
    CUDA_CHECK(cudaMallocHost(&batchLabels, BatchSize * sizeof *batchLabels));
    CUDA_CHECK(cudaStreamCreate(&copies));
    CUDA_CHECK(cudaEventCreate(&copied));
    CUDA_CHECK(cudaEventCreate(&used));
  }
  ~Loader() {
    CUDA_CHECK(cudaEventDestroy(used));
    CUDA_CHECK(cudaEventDestroy(copied));
    CUDA_CHECK(cudaStreamDestroy(copies));
    CUDA_CHECK(cudaFreeHost(batchLabels));
    CUDA_CHECK(cudaFreeHost(batchPoints));
  }
  Loader(const Loader &) = delete;
  Loader &operator=(const Loader &) = delete;

  void shuffle() {
    spiral_shuffle(order.data(), static_cast<int>(order.size()), &random);
    next = 0;
  }

  // Starts copying the next batch to the device, for the kernels launched
  // after this; false at the end.
  bool draw(Network &net) {
    if (next == order.size())
      return false;
    CUDA_CHECK(cudaEventSynchronize(copied)); // the host's batch is free again
    net.samples = 0;
    for (; next < order.size() && net.samples < BatchSize; ++next) {
      const auto from = static_cast<std::size_t>(order[next]);
      const auto to = static_cast<std::size_t>(net.samples++);
      batchLabels[to] = labels[from];
      for (std::size_t f = 0; f < SPIRAL_FEATURES; ++f)
        batchPoints[to * SPIRAL_FEATURES + f] =
            points[from * SPIRAL_FEATURES + f];
    }
    CUDA_CHECK(cudaEventRecord(used, net.stream));
    CUDA_CHECK(cudaStreamWaitEvent(copies, used, 0)); // and the device's
    CUDA_CHECK(cudaMemcpyAsync(net.points, batchPoints,
                               BatchSize * SPIRAL_FEATURES * sizeof(float),
                               cudaMemcpyHostToDevice, copies));
    CUDA_CHECK(cudaMemcpyAsync(net.labels, batchLabels, BatchSize * sizeof(int),
                               cudaMemcpyHostToDevice, copies));
    CUDA_CHECK(cudaEventRecord(copied, copies));
    CUDA_CHECK(cudaStreamWaitEvent(net.stream, copied, 0));
    return true;
  }

private:
  std::vector<int> order;
  std::vector<float> points;
  std::vector<int> labels;
  spiral_random random;
  std::size_t next = 0;
  float *batchPoints = nullptr;
  int *batchLabels = nullptr;
  cudaStream_t copies = nullptr;
  cudaEvent_t copied = nullptr; // the last batch has left the host
  cudaEvent_t used = nullptr;   // all work on the batch before has ended
};

// Sets the sums of the loss kernel to zero.
void clearTotals(const Network &net) {
  CUDA_CHECK(cudaMemsetAsync(net.totals, 0, sizeof(Totals), net.stream));
}

// Reads the sums that the loss kernel has gathered since.
void readTotals(const Network &net, Totals &totals) {
  CUDA_CHECK(cudaMemcpyAsync(&totals, net.totals, sizeof totals,
                             cudaMemcpyDeviceToHost, net.stream));
  CUDA_CHECK(cudaStreamSynchronize(net.stream));
}

// Launches the kernels of one step.
void trainStep(const Network &net) {
  LOOPSCOPE_PHASE("zero_grad")
  CUDA_CHECK(cudaMemsetAsync(net.gradients, 0, ParameterCount * sizeof(float),
                             net.stream));
  LOOPSCOPE_PHASE("forward") forward(net);
  LOOPSCOPE_PHASE("loss") loss(net);
  LOOPSCOPE_PHASE("backward") backward(net);
  LOOPSCOPE_PHASE("opt_step") update(net, Rate);
}

// A full batch's step as a graph.
cudaGraphExec_t captureStep(Network net) {
  cudaGraph_t graph = nullptr;
  cudaGraphExec_t step = nullptr;
  net.samples = BatchSize;
  CUDA_CHECK(
      cudaStreamBeginCapture(net.stream, cudaStreamCaptureModeThreadLocal));
  trainStep(net);
  CUDA_CHECK(cudaStreamEndCapture(net.stream, &graph));
  CUDA_CHECK(cudaGraphInstantiate(&step, graph, 0));
  CUDA_CHECK(cudaGraphDestroy(graph));
  return step;
}

// STEP is null where steps are launched kernel by kernel.
float trainEpoch(Network &net, Loader &loader, cudaGraphExec_t step) {
  clearTotals(net);
  loader.shuffle();

  LOOPSCOPE_TRAIN("net.samples")
  while (loader.draw(net)) {
    if (step != nullptr && net.samples == BatchSize) {
      LOOPSCOPE_PHASE("step graph")
      CUDA_CHECK(cudaGraphLaunch(step, net.stream));
    } else {
      trainStep(net);
    }
  }
  Totals totals;
  LOOPSCOPE_PHASE("read_loss") readTotals(net, totals);
  return totals.loss / TrainSamples;
}

LOOPSCOPE_FIT
float fit(Network &net, bool graph) {
  Loader loader(TrainSamples, 1);
  float mean = 0.0F;
  cudaGraphExec_t step = nullptr;
  if (graph) {
    LOOPSCOPE_PHASE("capture") step = captureStep(net);
  }
  LOOPSCOPE_EPOCH
  for (int epoch = 1; epoch <= Epochs; ++epoch) {
    mean = trainEpoch(net, loader, step);
    if (epoch % 15 == 0)
      std::printf("epoch %2d  loss %.3f\n", epoch, static_cast<double>(mean));
  }
  if (step != nullptr)
    CUDA_CHECK(cudaGraphExecDestroy(step));
  return mean;
}

LOOPSCOPE_VALIDATE
float validate(Network &net) {
  Loader loader(ValidSamples, 2);
  clearTotals(net);
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

int main(int count, char **arguments) {
  const bool graph = count > 1 && std::strcmp(arguments[1], "--graph") == 0;
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
  CUDA_CHECK(cudaStreamCreate(&net.stream));
  prepare(net);
  spiral_random random = 3;
  for (int p = 0; p < ParameterCount; ++p)
    net.parameters[p] = spiral_uniform(&random) - 0.5F;

  const float mean = fit(net, graph);
  const float score = validate(net);
  release(net);
  const bool learned = mean < 0.15F && score > 0.95F;
  std::printf("%s: loss %.3f, accuracy %.3f\n",
              learned ? "learned" : "not learned", static_cast<double>(mean),
              static_cast<double>(score));
  return learned ? 0 : 1;
}
