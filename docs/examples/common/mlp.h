/* A multilayer perceptron in C (2 inputs, two hidden layers of 64, 3 classes),
 * cut into pieces that work on one sample or one neuron, so that the caller
 * decides how to loop over them: mlp-c does it plainly, mlp-openmp in parallel.
 * C99 or newer. */
#ifndef EXAMPLES_MLP_H
#define EXAMPLES_MLP_H

#include "spiral.h"

enum {
  MLP_LAYERS = 3,
  MLP_WIDTH = 64, /* neurons of a hidden layer */
  MLP_BATCH = 32  /* most samples in one step */
};

struct mlp_layer {
  int inputs;
  int outputs;
  float weights[MLP_WIDTH][MLP_WIDTH]; /* [output][input] */
  float bias[MLP_WIDTH];
  float weight_grads[MLP_WIDTH][MLP_WIDTH];
  float bias_grads[MLP_WIDTH];
  float weight_velocity[MLP_WIDTH][MLP_WIDTH];
  float bias_velocity[MLP_WIDTH];
};

/* The network and what it keeps of the current batch. values[0] are the
 * inputs, values[MLP_LAYERS] the scores; grads are the loss's gradients with
 * respect to them. */
struct mlp {
  struct mlp_layer layers[MLP_LAYERS];
  int samples;
  int labels[MLP_BATCH];
  float values[MLP_LAYERS + 1][MLP_BATCH][MLP_WIDTH];
  float grads[MLP_LAYERS + 1][MLP_BATCH][MLP_WIDTH];
};

/* Random weights from SEED, no gradients. */
void mlp_init(struct mlp *net, spiral_random seed);

/* Copies the samples ORDER[0] to ORDER[COUNT - 1] in as the current batch. */
void mlp_load(struct mlp *net, const float *points, const int *labels,
              const int *order, int count);

/* Sets all gradients of the weights to 0. */
void mlp_zero_grad(struct mlp *net);

/* Computes the scores of sample SAMPLE. */
void mlp_forward(struct mlp *net, int sample);

/* The cross entropy of sample SAMPLE; leaves its gradient in grads. */
float mlp_loss(struct mlp *net, int sample);

/* Brings the gradient of sample SAMPLE's loss down to all hidden layers. */
void mlp_backward(struct mlp *net, int sample);

/* Adds the current batch's gradients of neuron OUTPUT of layer LAYER. */
void mlp_weight_grads(struct mlp *net, int layer, int output);

/* One step of gradient descent with momentum for neuron OUTPUT of layer LAYER.
 */
void mlp_update(struct mlp *net, int layer, int output, float rate);

/* The class with the highest score of sample SAMPLE. */
int mlp_predicted(const struct mlp *net, int sample);

#endif /* EXAMPLES_MLP_H */
