/* Trains a small perceptron to tell three spiral arms apart, in plain C.
 * Annotated with the macros of <loopscope/annotate.h>, which are nothing unless
 * Loopscope's rewriter reads this file.
 *
 * Exits with 0 when it has learned: training loss below 0.10 and accuracy on
 * unseen points above 0.95. */
#include "../common/mlp.h"

#include <loopscope/annotate.h>

#include <stdio.h>

enum { TRAIN_SAMPLES = 3072, VALID_SAMPLES = 768, EPOCHS = 40 };
static const float Rate = 0.005F;

struct dataset {
  int count;
  float points[TRAIN_SAMPLES * SPIRAL_FEATURES];
  int labels[TRAIN_SAMPLES];
  int order[TRAIN_SAMPLES];
};

static struct dataset Train, Valid;
static struct mlp Net;

static void make(struct dataset *data, int count, spiral_random seed) {
  data->count = count;
  spiral_make(data->points, data->labels, count, seed);
  for (int i = 0; i < count; ++i)
    data->order[i] = i;
}

/* The number of samples in the batch that starts with sample FIRST. */
static int batch_size(const struct dataset *data, int first) {
  const int left = data->count - first;
  return left < MLP_BATCH ? left : MLP_BATCH;
}

static void load(const struct dataset *data, int first) {
  mlp_load(&Net, data->points, data->labels, data->order + first,
           batch_size(data, first));
}

/* One pass over the training data; returns its mean loss. */
static float train_epoch(spiral_random *random) {
  float total = 0.0F;
  LOOPSCOPE_PHASE("shuffle")
  spiral_shuffle(Train.order, Train.count, random);

  LOOPSCOPE_TRAIN("batch_size(&Train, first)")
  LOOPSCOPE_ITERATIONS("(Train.count + MLP_BATCH - 1) / MLP_BATCH")
  for (int first = 0; first < Train.count; first += MLP_BATCH) {
    LOOPSCOPE_DRAW
    load(&Train, first);

    LOOPSCOPE_PHASE("forward")
    for (int s = 0; s < Net.samples; ++s)
      mlp_forward(&Net, s);

    LOOPSCOPE_PHASE("loss")
    for (int s = 0; s < Net.samples; ++s)
      total += mlp_loss(&Net, s);

    LOOPSCOPE_PHASE("zero_grad")
    mlp_zero_grad(&Net);

    LOOPSCOPE_PHASE("backward") {
      for (int s = 0; s < Net.samples; ++s)
        mlp_backward(&Net, s);
      for (int l = 0; l < MLP_LAYERS; ++l)
        for (int o = 0; o < Net.layers[l].outputs; ++o)
          mlp_weight_grads(&Net, l, o);
    }

    LOOPSCOPE_PHASE("opt_step")
    for (int l = 0; l < MLP_LAYERS; ++l)
      for (int o = 0; o < Net.layers[l].outputs; ++o)
        mlp_update(&Net, l, o, Rate);
  }
  return total / (float)Train.count;
}

/* The share of unseen points that the network puts on the right arm. */
static float accuracy(void) {
  int right = 0;
  LOOPSCOPE_VALID("batch_size(&Valid, first)")
  for (int first = 0; first < Valid.count; first += MLP_BATCH) {
    LOOPSCOPE_DRAW
    load(&Valid, first);

    LOOPSCOPE_PHASE("predict")
    for (int s = 0; s < Net.samples; ++s) {
      mlp_forward(&Net, s);
      right += mlp_predicted(&Net, s) == Net.labels[s];
    }
  }
  return (float)right / (float)Valid.count;
}

LOOPSCOPE_FIT
static float fit(void) {
  spiral_random random = 7;
  float loss = 0.0F;
  LOOPSCOPE_EPOCH
  LOOPSCOPE_ITERATIONS("EPOCHS")
  for (int epoch = 1; epoch <= EPOCHS; ++epoch) {
    loss = train_epoch(&random);
    if (epoch % 10 == 0)
      printf("epoch %2d  loss %.3f  accuracy %.3f\n", epoch, (double)loss,
             (double)accuracy());
  }
  return loss;
}

LOOPSCOPE_VALIDATE
static float validate(void) { return accuracy(); }

int main(void) {
  make(&Train, TRAIN_SAMPLES, 1);
  make(&Valid, VALID_SAMPLES, 2);
  mlp_init(&Net, 3);

  const float loss = fit();
  const float score = validate();
  const int learned = loss < 0.10F && score > 0.95F;
  printf("%s: loss %.3f, accuracy %.3f\n", learned ? "learned" : "not learned",
         (double)loss, (double)score);
  return learned ? 0 : 1;
}
