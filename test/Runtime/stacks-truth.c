// The shares of functions agree with the program's own measurements: in two phases, in a
// library, in one that is loaded later, on a thread without a span, and on one with its
// own.
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %gcc -O1 -shared -fPIC %S/Inputs/stacks-library.c -o libeighty.so
// RUN: %gcc -O1 -shared -fPIC -DNAME=loaded %S/Inputs/stacks-library.c -o libloaded.so
// RUN: %gcc -O1 -g -Wall -Werror %runtime_include %s -o truth -L. -leighty -Wl,-rpath,%t.d %runtime_lib
// RUN: env LOOPSCOPE=stacks,report=none,output=p.loopscope ./truth > truth.txt
// RUN: loopscope report --view functions --format csv p.loopscope > functions.csv
// RUN: %python %S/Inputs/check_functions.py functions.csv truth.txt
// RUN: loopscope report --view functions p.loopscope | FileCheck %s
// CHECK: Functions, by samples of CPU time
// CHECK: {{^}}{{[0-9]+}} samples of {{[0-9.]+ (ns|µs|ms|s)}} of CPU time, one every {{[0-9.]+ ms}}; 250 per second were requested.{{$}}
// CHECK: (no span): {{[0-9]+}} samples of threads that had no span open; they count for the phase that the main thread, or else the one that trains, was in.

// One stage, one thread.
// RUN: loopscope report --view functions --format csv --stage fit p.loopscope > fit.csv && grep -v '^"outside"' functions.csv | cmp fit.csv -
// RUN: loopscope report --view functions --format csv --thread worker p.loopscope > worker.csv
// RUN: grep -q '"two","worker","twenty"' worker.csv && not grep -q sixty worker.csv

// The same samples as stacks below the phases.
// RUN: loopscope export --to folded -o folded p.loopscope && FileCheck %s --check-prefix=FOLDED --input-file=folded
// FOLDED-DAG: {{^}}main;fit;one;{{(.*;)?}}sixty {{[0-9]+$}}
// FOLDED-DAG: {{^}}worker;two;{{(.*;)?}}twenty {{[0-9]+$}}
// FOLDED-DAG: {{^}}(no span);fit;{{.*}};helper {{[0-9]+$}}
// RUN: loopscope export --to speedscope -o scope.json p.loopscope && %python %S/Inputs/check_sampled.py scope.json functions.csv

// After a kill, the samples up to then are there.
// RUN: ( env LOOPSCOPE=stacks=100,report=none,output=killed.loopscope ./truth forever > /dev/null & P=$!; sleep 3; kill -9 $P; wait $P || true )
// RUN: loopscope report --view functions --format csv killed.loopscope | FileCheck %s --check-prefix=KILLED
// KILLED: "fit","one","main","sixty","truth","{{.*}}stacks-truth.c",{{[0-9]+,[1-9].*$}}

// A library that was replaced since the run names nothing.
// RUN: %gcc -O2 -g -shared -fPIC -DNAME=seventy %S/Inputs/stacks-library.c -o libeighty.so
// RUN: loopscope report --view functions p.loopscope | FileCheck %s --check-prefix=CHANGED
// CHANGED-NOT: {{eighty |seventy}}
// CHANGED: Changed since the run, so without names: {{.*}}/libeighty.so.
// RUN: rm libeighty.so && loopscope report --view functions p.loopscope | FileCheck %s --check-prefix=MISSING
// MISSING: Without names, because the file is missing here: {{.*}}/libeighty.so.

