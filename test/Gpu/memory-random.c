// Random allocations and releases of three kinds, in phases and between them, in 20 runs: each step's memory is what the program counted.
// RUN: printf '%%s\n' 'order reverse' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace TRUTH=%t-truth %replayed %s
// RUN: for seed in $(seq 20); do rm -f %t.loopscope && env SEED=$seed TRUTH=%t-truth LOOPSCOPE=trace,output=%t.loopscope LOOPSCOPE_CUPTI=%replay_folder/libreplay-13.so %t.hooked >%t.said && loopscope report %t.loopscope --view memory --format csv --rows all >%t.csv && %python %S/Inputs/memory_random.py %t-truth %t.csv || exit 1; done
// A part of a run begins with what was held then.
// RUN: rm -f %t.loopscope && env RESET=1 SEED=77 TRUTH=%t-truth LOOPSCOPE=trace,cap=16M,output=%t.loopscope LOOPSCOPE_CUPTI=%replay_folder/libreplay-13.so %t.hooked >%t.said && loopscope report %t.loopscope --view memory --format csv --rows all >%t.csv && %python %S/Inputs/memory_random.py %t-truth %t.csv
// Merged profiles have no steps.
// RUN: not loopscope report %t.loopscope --merge --view memory 2>&1 | FileCheck %s --check-prefix=MERGED
// MERGED: memory by step is of one process: leave out --merge{{$}}
#include "gpu.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#ifdef PLAIN
#define loopscope_reset()
#else
#include <loopscope/loopscope.h>
#endif

enum { Steps = 30, MostLive = 50, Kinds = 4 };
// By kind: device memory by itself and of a pool are one lane.
static const char *const laneOf[Kinds] = {"GPU 0", "GPU 0", "GPU 0, managed", "pinned host"};
enum { Lanes = 3 };
static int lane(int kind) { return kind == 0 ? 0 : kind - 1; }

struct Live {
  void *memory;
  size_t bytes;
  int kind;
};
static struct Live live[MostLive];
static int count;
static size_t held[Lanes], start[Lanes], peak[Lanes], all[Lanes];
static const char *peakIn[Lanes];

static void allocate(const char *phase) {
  struct Live next = {NULL, (size_t)(rand() % 1000 + 1) * 256, rand() % Kinds};
  if (next.kind == 0)
    cudaMalloc(&next.memory, next.bytes);
  else if (next.kind == 1)
    cudaMallocAsync(&next.memory, next.bytes, NULL);
  else if (next.kind == 2)
    cudaMallocManaged(&next.memory, next.bytes, 1);
  else
    cudaHostAlloc(&next.memory, next.bytes, 0);
  int at = lane(next.kind);
  held[at] += next.bytes;
  all[at] += next.bytes;
  if (held[at] > peak[at]) {
    peak[at] = held[at];
    peakIn[at] = phase;
  }
  live[count++] = next;
}

static void release(void) {
  int which = rand() % count;
  struct Live gone = live[which];
  live[which] = live[--count];
  if (gone.kind == 1)
    cudaFreeAsync(gone.memory, NULL);
  else if (gone.kind == 3)
    cudaFreeHost(gone.memory);
  else
    cudaFree(gone.memory);
  held[lane(gone.kind)] -= gone.bytes;
}

static void anything(const char *phase) {
  for (int n = rand() % 8; n > 0; --n)
    if (count == 0 || (count < MostLive && rand() % 2))
      allocate(phase);
    else
      release();
}

static void begin(void) {
  memcpy(start, held, sizeof(held));
  memcpy(peak, held, sizeof(held));
  memset(all, 0, sizeof(all));
  for (int at = 0; at < Lanes; ++at)
    peakIn[at] = "-";
}

int main(void) {
  FILE *truth = getenv("TRUTH") ? fopen(getenv("TRUTH"), "w") : NULL;
  srand(getenv("SEED") ? (unsigned)atoi(getenv("SEED")) : 0);
  anything("");
  for (int part = 0; part < (getenv("RESET") ? 2 : 1); ++part) {
    if (part == 1) {
      usleep(1500000); // records arrive within a second
      loopscope_reset();
      truth = freopen(getenv("TRUTH"), "w", truth);
    }
    TRAIN;
    begin();
    for (int i = 0; i < Steps; ++i) {
      {
        STEP;
        {
          PHASE(2, "forward");
          anything("forward");
        }
        {
          PHASE(3, "backward");
          anything("backward");
        }
        if (truth)
          for (int at = 0; at < Lanes; ++at)
            fprintf(truth, "%d;%s;%zu;%zu;%zu;%zu;%s\n", part * Steps + i, laneOf[at + 1], start[at], peak[at], held[at], all[at],
                    peakIn[at]);
      }
      begin(); // a step begins where the one before ends
      anything("draw");
    }
  }
  while (count != 0)
    release();
  if (truth)
    fclose(truth);
}
