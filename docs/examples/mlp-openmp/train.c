/* The perceptron of ../mlp-c with its loops shared among OpenMP threads.
 * A pragma belongs to the loop right below it, so the phase goes around both:
 * LOOPSCOPE_PHASE("x") { #pragma omp parallel for ... }.
 *
 * Every sample and every neuron is computed by one thread in a fixed order, so
 * the numbers don't depend on how many threads there are. Exits with 0 when it
 * has learned: training loss below 0.10 and accuracy above 0.95. */
#include "../common/mlp.h"

#include <loopscope/annotate.h>

#include <stdio.h>

enum { TRAIN_SAMPLES = 3072, VALID_SAMPLES = 768, EPOCHS = 40 };
static const float Rate = 0.005F;

/* Samples in an order of their own, handed out batch by batch. */
struct loader {
  int count;
  int next;
  float points[TRAIN_SAMPLES * SPIRAL_FEATURES];
  int labels[TRAIN_SAMPLES];
  int order[TRAIN_SAMPLES];
};

static struct loader Train, Valid;
static struct mlp Net;

static void loader_make(struct loader *data, int count, spiral_random seed) {
  data->count = count;
  spiral_make(data->points, data->labels, count, seed);
  for (int i = 0; i < count; ++i)
    data->order[i] = i;
}

/* Loads the next batch into Net; 0 at the end, and the next call starts over.
 */
static int loader_next(struct loader *data) {
  const int left = data->count - data->next;
  if (left == 0) {
    data->next = 0;
    return 0;
  }
  const int count = left < MLP_BATCH ? left : MLP_BATCH;
  mlp_load(&Net, data->points, data->labels, data->order + data->next, count);
  data->next += count;
  return 1;
}

static void forward(void) {
#pragma omp parallel for schedule(static)
  for (int s = 0; s < Net.samples; ++s)
    mlp_forward(&Net, s);
}

LOOPSCOPE_PHASE("backward")
static void backward(void) {
#pragma omp parallel for schedule(static)
  for (int s = 0; s < Net.samples; ++s)
    mlp_backward(&Net, s);
  for (int l = 0; l < MLP_LAYERS; ++l) {
#pragma omp parallel for schedule(static)
    for (int o = 0; o < Net.layers[l].outputs; ++o)
      mlp_weight_grads(&Net, l, o);
  }
}

/* Trains on the current batch; returns the sum of its samples' losses. */
static float train_batch(void) {
  float losses[MLP_BATCH] = {0};
  float total = 0.0F;

  LOOPSCOPE_PHASE("forward") forward();
  LOOPSCOPE_PHASE("loss") {
#pragma omp parallel for schedule(static)
    for (int s = 0; s < Net.samples; ++s)
      losses[s] = mlp_loss(&Net, s);
    for (int s = 0; s < Net.samples; ++s)
      total += losses[s];
  }
  LOOPSCOPE_PHASE("zero_grad") mlp_zero_grad(&Net);
  backward();
  LOOPSCOPE_PHASE("opt_step") {
    for (int l = 0; l < MLP_LAYERS; ++l) {
#pragma omp parallel for schedule(static)
      for (int o = 0; o < Net.layers[l].outputs; ++o)
        mlp_update(&Net, l, o, Rate);
    }
  }
  return total;
}

/* The share of unseen points that the network puts on the right arm. */
static float accuracy(void) {
  int right = 0;
  LOOPSCOPE_VALID("Net.samples")
  while (loader_next(&Valid)) {
    LOOPSCOPE_PHASE("predict") forward();
    for (int s = 0; s < Net.samples; ++s)
      right += mlp_predicted(&Net, s) == Net.labels[s];
  }
  return (float)right / (float)Valid.count;
}

LOOPSCOPE_FIT
static float fit(void) {
  spiral_random random = 7;
  float loss = 0.0F;
  LOOPSCOPE_EPOCH
  for (int epoch = 1; epoch <= EPOCHS; ++epoch) {
    LOOPSCOPE_PHASE("shuffle")
    spiral_shuffle(Train.order, Train.count, &random);
    loss = 0.0F;
    LOOPSCOPE_TRAIN("Net.samples")
    while (loader_next(&Train))
      loss += train_batch();
    loss /= (float)Train.count;
    if (epoch % 10 == 0)
      printf("epoch %2d  loss %.3f  accuracy %.3f\n", epoch, (double)loss,
             (double)accuracy());
  }
  return loss;
}

LOOPSCOPE_VALIDATE
static float validate(void) { return accuracy(); }

int main(void) {
  loader_make(&Train, TRAIN_SAMPLES, 1);
  loader_make(&Valid, VALID_SAMPLES, 2);
  mlp_init(&Net, 3);

  const float loss = fit();
  const float score = validate();
  const int learned = loss < 0.10F && score > 0.95F;
  printf("%s: loss %.3f, accuracy %.3f\n", learned ? "learned" : "not learned",
         (double)loss, (double)score);
  return learned ? 0 : 1;
}
