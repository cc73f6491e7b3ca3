// Processor time is assigned like wall time: a draw inside a phase counts for the draw
// and not the phase; warm-up steps and steps outside the window are separate; a jump
// ends the spans it leaves; recursion has one path per level.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,cpu=on,output=%t.plain.loopscope %t
// RUN: env LOOPSCOPE=report=none,cpu=on,warmup=0,window=2:1:3:1,output=%t.window.loopscope %t
// RUN: env LOOPSCOPE=trace,report=none,cpu=on,output=%t.trace.loopscope %t
// RUN: for m in plain window trace; do loopscope report --view tree --format csv %t.$m.loopscope | %python %S/Inputs/check_cpu_steps.py $m || exit 1; done
#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <setjmp.h>
#include <time.h>

static double cpu_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void spin(double ms) {
  double end = cpu_s() + ms / 1e3;
  while (cpu_s() < end)
    ;
}

static jmp_buf back;

static void jump(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "left", 1, "jump");
  __LOOPSCOPE_SPAN(2, PHASE, "leaving", 2, "jump");
  spin(2);
  longjmp(back, 1);
}

static void recurse(int depth) {
  __LOOPSCOPE_SPAN(3, PHASE, "recurse", 3, "recurse");
  spin(1);
  if (depth > 1)
    recurse(depth - 1);
}

int main(void) {
  {
    __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main");
    for (int step = 0; step < 10; ++step) {
      __LOOPSCOPE_STEP(11, 10);
      __LOOPSCOPE_SPAN(12, PHASE, "outer", 12, "main");
      spin(1);
      {
        __LOOPSCOPE_SPAN(13, PHASE, "inner", 13, "main");
        spin(2);
        {
          __LOOPSCOPE_SPAN(14, DRAW, "draw", 14, "main");
          spin(4);
        }
      }
      __LOOPSCOPE_END(12);
      __LOOPSCOPE_SPAN_NEXT(15, PHASE, "next", 15, "main");
      spin(3);
    }
  }
  for (volatile int i = 0; i < 5; ++i) {
    __LOOPSCOPE_SPAN(16, PHASE, "around", 16, "main");
    if (setjmp(back) == 0)
      jump();
  }
  recurse(3);
}
