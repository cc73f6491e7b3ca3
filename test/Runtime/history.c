// Every run has a history: bins without gaps, which add up to all steps. It can be read while the
// program runs, hangs, and after it was killed; a forked child has its own. Without a background
// thread, and in a short run, it is one bin.
// RUN: rm -rf %t.* && %build_c
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t 40 20 && %python %S/Inputs/history.py loopscope 40 %t.loopscope | FileCheck %s --check-prefix=SEVERAL
// RUN: env LOOPSCOPE=report=none,output=%t.off.loopscope,devices=off %t 40 20 && %python %S/Inputs/history.py loopscope 40 %t.off.loopscope | FileCheck %s --check-prefix=ONE
// RUN: env LOOPSCOPE=report=none,output=%t.killed.loopscope not --crash %t 40 20 kill
// RUN: %python %S/Inputs/history.py loopscope 39 %t.killed.loopscope | FileCheck %s --check-prefix=SEVERAL
// RUN: env LOOPSCOPE=report=none,output=%t.live.loopscope %t 40 20 hang %python %S/Inputs/history.py loopscope 39 hangs %t.live.loopscope | FileCheck %s --check-prefix=SEVERAL
// RUN: mkdir %t.forked && env LOOPSCOPE=report=none,output=%t.forked/ %t 20 20 fork
// RUN: %python %S/Inputs/history.py loopscope 20 %t.forked | FileCheck %s --check-prefix=BOTH
// RUN: mkdir %t.ranks && for r in 0 1; do env LOOPSCOPE=report=none,output=%t.ranks/,rank=$r/2 %t 20 20; done
// RUN: loopscope merge -o %t.all.loopscope %t.ranks && %python %S/Inputs/history.py loopscope 20 %t.all.loopscope | FileCheck %s --check-prefix=BOTH
// RUN: %python %S/Inputs/history.py loopscope 40 %t.all.loopscope --merge | FileCheck %s --check-prefix=SEVERAL
// SEVERAL: {{^}}several{{$}}
// ONE: {{^}}one{{$}}
// BOTH-COUNT-2: {{^}}several{{$}}
#include <loopscope/hooks.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const char *mode = "";
static char **command;

static void pause_ms(int ms) {
  struct timespec time = {0, ms * 1000000L};
  nanosleep(&time, NULL);
}

static void train(int steps, int ms) {
  __LOOPSCOPE_SPAN(1, TRAIN, "train", __LINE__, "train");
  for (int i = 0; i < steps; ++i) {
    __LOOPSCOPE_STEP(2, 1);
    __LOOPSCOPE_SAMPLES(2, 64);
    __LOOPSCOPE_SPAN(3, PHASE, "forward", __LINE__, "train");
    pause_ms(ms);
    if (i + 1 < steps)
      continue;
    if (strcmp(mode, "kill") == 0)
      raise(SIGKILL);
    if (strcmp(mode, "hang") == 0) {
      pause_ms(900);
      // The report of this program, in the middle of its step.
      pid_t child = fork();
      if (child == 0)
        _exit(execvp(command[0], command));
      waitpid(child, NULL, 0);
    }
  }
}

int main(int argc, char **argv) {
  if (argc > 3) {
    mode = argv[3];
    command = argv + 4;
  }
  int steps = atoi(argv[1]), ms = atoi(argv[2]);
  if (strcmp(mode, "fork") != 0) {
    train(steps, ms);
    return 0;
  }
  train(steps, ms);
  pid_t child = fork();
  if (child == 0) {
    train(steps, ms);
    exit(0);
  }
  waitpid(child, NULL, 0);
  return 0;
}
