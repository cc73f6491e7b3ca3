// A reset begins a new profile: parts of a run of several threads, with keys, steps, values, ranges, samples and
// amounts, add up to the program's own counts, row by row and figure by figure to the whole run; also when the program is
// killed after a reset. The program notices nothing.
// RUN: rm -rf %t.* && %build_c -pthread
// RUN: mkdir %t.d && env LOOPSCOPE=stacks,trace,report=none,output=%t.d/run.loopscope %t 1 > %t.d/own
// RUN: %python %S/Inputs/check_reset.py %t.d 4 < %t.d/own
// RUN: mkdir %t.k && not --crash env LOOPSCOPE=report=none,output=%t.k/run.loopscope %t 2 killed > %t.k/own
// RUN: %python %S/Inputs/check_reset.py %t.k 4 < %t.k/own
//
// The same program without resets has one file, and no word of parts.
// RUN: mkdir %t.w && env LOOPSCOPE=report=none,output=%t.w/run.loopscope %t 1 whole > %t.w/own && ls %t.w | FileCheck %s --check-prefix=ONE
// ONE: {{^}}own{{$}}
// ONE-NEXT: {{^}}run.loopscope{{$}}
// ONE-NOT: {{.}}
// RUN: loopscope report %t.w/run.loopscope | FileCheck %s --check-prefix=WHOLE --implicit-check-not="{{part [0-9]|loopscope_reset}}"
// WHOLE: {{^}}Profiler's own cost
//
// Reports say which part they are of, and where the others are. A folder's counts the last one.
// RUN: loopscope report %t.d/run.part1.loopscope | FileCheck %s --check-prefix=FIRST
// FIRST: {{^}}This is part 1 of the run, up to loopscope_reset. Later data is in later parts and in the run's own profile.{{$}}
// RUN: loopscope report %t.d/run.part2.loopscope | FileCheck %s --check-prefix=SECOND
// SECOND: {{^}}This is part 2 of the run, which began {{[0-9.]+ (ns|µs|ms|s)}} after its start, by loopscope_reset. Earlier data is in run.part1.loopscope. Later data is in later parts and in the run's own profile.{{$}}
// RUN: loopscope report %t.d/run.loopscope | FileCheck %s --check-prefix=LAST
// LAST: {{^}}This is part 4 of the run, which began {{[0-9.]+ (ns|µs|ms|s)}} after its start, by loopscope_reset. Earlier data is in run.part1.loopscope, run.part2.loopscope, run.part3.loopscope.{{$}}
// LAST-NEXT: {{^}}{{[0-9]+ spans were open when it began: they count here, with the time since then.|1 span was open when it began: it counts here, with the time since then.}}{{$}}
// LAST-NEXT: {{^}}Minima, maxima and deviations of {{[0-9]+}} rows are approximate: exact ones are on record for the whole run only.{{$}}
// RUN: loopscope report %t.d > %t.out 2> %t.err && FileCheck %s --check-prefix=LAST < %t.out && FileCheck %s --check-prefix=FOLDER < %t.err
// FOLDER: {{^}}loopscope: left out 3 files of earlier parts of runs whose later part counts; name them alone to read them{{$}}
// RUN: loopscope report %t.d/run.part2.loopscope --format json | FileCheck %s --check-prefix=JSON
// JSON: "ended": "reset",
// JSON: "part": 2,
//
// Without the part before it, and with another file in its place.
// RUN: mkdir %t.m && cp %t.d/run.loopscope %t.m && loopscope report %t.m/run.loopscope | FileCheck %s --check-prefix=MISSING
// MISSING: {{^}}The figures are those of the run from its start on, not of part 4 alone: {{.*}}/run.part3.loopscope isn't there.{{$}}
// RUN: cp %t.k/run.part3.loopscope %t.m && loopscope report %t.m/run.loopscope | FileCheck %s --check-prefix=OTHER
// OTHER: {{^}}The figures are those of the run from its start on, not of part 4 alone: {{.*}}/run.part3.loopscope isn't the part before it.{{$}}
// RUN: cp %t.d/run.part3.loopscope %t.m/run.part3.loopscope && cp %t.d/run.part2.loopscope %t.m/p.loopscope && loopscope report %t.m/p.loopscope | FileCheck %s --check-prefix=CUT
// CUT: {{^}}The figures are those of the run up to that part's end, not of part 2 alone: {{.*}}/run.part1.loopscope isn't there.{{$}}
//
// The parts of a run can be compared.
// RUN: loopscope diff %t.d/run.part1.loopscope %t.d/run.loopscope | FileCheck %s --check-prefix=DIFF
// DIFF: {{^}}FIT Profiler Report: {{.*}} before, {{.*}} after{{$}}
//
// Ranks have parts of their own, and a merged file has their last ones.
// RUN: mkdir %t.r && env OMPI_COMM_WORLD_RANK=0 OMPI_COMM_WORLD_SIZE=2 LOOPSCOPE=report=none,output=%t.r/run.loopscope %t 1 > %t.own
// RUN: env OMPI_COMM_WORLD_RANK=1 OMPI_COMM_WORLD_SIZE=2 LOOPSCOPE=report=none,output=%t.r/run.loopscope %t 2 > %t.own
// RUN: loopscope merge %t.r -o %t.all.loopscope 2>&1 | FileCheck %s --check-prefix=MERGED
// MERGED: {{^}}loopscope: left out 6 files of earlier parts
// MERGED: ranks 0, 1{{$}}
// RUN: loopscope report %t.all.loopscope --view tree | FileCheck %s --check-prefix=RANKS
// RANKS: {{^}}This is part 4 of the run, by loopscope_reset. Earlier data is in run.rank0.part1.loopscope, run.rank0.part2.loopscope, run.rank0.part3.loopscope.{{$}}
// RANKS: {{^}}This is part 4 of the run, by loopscope_reset. Earlier data is in run.rank1.part1.loopscope, run.rank1.part2.loopscope, run.rank1.part3.loopscope.{{$}}
//
// Without a file, and without a profile.
// RUN: env LOOPSCOPE=report=none,output=/dev/null %t 1 2>&1 > %t.own | FileCheck %s --check-prefix=NOWHERE
// NOWHERE: {{^}}loopscope: loopscope_reset did nothing: the profile has no file{{$}}
// NOWHERE-NOT: {{.}}
// RUN: env LOOPSCOPE=off %t 1 > %t.own
#include <loopscope/loopscope.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { THREADS = 3, NAMES = 4, KEYS = 6, ROUNDS = 400 };

