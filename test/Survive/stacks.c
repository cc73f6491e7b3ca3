// Sampling changes nothing for a program with a SIGPROF timer of its own, with
// short-lived threads, small stacks, an alternate one, arbitrary frame pointers,
// unloaded libraries, all kinds of children, and one that resets every signal while it
// is sampled.
// RUN: env SURVIVE_OPTIONS=stacks=1000 %survive_c
// RUN: ls %t.*loopscope | count 2
// RUN: ls %t.*loopscope | xargs -n 1 loopscope report --view functions --format csv | FileCheck %s
// CHECK-DAG: "fit","threads","(no span)","burn",
// CHECK-DAG: "fit","child","main","burn",
// RUN: loopscope report --view functions --format csv %t.loopscope | FileCheck %s --check-prefix=RESET
// RESET: "reset","main","burn",
// RUN: count 0 < %t.err
#define _GNU_SOURCE
#include "survive.h"
#include <dlfcn.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static volatile sig_atomic_t ticks;
static volatile double sink;

static void tick(int number) { ticks += number == SIGPROF; }

static double cpu(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

__attribute__((noinline)) static void burn(double seconds) {
  double start = cpu(), x = 1;
  while (cpu() < start + seconds)
    for (int i = 0; i < 1000; ++i)
      x = x * 1.0000001 + 1e-9;
  sink = x;
}

// Runs for a while with the frame pointer VALUE.
__attribute__((noinline)) static void burn_with(unsigned long value) {
#ifdef __x86_64__
  __asm__ volatile("subq $128, %%rsp\n\tpushq %%rbp\n\tmovq %0, %%rbp\n\tmovl $20000000, %%ecx\n1:\n\t"
                   "decl %%ecx\n\tjnz 1b\n\tpopq %%rbp\n\taddq $128, %%rsp"
                   :
                   : "r"(value)
                   : "rcx", "memory", "cc");
#else
  (void)value;
#endif
}

static void *short_thread(void *unused) {
  PHASE(1, "thread");
  burn(0.002);
  return unused;
}

static void *long_thread(void *unused) {
  burn(0.5);
  return unused;
}

static void frames(void) {
  PHASE(2, "frames");
  char *pages = mmap(NULL, 8192, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  mprotect(pages + 4096, 4096, PROT_NONE);
  unsigned long here[4] = {0};
  here[0] = (unsigned long)here; // a chain that points to itself
  here[1] = (unsigned long)(void *)burn;
  unsigned long values[] = {0, 8, 1, ~0ul, ~7ul, (unsigned long)here, (unsigned long)(pages + 4088),
                            (unsigned long)(pages + 4096), (unsigned long)&ticks, 0xffff800000000000ul};
  for (unsigned i = 0; i < sizeof(values) / sizeof(*values); ++i)
    burn_with(values[i]);
}

int main(void) {
  struct sigaction action = {0};
  action.sa_handler = tick;
  action.sa_flags = SA_RESTART;
  sigaction(SIGPROF, &action, NULL);
  struct itimerval every = {{0, 10000}, {0, 10000}};
  setitimer(ITIMER_PROF, &every, NULL);
  {
    PHASE(3, "threads");
    pthread_attr_t small;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 << 10);
    pthread_t lasting, passing;
    pthread_create(&lasting, NULL, long_thread, NULL);
    for (int i = 0; i < 100; ++i) {
      pthread_create(&passing, &small, short_thread, NULL);
      pthread_join(passing, NULL);
    }
    pthread_join(lasting, NULL);
  }
  frames();
  {
    PHASE(4, "libraries");
    for (int i = 0; i < 50; ++i) {
      void *library = dlopen("libutil.so.1", RTLD_NOW);
      burn(0.002);
      if (library)
        dlclose(library);
    }
  }
  {
    PHASE(5, "children");
    fflush(stdout);
    pid_t child = fork();
    if (child == 0) {
      PHASE(6, "child");
      burn(0.3);
      execl("/bin/sh", "sh", "-c", "echo exec", (char *)NULL);
      _exit(1);
    }
    int status = 0;
    waitpid(child, &status, 0);
    printf("%d\n", status);
    child = vfork();
    if (child == 0)
      _exit(7);
    waitpid(child, &status, 0);
    printf("%d %d\n", WEXITSTATUS(status), system("exit 3") >> 8);
  }
  {
    PHASE(7, "alternate");
    stack_t stack = {.ss_sp = malloc(64 << 10), .ss_size = 64 << 10};
    sigaltstack(&stack, NULL);
    burn(0.2);
  }
  sigaction(SIGPROF, NULL, &action);
  printf("%d %d\n", ticks > 20, action.sa_handler == tick);
  every = (struct itimerval){{0, 0}, {0, 0}};
  setitimer(ITIMER_PROF, &every, NULL);
  PHASE(8, "reset");
  for (int i = 1; i < NSIG; ++i)
    signal(i, SIG_DFL);
  burn(0.6);
}
