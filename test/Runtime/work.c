// Each span's operations are summed per call path: in steps of the window, separately in a
// forked child, beyond 64 bits, and without the span that a kill left open. Invalid numbers
// are left out and counted, and a row with numbers for only some of its spans has no rate.
// RUN: rm -f %t.*.loopscope && %build_c -lm
// RUN: env LOOPSCOPE=report=none,warmup=2,peak=2.5G,output=%t.a.loopscope %t
// RUN: %python %S/Inputs/check_work.py %t.a.loopscope train=5000 step=5000 dot=900 outer?=600 deep?=100 big=6e+20
// RUN: loopscope report --view tree %t.a.loopscope | FileCheck %s
// CHECK: {{^}}FLOP: as given by flops(); per second of the row's total time, or of its GPU time where that is longer.{{$}}
// CHECK: {{^}}MFU: of 2.500 GFLOP/s (peak=).{{$}}
// CHECK: {{^}}No FLOP/s for outer, deep: some of the spans or steps gave no FLOP.{{$}}
// CHECK: {{^}}An MFU above 100% is impossible: flops() gives too much, or the peak is for another precision or device.{{$}}
// CHECK: {{^}}3 amounts: negative, infinite or no number, left out.{{$}}
// RUN: loopscope report --view tree --format json %t.a.loopscope | FileCheck %s --check-prefix=JSON
// JSON: "bad_amounts": 3{{,?$}}
// RUN: env LOOPSCOPE=report=none,warmup=0,window=3:1:2:1,output=%t.w.loopscope %t
// RUN: %python %S/Inputs/check_work.py %t.w.loopscope train?=1500 step=1500 dot=270
// RUN: loopscope report --view throughput --width all %t.w.loopscope | FileCheck %s --check-prefix=WINDOW
// WINDOW: {{^}}No MFU: no GPU did any work; give one device's peak with LOOPSCOPE=peak=FLOPS or --peak.{{$}}
// WINDOW: {{^}}No FLOP/s for fit, train: some of the spans or steps gave no FLOP.{{$}}
// RUN: env LOOPSCOPE=report=none,output=%t.f.loopscope,peak=4K %t fork
// RUN: %python %S/Inputs/check_work.py %t.f.2.loopscope child=77
// RUN: loopscope report --view tree %t.f.2.loopscope | FileCheck %s --check-prefix=CHILD
// CHILD: {{^}}MFU: of 4.000 KFLOP/s (peak=).{{$}}
// RUN: env LOOPSCOPE=report=none,output=%t.k.loopscope %t kill
// RUN: loopscope report --view tree --format csv --columns name,calls,flop %t.k.2.loopscope | FileCheck %s --check-prefix=KILL
// KILL-DAG: {{^}}"main","killed",3,30{{$}}
// KILL-DAG: {{^}}"main","in it",4,20{{$}}
// RUN: env LOOPSCOPE=report=none,peak=3X,output=%t.x.loopscope %t 2>&1 | FileCheck %s --check-prefix=WORD
// WORD: 'peak' takes floating-point operations a second, with K, M, G, T, P or E for the powers of 1000: peak=989T
#include <loopscope/hooks.h>

#include <math.h>
#include <signal.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void dot(int n) {
  __LOOPSCOPE_SPAN(1, PHASE, "dot", __LINE__, "dot");
  __LOOPSCOPE_AMOUNT(1, flops, 2 * n);
}

// Spans below a span with operations are part of it.
static void outer(int i) {
  static const double said[] = {-1, INFINITY, NAN, 200, 200, 200};
  __LOOPSCOPE_SPAN(2, PHASE, "outer", __LINE__, "outer");
  __LOOPSCOPE_AMOUNT(2, flops, said[i]);
  __LOOPSCOPE_SPAN(3, PHASE, "deep", __LINE__, "outer");
  if (i > 4) {
    __LOOPSCOPE_AMOUNT(3, flops, 100);
  }
}

static void kill_in_span(void) {
  for (int i = 0; i < 4; ++i) {
    __LOOPSCOPE_SPAN(6, PHASE, "killed", __LINE__, "main");
    __LOOPSCOPE_AMOUNT(6, flops, i < 3 ? 10 : 1000);
    {
      __LOOPSCOPE_SPAN(7, PHASE, "in it", __LINE__, "main");
      __LOOPSCOPE_AMOUNT(7, flops, 5);
    }
    if (i == 3)
      raise(SIGKILL);
  }
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  if (*how) {
    dot(1);
    pid_t child = fork();
    if (child == 0) {
      if (strcmp(how, "kill") == 0)
        kill_in_span();
      __LOOPSCOPE_SPAN(8, PHASE, "child", __LINE__, "main");
      __LOOPSCOPE_AMOUNT(8, flops, 77);
      return 0;
    }
    waitpid(child, 0, 0);
    return 0;
  }
  for (int i = 0; i < 6; ++i)
    outer(i);
  for (int i = 0; i < 3; ++i) {
    __LOOPSCOPE_SPAN(9, PHASE, "big", __LINE__, "main");
    __LOOPSCOPE_AMOUNT(9, flops, 2e20);
  }
  __LOOPSCOPE_SPAN(4, TRAIN, "train", __LINE__, "main");
  for (int i = 0; i < 10; ++i) {
    __LOOPSCOPE_STEP(5, 4);
    __LOOPSCOPE_STEP_AMOUNT(5, flops, 500);
    for (int k = 0; k < 5; ++k)
      dot(9);
  }
  return 0;
}
