// Processor times, stacks, operators, their shapes and work together with every other word of
// LOOPSCOPE=, in a plain program, one that forks, one that loads a library and one that
// loads LibTorch's symbols: the table is in the script.
// REQUIRES: long
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d
// RUN: %gcc -O1 -Wall -Werror %runtime_include %s -o program %runtime_lib -ldl
// RUN: %gcc -O1 -shared -fPIC -DLIBRARY %runtime_include %s -o library.so %runtime_lib
// RUN: %gxx -std=c++17 -O1 -shared -fPIC -DFAKE_VERSION=2.13.0 %source_root/test/Torch/Inputs/fake_torch.cpp -o libtorch_cpu.so
// RUN: %python %S/Inputs/everything.py ./program
#include <loopscope/hooks.h>
#include <stdio.h>
#include <time.h>
#include <unistd.h>

static double milliseconds(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec * 1e3 + (double)t.tv_nsec * 1e-6;
}
static double cpu_ms(void) { return milliseconds(CLOCK_THREAD_CPUTIME_ID); }

// Writes the process and a phase's own readings of a step, in ms: the CPU time around its span
// and within it, and the time within it.
static double around_start, cpu_start, wall_start, cpu_within, wall_within;
static void before(void) { around_start = cpu_ms(); }
static void begin(void) {
  cpu_start = cpu_ms();
  wall_start = milliseconds(CLOCK_MONOTONIC);
}
static void end(void) {
  wall_within = milliseconds(CLOCK_MONOTONIC) - wall_start;
  cpu_within = cpu_ms() - cpu_start;
}
static void after(const char *name) {
  printf("%d %s %.6f %.6f %.6f\n", (int)getpid(), name, cpu_ms() - around_start, cpu_within,
         wall_within);
}

// Mostly outside the kernel, where events take no samples.
static void spin(double ms) {
  double end = cpu_ms() + ms;
  while (cpu_ms() < end)
    for (volatile int i = 0; i < 5000; ++i)
      ;
}

#ifdef LIBRARY
void work(void);
void work(void) {
  before();
  {
    __LOOPSCOPE_SPAN(1, PHASE, "library", 1, "work");
    begin();
    spin(2);
    end();
  }
  after("library");
}
#else
#include <dlfcn.h>
#include <loopscope/torch_facts.h>
#include <string.h>
#include <sys/wait.h>

// What loopscope_instrument(target TORCH) compiles into a program: all operators have the
// same inputs.
static void describe(const void *function, struct loopscope_torch_operator *into) {
  (void)function;
  *into = (struct loopscope_torch_operator){-1, 1, 0};
}
static uint64_t hash_inputs(const void *function) {
  (void)function;
  return 1;
}
static void write_inputs(const void *function, char *text, size_t size) {
  (void)function;
  snprintf(text, size, "[[4, 5], []] [float, Scalar]");
}
static const struct loopscope_torch_facts facts = {
    LOOPSCOPE_TORCH_FACTS_VERSION, 2, 13, 0, describe, hash_inputs, write_inputs};
__attribute__((constructor)) static void attach(void) { loopscope_torch_attach(&facts); }

// Also if a signal ends a sleep.
static void rest(long ms) {
  struct timespec until;
  clock_gettime(CLOCK_MONOTONIC, &until);
  until.tv_nsec += ms * 1000000;
  until.tv_sec += until.tv_nsec / 1000000000;
  until.tv_nsec %= 1000000000;
  while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) != 0)
    ;
}

static void train(void (*more)(void),
                  void (*operators)(const char *, const char *, int)) {
  __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main");
  for (int step = 0; step < 8; ++step) {
    __LOOPSCOPE_STEP(11, 10);
    before();
    {
      __LOOPSCOPE_SPAN(12, PHASE, "sleep", 12, "main");
      begin();
      rest(4);
      end();
    }
    after("sleep");
    before();
    {
      __LOOPSCOPE_SPAN(13, PHASE, "spin", 13, "main");
      begin();
      __LOOPSCOPE_AMOUNT(13, flops, 1000);
      spin(4);
      if (operators)
        operators("aten::mm", "aten::dot", 3);
      end();
    }
    after("spin");
    if (more)
      more();
  }
}

int main(int argc, char **argv) {
  void *library = NULL;
  void (*more)(void) = NULL;
  void (*operators)(const char *, const char *, int) = NULL;
  pid_t child = 1;
  for (int i = 1; i < argc; ++i) {
    if (strcmp(argv[i], "fork") == 0) {
      child = fork();
    } else if (strcmp(argv[i], "torch") == 0) {
      void *torch = dlopen("./libtorch_cpu.so", RTLD_NOW | RTLD_LOCAL);
      if (torch == NULL)
        return 1;
      *(void **)&operators = dlsym(torch, "run_operator");
    } else {
      library = dlopen("./library.so", RTLD_NOW | RTLD_LOCAL);
      if (library == NULL)
        return 1;
      *(void **)&more = dlsym(library, "work");
    }
  }
  train(more, operators);
  if (library)
    dlclose(library);
  return child > 1 ? wait(NULL) != child : 0;
}
#endif
