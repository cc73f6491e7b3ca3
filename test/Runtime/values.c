// Numbers over time: none is lost, on several threads, without a background thread, with a kill, and
// when bins are folded. What isn't finite is counted apart. The program's floating-point state stays.
// RUN: rm -f %t.*.loopscope && %build_c -pthread -lm
// RUN: env LOOPSCOPE=report=none,output=%t.a.loopscope %t
// RUN: loopscope report --view history --format csv %t.a.loopscope | %python %S/Inputs/values.py | FileCheck %s --match-full-lines
// CHECK:loss: 1004 numbers from -1 to 999, sum 499501.5, last 2, 3 not finite
// CHECK-NEXT:shared: 4000 numbers from 1 to 4, sum 10000.0, last {{[1-4]}}, 0 not finite
// CHECK-NEXT:n2: 1 numbers from 2 to 2, sum 2.0, last 2, 0 not finite
// CHECK:n7: 1 numbers from 7 to 7, sum 7.0, last 7, 0 not finite
// CHECK-NOT:{{.}}
// RUN: loopscope report --view history %t.a.loopscope | FileCheck %s --check-prefix=TEXT
// TEXT: {{^}}loss{{ +}}-1{{ +}}497.5{{ +}}999{{.*$}}
// TEXT: {{^}}Last values: loss 2, shared {{[1-4]}}, n2 2, n3 3, n4 4, n5 5, n6 6, n7 7.{{$}}
// TEXT: {{^}}loss was infinite or no number 3 times, first between {{.*}}s and {{.*}}s.{{$}}
// TEXT: {{^}}4 values: left out: more than 8 names, or a name of no or more than 47 bytes.{{$}}
// RUN: env LOOPSCOPE=report=none,devices=off,output=%t.o.loopscope %t
// RUN: loopscope report --view history --format csv %t.o.loopscope | %python %S/Inputs/values.py | FileCheck %s --match-full-lines
// RUN: not --crash env LOOPSCOPE=report=none,output=%t.k.loopscope %t kill
// RUN: loopscope report --view history --format csv %t.k.loopscope | %python %S/Inputs/values.py | FileCheck %s --check-prefix=KILL --match-full-lines
// KILL:loss: 300 numbers from 0 to 299, sum 44850.0, last 299, 0 not finite
// KILL-NOT:{{.}}
// RUN: env LOOPSCOPE=report=none,output=%t.f.loopscope %t fork
// RUN: loopscope report --view history --format csv %t.f.2.loopscope | %python %S/Inputs/values.py | FileCheck %s --check-prefix=CHILD --match-full-lines
// CHILD:loss: 1 numbers from 7 to 7, sum 7.0, last 7, 0 not finite
// CHILD-NOT:{{.}}
// RUN: env LOOPSCOPE=off %t
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include <fenv.h>
#include <math.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void work(void) { __LOOPSCOPE_SPAN(1, PHASE, "work", __LINE__, "work"); }

static void *tell(void *number) {
  for (int i = 0; i < 1000; ++i)
    loopscope_value("shared", *(const double *)number);
  return 0;
}

static void on_threads(void) {
  static const double numbers[] = {1, 2, 3, 4};
  pthread_t threads[4];
  for (int i = 0; i < 4; ++i)
    pthread_create(&threads[i], 0, tell, (void *)&numbers[i]);
  for (int i = 0; i < 4; ++i)
    pthread_join(threads[i], 0);
}

// Inexact sums, in another rounding mode.
static void keeps_floats(void) {
  fesetround(FE_UPWARD);
  feclearexcept(FE_ALL_EXCEPT);
  loopscope_value("loss", 0.1);
  loopscope_value("loss", 0.4);
  if (fetestexcept(FE_ALL_EXCEPT) != 0 || fegetround() != FE_UPWARD)
    abort();
  fesetround(FE_TONEAREST);
}

static void all(void) {
  for (int i = 0; i < 1000; ++i) {
    loopscope_value("loss", i);
    usleep(1500); // so that bins are folded
  }
  keeps_floats();
  loopscope_value("loss", NAN);
  loopscope_value("loss", INFINITY);
  loopscope_value("loss", -INFINITY);
  loopscope_value("loss", -1.0);
  on_threads();
  char name[64] = "n";
  for (int i = 2; i < 10; ++i) {
    snprintf(name, sizeof(name), "n%d", i);
    loopscope_value(name, i);
  }
  memset(name, 'x', 48);
  name[48] = 0;
  loopscope_value(name, 1);
  loopscope_value(0, 1);
  loopscope_value("loss", 2);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  work();
  if (strcmp(how, "kill") == 0) {
    for (int i = 0; i < 300; ++i)
      loopscope_value("loss", i);
    raise(SIGKILL);
  }
  if (strcmp(how, "fork") == 0) {
    loopscope_value("loss", 5);
    if (fork() == 0) {
      work();
      loopscope_value("loss", 7);
      exit(0);
    }
    wait(0);
    return 0;
  }
  all();
}
