// The perceptron's kernels; see kernels.h.
#include "kernels.h"

#ifdef USE_CUBLAS
#include <cublas_v2.h>

#include <cstdio>
#include <cstdlib>
#endif

namespace {

constexpr float Momentum = 0.9F;
constexpr int Threads = 128; // per block

int blocks(int count) { return (count + Threads - 1) / Threads; }

__device__ int globalIndex() {
  return static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
}

#ifdef USE_CUBLAS
void check(cublasStatus_t status, const char *what) {
  if (status == CUBLAS_STATUS_SUCCESS)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cublasGetStatusString(status));
  std::exit(2);
}

// results[n][o] = sum over i of inputs[n][i] * weights[o][i]. cuBLAS counts by
// columns, so our rows are its columns.
void multiply(const Network &net, const float *weights, const float *inputs,
              float *results, int inputCount, int outputCount) {
  const float one = 1.0F, zero = 0.0F;
  check(cublasSgemm(static_cast<cublasHandle_t>(net.cublas), CUBLAS_OP_T,
                    CUBLAS_OP_N, outputCount, net.samples, inputCount, &one,
                    weights, inputCount, inputs, inputCount, &zero, results,
                    outputCount),
        "cublasSgemm");
}

// One thread per (sample, hidden neuron): what the product lacks.
__global__ void hiddenKernel(Network net) {
  const int index = globalIndex();
  if (index < net.samples * Hidden)
    net.hidden[index] =
        tanhf(4.0F * (net.hidden[index] +
                      net.parameters[HiddenBias + index % Hidden]));
}

// One thread per (sample, class): the same.
__global__ void scoreKernel(Network net) {
  const int index = globalIndex();
  if (index < net.samples * SPIRAL_CLASSES)
    net.scores[index] += net.parameters[ScoreBias + index % SPIRAL_CLASSES];
}
#else
// One thread per (sample, hidden neuron).
__global__ void hiddenKernel(Network net) {
  const int index = globalIndex();
  if (index >= net.samples * Hidden)
    return;
  const int sample = index / Hidden, neuron = index % Hidden;
  float sum = net.parameters[HiddenBias + neuron];
  for (int f = 0; f < SPIRAL_FEATURES; ++f)
    sum += net.parameters[HiddenWeights + neuron * SPIRAL_FEATURES + f] *
           net.points[sample * SPIRAL_FEATURES + f];
  net.hidden[index] = tanhf(4.0F * sum);
}

// One thread per (sample, class).
__global__ void scoreKernel(Network net) {
  const int index = globalIndex();
  if (index >= net.samples * SPIRAL_CLASSES)
    return;
  const int sample = index / SPIRAL_CLASSES, label = index % SPIRAL_CLASSES;
  float sum = net.parameters[ScoreBias + label];
  for (int h = 0; h < Hidden; ++h)
    sum += net.parameters[ScoreWeights + label * Hidden + h] *
           net.hidden[sample * Hidden + h];
  net.scores[index] = sum;
}
#endif

// One thread for the batch: few samples, and a fixed order of the sum.
__global__ void lossKernel(Network net) {
  for (int n = 0; n < net.samples; ++n) {
    const float *scores = net.scores + n * SPIRAL_CLASSES;
    int best = 0;
    for (int c = 1; c < SPIRAL_CLASSES; ++c)
      best = scores[c] > scores[best] ? c : best;
    float sum = 0.0F;
    for (int c = 0; c < SPIRAL_CLASSES; ++c)
      sum += expf(scores[c] - scores[best]);
    for (int c = 0; c < SPIRAL_CLASSES; ++c) {
      const float wanted = c == net.labels[n] ? 1.0F : 0.0F;
      net.scoreGradients[n * SPIRAL_CLASSES + c] =
          (expf(scores[c] - scores[best]) / sum - wanted) /
          static_cast<float>(net.samples);
    }
    net.totals->loss += logf(sum) - (scores[net.labels[n]] - scores[best]);
    net.totals->hits += best == net.labels[n];
  }
}

// One thread per hidden neuron: the gradients of all weights that touch it.
__global__ void backwardKernel(Network net) {
  const int neuron = globalIndex();
  if (neuron < SPIRAL_CLASSES)
    for (int n = 0; n < net.samples; ++n)
      net.gradients[ScoreBias + neuron] +=
          net.scoreGradients[n * SPIRAL_CLASSES + neuron];
  if (neuron >= Hidden)
    return;
  for (int n = 0; n < net.samples; ++n) {
    const float value = net.hidden[n * Hidden + neuron];
    float above = 0.0F;
    for (int c = 0; c < SPIRAL_CLASSES; ++c) {
      const float gradient = net.scoreGradients[n * SPIRAL_CLASSES + c];
      above += gradient * net.parameters[ScoreWeights + c * Hidden + neuron];
      net.gradients[ScoreWeights + c * Hidden + neuron] += gradient * value;
    }
    above *= 4.0F * (1.0F - value * value);
    for (int f = 0; f < SPIRAL_FEATURES; ++f)
      net.gradients[HiddenWeights + neuron * SPIRAL_FEATURES + f] +=
          above * net.points[n * SPIRAL_FEATURES + f];
    net.gradients[HiddenBias + neuron] += above;
  }
}

// One thread per parameter: gradient descent with momentum.
__global__ void updateKernel(Network net, float rate) {
  const int p = globalIndex();
  if (p >= ParameterCount)
    return;
  net.velocities[p] = Momentum * net.velocities[p] + net.gradients[p];
  net.parameters[p] -= rate * net.velocities[p];
}

} // namespace

#ifdef USE_CUBLAS
void prepare(Network &net) {
  cublasHandle_t handle = nullptr;
  check(cublasCreate(&handle), "cublasCreate");
  check(cublasSetStream(handle, net.stream), "cublasSetStream");
  net.cublas = handle;
}
void release(Network &net) {
  check(cublasDestroy(static_cast<cublasHandle_t>(net.cublas)),
        "cublasDestroy");
}
#else
void prepare(Network & /*net*/) {}
void release(Network & /*net*/) {}
#endif

void forward(const Network &net) {
#ifdef USE_CUBLAS
  multiply(net, net.parameters + HiddenWeights, net.points, net.hidden,
           SPIRAL_FEATURES, Hidden);
#endif
  hiddenKernel<<<blocks(net.samples * Hidden), Threads, 0, net.stream>>>(net);
#ifdef USE_CUBLAS
  multiply(net, net.parameters + ScoreWeights, net.hidden, net.scores, Hidden,
           SPIRAL_CLASSES);
#endif
  scoreKernel<<<blocks(net.samples * SPIRAL_CLASSES), Threads, 0, net.stream>>>(
      net);
}

void loss(const Network &net) { lossKernel<<<1, 1, 0, net.stream>>>(net); }

void backward(const Network &net) {
  backwardKernel<<<blocks(Hidden), Threads, 0, net.stream>>>(net);
}

void update(const Network &net, float rate) {
  updateKernel<<<blocks(ParameterCount), Threads, 0, net.stream>>>(net, rate);
}
