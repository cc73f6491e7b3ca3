/* The perceptron's arithmetic, one sample or one neuron at a time; see mlp.h.
 */
#include "mlp.h"

#include <math.h>
#include <string.h>

static const float Momentum = 0.9F;

void mlp_init(struct mlp *net, spiral_random seed) {
  memset(net, 0, sizeof *net);
  for (int l = 0; l < MLP_LAYERS; ++l) {
    struct mlp_layer *layer = &net->layers[l];
    layer->inputs = l == 0 ? SPIRAL_FEATURES : MLP_WIDTH;
    layer->outputs = l == MLP_LAYERS - 1 ? SPIRAL_CLASSES : MLP_WIDTH;
    const float scale = sqrtf(6.0F / (float)layer->inputs);
    for (int o = 0; o < layer->outputs; ++o)
      for (int i = 0; i < layer->inputs; ++i)
        layer->weights[o][i] = scale * (2.0F * spiral_uniform(&seed) - 1.0F);
  }
}

void mlp_load(struct mlp *net, const float *points, const int *labels,
              const int *order, int count) {
  net->samples = count;
  for (int s = 0; s < count; ++s) {
    memcpy(net->values[0][s], &points[SPIRAL_FEATURES * order[s]],
           SPIRAL_FEATURES * sizeof *points);
    net->labels[s] = labels[order[s]];
  }
}

void mlp_zero_grad(struct mlp *net) {
  for (int l = 0; l < MLP_LAYERS; ++l) {
    memset(net->layers[l].weight_grads, 0, sizeof net->layers[l].weight_grads);
    memset(net->layers[l].bias_grads, 0, sizeof net->layers[l].bias_grads);
  }
}

void mlp_forward(struct mlp *net, int sample) {
  for (int l = 0; l < MLP_LAYERS; ++l) {
    const struct mlp_layer *layer = &net->layers[l];
    const float *in = net->values[l][sample];
    float *out = net->values[l + 1][sample];
    for (int o = 0; o < layer->outputs; ++o) {
      float sum = layer->bias[o];
      for (int i = 0; i < layer->inputs; ++i)
        sum += layer->weights[o][i] * in[i];
      out[o] = l < MLP_LAYERS - 1 && sum < 0.0F ? 0.0F : sum;
    }
  }
}

float mlp_loss(struct mlp *net, int sample) {
  const float *scores = net->values[MLP_LAYERS][sample];
  const float top = scores[mlp_predicted(net, sample)];
  float sum = 0.0F;
  for (int c = 0; c < SPIRAL_CLASSES; ++c)
    sum += expf(scores[c] - top);
  for (int c = 0; c < SPIRAL_CLASSES; ++c) {
    const float probability = expf(scores[c] - top) / sum;
    const float wanted = c == net->labels[sample] ? 1.0F : 0.0F;
    net->grads[MLP_LAYERS][sample][c] =
        (probability - wanted) / (float)net->samples;
  }
  return logf(sum) - (scores[net->labels[sample]] - top);
}

void mlp_backward(struct mlp *net, int sample) {
  for (int l = MLP_LAYERS - 1; l > 0; --l) {
    const struct mlp_layer *layer = &net->layers[l];
    const float *above = net->grads[l + 1][sample];
    float *grads = net->grads[l][sample];
    memset(grads, 0, sizeof net->grads[l][sample]);
    for (int o = 0; o < layer->outputs; ++o)
      for (int i = 0; i < layer->inputs; ++i)
        grads[i] += layer->weights[o][i] * above[o];
    for (int i = 0; i < layer->inputs; ++i)
      if (net->values[l][sample][i] <= 0.0F)
        grads[i] = 0.0F;
  }
}

void mlp_weight_grads(struct mlp *net, int l, int output) {
  struct mlp_layer *layer = &net->layers[l];
  for (int s = 0; s < net->samples; ++s) {
    const float grad = net->grads[l + 1][s][output];
    for (int i = 0; i < layer->inputs; ++i)
      layer->weight_grads[output][i] += grad * net->values[l][s][i];
    layer->bias_grads[output] += grad;
  }
}

void mlp_update(struct mlp *net, int l, int output, float rate) {
  struct mlp_layer *layer = &net->layers[l];
  for (int i = 0; i < layer->inputs; ++i) {
    float *velocity = &layer->weight_velocity[output][i];
    *velocity = Momentum * *velocity + layer->weight_grads[output][i];
    layer->weights[output][i] -= rate * *velocity;
  }
  float *velocity = &layer->bias_velocity[output];
  *velocity = Momentum * *velocity + layer->bias_grads[output];
  layer->bias[output] -= rate * *velocity;
}

int mlp_predicted(const struct mlp *net, int sample) {
  const float *scores = net->values[MLP_LAYERS][sample];
  int best = 0;
  for (int c = 1; c < SPIRAL_CLASSES; ++c)
    if (scores[c] > scores[best])
      best = c;
  return best;
}