static const loopscope_site top = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "main", 1, "run");
static const loopscope_site train = LOOPSCOPE_SITE(LOOPSCOPE_KIND_TRAIN, "train", 2, "run");
static const loopscope_keyed_site keyed = LOOPSCOPE_KEYED_SITE(LOOPSCOPE_KIND_PHASE, "block", 3, "run", "layer");
static const loopscope_site sites[NAMES] = {
    LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "a", 4, "run"), LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "b", 5, "run"),
    LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "c", 6, "run"), LOOPSCOPE_SITE(LOOPSCOPE_KIND_WAIT, "d", 7, "run")};

// What a thread did.
struct worker {
  pthread_t thread;
  uint64_t state;
  long phases[NAMES], blocks[KEYS], steps, samples, values, ranges;
  long long starved_ns;
  int resets;
};

// How long the calling thread was ready without a processor; 0 if the kernel doesn't say.
static long long starved(void) {
  long long ran, waited = 0;
  FILE *file = fopen("/proc/thread-self/schedstat", "r");
  if (file && fscanf(file, "%lld %lld", &ran, &waited) != 2)
    waited = 0;
  if (file)
    fclose(file);
  return waited;
}

static unsigned pick(struct worker *w, unsigned count) {
  w->state = w->state * 6364136223846793005u + 1442695040888963407u;
  return (unsigned)(w->state >> 33) % count;
}

