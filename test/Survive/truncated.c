// If somebody truncates the profile while the program runs, the run goes on, and one line
// says that the profile is lost: between hooks and inside spans, in loops and functions, on
// threads that record and new ones, on an alternate stack, to any size, with every mode.
// RUN: %survive_c
// RUN: sh %S/Inputs/truncate.sh %t.hooked 0 simple >%t.all
// RUN: sh %S/Inputs/truncate.sh %t.hooked 4096 simple,devices=off >>%t.all
// RUN: sh %S/Inputs/truncate.sh %t.hooked 20000 trace,cpu=on >>%t.all
// RUN: sh %S/Inputs/truncate.sh %t.hooked 5000 advanced,log=%t.hooked.log >>%t.all
// RUN: sh %S/Inputs/truncate.sh %t.hooked 0 whatif,stacks,devices=10ms >>%t.all
// RUN: FileCheck %s --input-file=%t.all
// CHECK-COUNT-335: {{^}}exit 0, 67 places; loopscope: the profile {{[^ ]*}}.loopscope was truncated while the program ran: it is lost, and the rest of the run isn't recorded{{$}}
// CHECK-NOT: {{.}}
// The kernel puts zeros after the new end, up to the end of its page, and sends no signal there.
// So cut in the middle of many pages, some of which hold nodes of open spans.
// RUN: sh %S/Inputs/truncate.sh %t.hooked "$(seq 12800 773 36000)" simple "3 9 20 40 55" >%t.all
// RUN: FileCheck %s --check-prefix=PAGES --input-file=%t.all
// PAGES-COUNT-155: {{^}}exit 0, 67 places; loopscope: the profile {{[^ ]*}}.loopscope was truncated while the program ran: it is lost, and the rest of the run isn't recorded{{$}}
// PAGES-NOT: {{.}}
// A reader of the rest says clearly what it is.
// RUN: not loopscope report %t.hooked.0.loopscope 2>&1 | FileCheck %s --check-prefix=EMPTY
// EMPTY: {{^}}loopscope: error: {{.*}}.loopscope: is empty; the run recorded nothing, or somebody truncated the file while it ran{{$}}
// RUN: not loopscope report %t.hooked.4096.loopscope 2>&1 | FileCheck %s --check-prefix=CUT
// CUT: {{^}}loopscope: error: {{.*}}.loopscope: is truncated: {{[0-9]+}} bytes are missing, and what is there holds no span; copy it again{{$}}
// Who makes it as long as it was, as a copy into the same file does, puts zeros in place of all that
// was after SIZE, and there is no signal at all.
// RUN: sh %S/Inputs/truncate.sh %t.hooked "0 4096 20000" simple "$(seq 67)" again >%t.all
// RUN: sh %S/Inputs/truncate.sh %t.hooked "0 5000" whatif,stacks,cpu=on "$(seq 1 6 67)" again >>%t.all
// RUN: FileCheck %s --check-prefix=AGAIN --input-file=%t.all
// AGAIN-COUNT-225: {{^}}exit 0, 67 places; loopscope: the profile {{[^ ]*}}.loopscope was truncated while the program ran: it is lost, and the rest of the run isn't recorded{{$}}
// AGAIN-NOT: {{.}}
// RUN: not loopscope report %t.hooked.0.loopscope 2>&1 | FileCheck %s --check-prefix=ZEROS
// ZEROS: {{^}}loopscope: error: {{.*}}.loopscope: begins with zeros; somebody truncated the file while the run wrote it{{$}}
#include "survive.h"
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#ifdef PLAIN
#define TRAIN
#define STEP
#define FUNCTION(ID, NAME)
#else
#define TRAIN __LOOPSCOPE_SPAN(50, TRAIN, "train", __LINE__, "survive")
#define STEP                                                                                       \
  __LOOPSCOPE_STEP(51, 50);                                                                        \
  __LOOPSCOPE_SAMPLES(51, 3);                                                                      \
  __LOOPSCOPE_STEP_AMOUNT(51, flops, 5)
#define FUNCTION(ID, NAME) __LOOPSCOPE_SPAN(ID, FUNCTION, NAME, __LINE__, "survive")
#endif

// The profile, and when to truncate it to which size; null in the comparison of builds.
static const char *profile;
static int cut, size;
static int grows; // to its former size, right after
static int place;

// One of many places; the profile is truncated at one of them.
static void here(void) {
  struct stat before;
  if (++place == cut && (stat(profile, &before) != 0 || truncate(profile, size) != 0 ||
                         (grows && truncate(profile, before.st_size) != 0)))
    perror(profile);
}

static int fibonacci(int n) {
  FUNCTION(1, "fibonacci");
  return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void work(int steps) {
  PHASE(10, "work");
  here();
  TRAIN;
  for (int i = 0; i < steps; ++i) {
    STEP;
    here();
    {
      PHASE(11, "forward");
      here();
    }
    {
      PHASE(12, "backward");
      fibonacci(5);
      here();
    }
    here();
  }
  here();
}

static void *other(void *unused) {
  work(2);
  return unused;
}

static void handler(int number) {
  (void)number;
  work(2);
}

static void run(void) {
  static char stack[1 << 16];
  stack_t alternate = {.ss_sp = stack, .ss_size = sizeof(stack)};
  struct sigaction action = {.sa_handler = handler, .sa_flags = SA_ONSTACK};
  sigaltstack(&alternate, NULL);
  sigaction(SIGUSR1, &action, NULL);
  pthread_t thread;
  work(3);
  for (int i = 0; i < 2; ++i) {
    pthread_create(&thread, NULL, other, NULL);
    pthread_join(thread, NULL);
    raise(SIGUSR1);
    work(1);
  }
  usleep(20000);
  {
    PHASE(20, "end");
    here();
  }
}

int main(int argc, char **argv) {
  if (argc >= 4) {
    grows = argc > 4;
    profile = argv[1];
    size = atoi(argv[2]);
    cut = atoi(argv[3]);
  }
  run();
  printf("%d places\n", place);
  return 0;
}
