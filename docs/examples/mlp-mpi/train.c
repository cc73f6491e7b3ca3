/* The perceptron of ../mlp-c on several ranks of MPI: each goes through the
 * samples in an order of its own, and all sum up their gradients in each step.
 * Nothing marks what communicates.
 *
 *   mpirun -n 4 ./mlp-mpi [none|load|backward|rotating [RANK [MS [EPOCHS]]]]
 *
 * A straggler on purpose: RANK (1) takes MS milliseconds (3) longer in each
 * step, in its loader or in its backward pass; rotating: another rank in each
 * step, in its loader. At the end each rank prints what its own timers say.
 *
 * Exits with 0 when it has learned: training loss below 0.25 and accuracy above
 * 0.90. */
#define _POSIX_C_SOURCE 200809L
#include "../common/mlp.h"

#include <loopscope/annotate.h>

#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { TRAIN_SAMPLES = 3072, VALID_SAMPLES = 768 };
static const float Rate = 0.005F;

/* Samples in an order of their own, handed out batch by batch. */
struct loader {
  int count;
  int next;
  float points[TRAIN_SAMPLES * SPIRAL_FEATURES];
  int labels[TRAIN_SAMPLES];
  int order[TRAIN_SAMPLES];
};

/* Who is late, and where. */
struct straggler {
  const char *where;
  int rank;
  int milliseconds;
};

static struct loader Train, Valid;
static struct mlp Net;
static struct straggler Late = {"none", 1, 3};
static int Epochs = 10;
static int Rank, Ranks, Step;
static double InMpi; /* seconds, by the program's own timer */

static void loader_make(struct loader *data, int count, spiral_random seed) {
  data->count = count;
  spiral_make(data->points, data->labels, count, seed);
  for (int i = 0; i < count; ++i)
    data->order[i] = i;
}

/* Takes a while, if this rank is the late one at this place. */
static void maybe_late(const char *where) {
  const int rotates = strcmp(Late.where, "rotating") == 0;
  const int here = strcmp(rotates ? "load" : Late.where, where) == 0;
  const int rank = rotates ? Step * 7 % 11 % Ranks : Late.rank;
  if (here && rank == Rank) {
    struct timespec time = {0, Late.milliseconds * 1000000L};
    nanosleep(&time, NULL);
  }
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

/* Makes VALUES the mean over all ranks. */
static void average(float *values, int count) {
  const double start = MPI_Wtime();
  MPI_Allreduce(MPI_IN_PLACE, values, count, MPI_FLOAT, MPI_SUM,
                MPI_COMM_WORLD);
  InMpi += MPI_Wtime() - start;
  for (int i = 0; i < count; ++i)
    values[i] /= (float)Ranks;
}

static void forward(void) {
  for (int s = 0; s < Net.samples; ++s)
    mlp_forward(&Net, s);
}

/* Ends with the communication, as frameworks have it. */
LOOPSCOPE_PHASE("backward")
static void backward(void) {
  for (int s = 0; s < Net.samples; ++s)
    mlp_backward(&Net, s);
  for (int l = 0; l < MLP_LAYERS; ++l)
    for (int o = 0; o < Net.layers[l].outputs; ++o)
      mlp_weight_grads(&Net, l, o);
  maybe_late("backward");
  for (int l = 0; l < MLP_LAYERS; ++l) {
    average(&Net.layers[l].weight_grads[0][0], MLP_WIDTH * MLP_WIDTH);
    average(Net.layers[l].bias_grads, MLP_WIDTH);
  }
}

/* Trains on the current batch; returns the sum of its samples' losses. */
static float train_batch(void) {
  float total = 0.0F;
  LOOPSCOPE_PHASE("augment") maybe_late("load");
  LOOPSCOPE_PHASE("forward") forward();
  LOOPSCOPE_PHASE("loss") {
    for (int s = 0; s < Net.samples; ++s)
      total += mlp_loss(&Net, s);
  }
  LOOPSCOPE_PHASE("zero_grad") mlp_zero_grad(&Net);
  backward();
  LOOPSCOPE_PHASE("opt_step") {
    for (int l = 0; l < MLP_LAYERS; ++l)
      for (int o = 0; o < Net.layers[l].outputs; ++o)
        mlp_update(&Net, l, o, Rate);
  }
  ++Step;
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
  spiral_random random = 7 + (spiral_random)Rank;
  float loss = 0.0F;
  LOOPSCOPE_EPOCH
  for (int epoch = 1; epoch <= Epochs; ++epoch) {
    LOOPSCOPE_PHASE("shuffle")
    spiral_shuffle(Train.order, Train.count, &random);
    loss = 0.0F;
    LOOPSCOPE_TRAIN("Net.samples")
    while (loader_next(&Train))
      loss += train_batch();
    loss /= (float)Train.count;
    average(&loss, 1);
    if (epoch % 5 == 0 && Rank == 0)
      printf("epoch %2d  loss %.3f\n", epoch, (double)loss);
  }
  return loss;
}

LOOPSCOPE_VALIDATE
static float validate(void) { return accuracy(); }

/* One line for each rank, in their order. */
static void print_timers(double seconds) {
  double own[2] = {seconds - InMpi, InMpi};
  double *all = malloc((size_t)Ranks * sizeof(own));
  MPI_Gather(own, 2, MPI_DOUBLE, all, 2, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  for (int i = 0; Rank == 0 && i < Ranks; ++i)
    printf("rank %d: %.3f s of its own, %.3f s in MPI\n", i, all[2 * i],
           all[2 * i + 1]);
  free(all);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &Rank);
  MPI_Comm_size(MPI_COMM_WORLD, &Ranks);
  if (argc > 1)
    Late.where = argv[1];
  if (argc > 2)
    Late.rank = atoi(argv[2]);
  if (argc > 3)
    Late.milliseconds = atoi(argv[3]);
  if (argc > 4)
    Epochs = atoi(argv[4]);
  loader_make(&Train, TRAIN_SAMPLES, 1);
  loader_make(&Valid, VALID_SAMPLES, 2);
  mlp_init(&Net, 3);

  MPI_Barrier(MPI_COMM_WORLD);
  const double start = MPI_Wtime();
  const float loss = fit();
  const double seconds = MPI_Wtime() - start;
  const float score = validate();
  const int learned = loss < 0.25F && score > 0.90F;
  print_timers(seconds);
  if (Rank == 0)
    printf("%s: loss %.3f, accuracy %.3f\n",
           learned ? "learned" : "not learned", (double)loss, (double)score);
  MPI_Finalize();
  return learned ? 0 : 1;
}