// Without samples, a message says how to get them.
// RUN: %gcc -O1 -shared -fPIC %S/Inputs/stacks-library.c -o libeighty.so
// RUN: env LOOPSCOPE=report=none,output=none.loopscope ./truth short > /dev/null; not loopscope report --view functions none.loopscope 2>&1 | FileCheck %s --check-prefix=NONE
// NONE: error: none.loopscope: has no samples of stacks; run the program with LOOPSCOPE=stacks
// Where they were on, it is no way to get them.
// RUN: env LOOPSCOPE=report=none,output=few.loopscope,stacks=1 ./truth short > /dev/null; not loopscope report --view functions few.loopscope 2>&1 | FileCheck %s --check-prefix=FEW --match-full-lines
// RUN: not loopscope report --view loops few.loopscope 2>&1 | FileCheck %s --check-prefix=FEW --match-full-lines
// FEW: loopscope: error: few.loopscope: LOOPSCOPE=stacks took no sample of {{[0-9.]+ (ns|µs|ms|s)}} of CPU time: it is little, or of threads that end too soon; a larger N in LOOPSCOPE=stacks=N takes more
#define _GNU_SOURCE
#include <dlfcn.h>
#include <loopscope/hooks.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

void eighty(long n);
static void (*loaded)(long n);
static volatile double sink;

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

#define BURN(NAME)                                                             \
  __attribute__((noinline)) static void NAME(long n) {                         \
    double x = 1;                                                              \
    for (long i = 0; i < n; ++i)                                               \
      x = x * 1.0000001 + 1e-9;                                                \
    sink = x;                                                                  \
  }
BURN(sixty)
BURN(thirty)
BURN(ten)
BURN(twenty)
BURN(helper)

// Adds the time of CALL to TIME.
#define TIMED(TIME, CALL)                                                      \
  do {                                                                         \
    double start_ = cpu();                                                     \
    CALL;                                                                      \
    TIME += cpu() - start_;                                                    \
  } while (0)

static double time_helper, time_twenty;
static volatile int counts, stop;

static void *without_span(void *unused) {
  prctl(PR_SET_NAME, "helper");
  while (!stop) {
    double time = 0;
    int counted = counts;
    TIMED(time, helper(100000));
    time_helper += counted ? time : 0;
  }
  return unused;
}

static void *with_span(void *unused) {
  prctl(PR_SET_NAME, "worker");
  __LOOPSCOPE_SPAN(1, PHASE, "two", 1, "with_span");
  double start = cpu();
  while (cpu() < start + 0.7)
    TIMED(time_twenty, twenty(100000));
  return unused;
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  double t60 = 0, t30 = 0, t10 = 0, t80 = 0, tload = 0;
  {
    __LOOPSCOPE_SPAN(2, FIT, "fit", 2, "main");
    double start = cpu();
    do {
      __LOOPSCOPE_SPAN(3, PHASE, "one", 3, "main");
      TIMED(t60, sixty(60000));
      TIMED(t30, thirty(30000));
      TIMED(t10, ten(10000));
    } while (!strcmp(how, "forever") || (strcmp(how, "short") && cpu() < start + 2));
    {
      // A thread without a span is found within a quarter of a second.
      pthread_t thread;
      pthread_create(&thread, NULL, without_span, NULL);
      usleep(600000);
      __LOOPSCOPE_SPAN(4, PHASE, "three", 4, "main");
      counts = 1;
      start = cpu();
      while (strcmp(how, "short") && cpu() < start + 1.5)
        TIMED(t80, eighty(800000));
      stop = 1;
      pthread_join(thread, NULL);
    }
    {
      __LOOPSCOPE_SPAN(5, PHASE, "four", 5, "main");
      void *library = dlopen("libloaded.so", RTLD_NOW);
      loaded = (void (*)(long))dlsym(library, "loaded");
      start = cpu();
      while (strcmp(how, "short") && cpu() < start + 1)
        TIMED(tload, loaded(500000));
    }
    pthread_t thread;
    pthread_create(&thread, NULL, with_span, NULL);
    pthread_join(thread, NULL);
  }
  printf("one sixty truth main %f\none thirty truth main %f\none ten truth main %f\n", t60, t30, t10);
  printf("three eighty libeighty.so main %f\nthree helper truth (nospan) %f\n", t80, time_helper);
  printf("four loaded libloaded.so main %f\ntwo twenty truth worker %f\n", tload, time_twenty);
}
