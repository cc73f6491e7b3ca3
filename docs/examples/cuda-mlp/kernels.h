// The perceptron's data on the device and the launches that work on it.
#ifndef CUDA_MLP_KERNELS_H
#define CUDA_MLP_KERNELS_H

#include "../common/spiral.h"

constexpr int Hidden = 128;
constexpr int BatchSize = 64;

// Where each matrix starts among the parameters (and gradients, velocities).
constexpr int HiddenWeights = 0; // [Hidden][SPIRAL_FEATURES]
constexpr int HiddenBias = HiddenWeights + Hidden * SPIRAL_FEATURES;
constexpr int ScoreWeights = HiddenBias + Hidden; // [SPIRAL_CLASSES][Hidden]
constexpr int ScoreBias = ScoreWeights + SPIRAL_CLASSES * Hidden;
constexpr int ParameterCount = ScoreBias + SPIRAL_CLASSES;

// What the loss kernel adds up.
struct Totals {
  float loss;
  int hits; // samples whose label has the highest score
};

// Device pointers, and the number of samples in the current batch.
struct Network {
  float *parameters, *gradients, *velocities;
  float *points, *hidden, *scores, *scoreGradients;
  int *labels;
  Totals *totals;
  int samples = 0;
  cudaStream_t stream = nullptr; // that everything here runs on
  void *cublas = nullptr;        // its handle, where it is used
};

// Gets ready for forward() on NET's stream, and ends that.
void prepare(Network &net);
void release(Network &net);

// Each launches kernels on the current batch and returns at once; they can be
// captured into a graph. All sums run
// in a fixed order, so two runs give the same numbers.
void forward(const Network &net);
void loss(const Network &net);
void backward(const Network &net);
void update(const Network &net, float rate);

#endif // CUDA_MLP_KERNELS_H
