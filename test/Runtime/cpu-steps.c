// Processor time is assigned like wall time: a draw inside a phase counts for the draw
// and not the phase; warm-up steps and steps outside the window are separate; a jump
// ends the spans it leaves; recursion has one path per level.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,cpu=on,output=%t.plain.loopscope %t > %t.plain.own
// RUN: env LOOPSCOPE=report=none,cpu=on,warmup=0,window=2:1:3:1,output=%t.window.loopscope %t > %t.window.own
// RUN: env LOOPSCOPE=trace,report=none,cpu=on,output=%t.trace.loopscope %t > %t.trace.own
// RUN: for m in plain window trace; do loopscope report --view tree --format csv %t.$m.loopscope | %python %S/Inputs/check_cpu_steps.py $m %t.$m.own || exit 1; done
#define _GNU_SOURCE
#include <loopscope/hooks.h>
#include <setjmp.h>
#include <stdio.h>
#include <time.h>

static double cpu_s(void) {
  struct timespec t;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

// Writes what it used, which may be more: a virtual machine charges a thread with time that
// others took.
static void spin(const char *name, int number, double ms) {
  double start = cpu_s(), now = start;
  while (now < start + ms / 1e3)
    now = cpu_s();
  printf("%s %d %.9f\n", name, number, now - start);
}

static void end_of(const char *name, int number, double start) {
  printf("%s %d %.9f\n", name, number, cpu_s() - start);
}

static jmp_buf back;

static void jump(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "left", 1, "jump");
  __LOOPSCOPE_SPAN(2, PHASE, "leaving", 2, "jump");
  spin("leaving", 0, 2);
  longjmp(back, 1);
}

static void recurse(int depth) {
  __LOOPSCOPE_SPAN(3, PHASE, "recurse", 3, "recurse");
  spin("recurse", depth, 1);
  if (depth > 1)
    recurse(depth - 1);
}

int main(void) {
  static char text[1 << 16]; // no writing in between
  setvbuf(stdout, text, _IOFBF, sizeof(text));
  double begin = cpu_s(), last = begin; // a step begins where the one before ends
  {
    __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main");
    for (int step = 0; step < 10; ++step) {
      if (step > 0)
        end_of("steps", step - 1, begin);
      begin = last;
      __LOOPSCOPE_STEP(11, 10);
      __LOOPSCOPE_SPAN(12, PHASE, "outer", 12, "main");
      spin("outer", step, 1);
      {
        __LOOPSCOPE_SPAN(13, PHASE, "inner", 13, "main");
        spin("inner", step, 2);
        {
          __LOOPSCOPE_SPAN(14, DRAW, "draw", 14, "main");
          spin("draw", step, 4);
        }
      }
      __LOOPSCOPE_END(12);
      __LOOPSCOPE_SPAN_NEXT(15, PHASE, "next", 15, "main");
      spin("next", step, 3);
      last = cpu_s();
    }
  }
  end_of("steps", 9, begin);
  begin = cpu_s();
  for (volatile int i = 0; i < 5; ++i) {
    __LOOPSCOPE_SPAN(16, PHASE, "around", 16, "main");
    if (setjmp(back) == 0)
      jump();
  }
  end_of("jumps", 0, begin);
  begin = cpu_s();
  recurse(3);
  end_of("recursion", 0, begin);
}