static void spend(unsigned microseconds) {
  struct timespec start, t;
  clock_gettime(CLOCK_MONOTONIC, &start);
  do
    clock_gettime(CLOCK_MONOTONIC, &t);
  while ((t.tv_sec - start.tv_sec) * 1000000 + (t.tv_nsec - start.tv_nsec) / 1000 < (long)microseconds);
}

static void body(struct worker *w, int depth) {
  for (unsigned n = pick(w, 3); n != 0 && depth < 4; --n) {
    unsigned name = pick(w, NAMES + 1);
    if (name == NAMES) {
      unsigned key = pick(w, KEYS);
      loopscope_token t = loopscope_enter_key(&keyed, key);
      if (depth == 3) // where nothing is inside, which would be left out with it
        loopscope_flops(t, 1000 + key);
      ++w->blocks[key];
      body(w, depth + 1);
      spend(pick(w, 20));
      loopscope_leave(t);
    } else {
      loopscope_token t = loopscope_enter(&sites[name]);
      ++w->phases[name];
      uint64_t range = loopscope_range_begin("range");
      body(w, depth + 1);
      spend(pick(w, 10));
      loopscope_range_end(range);
      ++w->ranges;
      loopscope_leave(t);
    }
  }
}

static int is_whole, errno_kept = 1;

static void reset(struct worker *w) {
  if (is_whole || w->resets == 0)
    return;
  --w->resets;
  errno = 4711;
  loopscope_reset();
  errno_kept &= errno == 4711;
}

static void *work(void *of) {
  struct worker *w = of;
  loopscope_token whole = loopscope_enter(&top);
  loopscope_token loop = loopscope_loop_enter(&train);
  for (int i = 0; i < ROUNDS; ++i) {
    loopscope_token step = loopscope_step_begin(loop);
    long samples = pick(w, 50);
    loopscope_samples(step, samples);
    w->samples += samples;
    body(w, 0);
    loopscope_value("loss", i);
    ++w->values;
    if (i % 100 == 99)
      reset(w);
    loopscope_step_end(step);
    ++w->steps;
  }
  loopscope_leave(loop);
  loopscope_leave(whole);
  w->starved_ns = starved();
  return NULL;
}

int main(int argc, char **argv) {
  static struct worker workers[THREADS];
  is_whole = argc > 2 && strcmp(argv[2], "whole") == 0;
  for (int i = 0; i < THREADS; ++i) {
    workers[i].state = strtoul(argv[1], NULL, 10) * 100 + (unsigned)i;
    workers[i].resets = i == 0 ? 3 : 0;
  }
  for (int i = 1; i < THREADS; ++i)
    pthread_create(&workers[i].thread, NULL, work, &workers[i]);
  work(&workers[0]);
  for (int i = 1; i < THREADS; ++i)
    pthread_join(workers[i].thread, NULL);
  struct worker all = {0};
  for (int i = 0; i < THREADS; ++i) {
    for (int n = 0; n < NAMES; ++n)
      all.phases[n] += workers[i].phases[n];
    for (int k = 0; k < KEYS; ++k)
      all.blocks[k] += workers[i].blocks[k];
    all.steps += workers[i].steps;
    all.samples += workers[i].samples;
    all.values += workers[i].values;
    all.ranges += workers[i].ranges;
    all.starved_ns += workers[i].starved_ns;
  }
  for (int n = 0; n < NAMES; ++n)
    printf("%c %ld\n", 'a' + n, all.phases[n]);
  for (int k = 0; k < KEYS; ++k)
    printf("block[%d] %ld\n", k, all.blocks[k]);
  printf("step %ld\nsamples %ld\nvalues %ld\nranges %ld\nstarved_ns %lld\n", all.steps, all.samples, all.values, all.ranges,
         all.starved_ns);
  fflush(stdout);
  if (!errno_kept)
    return 1;
  if (argc > 2 && strcmp(argv[2], "killed") == 0)
    raise(SIGKILL);
  return 0;
}
