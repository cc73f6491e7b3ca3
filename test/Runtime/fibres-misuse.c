// What goes wrong with fibres is told by its real cause, with the phase's name, never as a jump: ends on
// another fibre or in another order, a fibre that ends with open spans, one that two threads run, and
// one too many.
// RUN: rm -f %t.*.loopscope && %build_c -pthread
// RUN: env LOOPSCOPE=report=none,output=%t.a.loopscope %t
// RUN: loopscope report --view simple %t.a.loopscope | FileCheck %s --implicit-check-not=longjmp --implicit-check-not=thread_exit --implicit-check-not='without an open span' --implicit-check-not='not finished'
// CHECK-DAG: {{^}}3 ends of forward, backward: on another fibre than the span began on, ignored; such a span lasts until one around it ends.{{$}}
// CHECK-DAG: {{^}}1 span of outside: ended early, because a span around it ended first; its own end came later and was ignored: the ends (loopscope_leave) are in the wrong order.{{$}}
// CHECK-DAG: {{^}}2 spans of inside, left: ended early, because their fibre ended (loopscope_fibre_end) while they were open.{{$}}
// CHECK-DAG: {{^}}2 calls: of loopscope_fibre_switch or loopscope_fibre_end for a fibre that another thread was running, refused: the calling thread's spans are on its own stack.{{$}}
// RUN: loopscope report --view simple --format csv --columns action,calls %t.a.loopscope | FileCheck %s --check-prefix=CSV
// CSV-DAG: "refused",1{{$}}
// CSV-DAG: "left",1{{$}}
// RUN: env LOOPSCOPE=report=none,output=%t.m.loopscope %t many
// RUN: loopscope report --view simple %t.m.loopscope | FileCheck %s --check-prefix=MANY
// MANY: {{^}}4 switches: to a fibre beyond the 4,096 that a run tells apart (loopscope_fibre_end frees one), or without memory: its spans are on its thread's stack.{{$}}
// RUN: loopscope report --view simple --format csv --columns action,calls %t.m.loopscope | FileCheck %s --check-prefix=MANY-ROWS
// MANY-ROWS-DAG: "forward",10000{{$}}
// MANY-ROWS-DAG: "backward",4100{{$}}
#include <loopscope/loopscope.h>

#include <pthread.h>

static const loopscope_site forward = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "forward", 1, "main");
static const loopscope_site backward = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "backward", 2, "main");
static const loopscope_site around = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "around", 3, "main");
static const loopscope_site outside = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "outside", 4, "main");
static const loopscope_site left = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "left", 5, "main");
static const loopscope_site inside = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "inside", 6, "main");
static const loopscope_site refused = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "refused", 7, "run");

static void *run(void *unused) {
  (void)unused;
  loopscope_fibre_switch(3);
  loopscope_leave(loopscope_enter(&refused));
  loopscope_fibre_end(3);
  return 0;
}

static void *leave(void *token) {
  loopscope_leave(token);
  return 0;
}

static void on_thread(void *(*function)(void *), void *argument) {
  pthread_t thread;
  pthread_create(&thread, 0, function, argument);
  pthread_join(thread, 0);
}

// Fibres that end, one after the other, and fibres that don't.
static void many(void) {
  for (uint64_t i = 1; i <= 10000; ++i) {
    loopscope_fibre_switch(i);
    loopscope_leave(loopscope_enter(&forward));
    loopscope_fibre_end(i);
  }
  for (uint64_t i = 1; i <= 4100; ++i) {
    loopscope_fibre_switch(1000000 + i);
    loopscope_leave(loopscope_enter(&backward));
  }
}

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    many();
    return 0;
  }
  loopscope_token base = loopscope_enter(&around);
  loopscope_token on_own = loopscope_enter(&forward);
  loopscope_fibre_switch(1);
  loopscope_token of_one = loopscope_enter(&backward);
  loopscope_leave(on_own);
  if (loopscope_fibre_switch(2) != 1)
    return 1;
  loopscope_leave(of_one);
  on_thread(leave, of_one);
  loopscope_token first = loopscope_enter(&around);
  loopscope_token second = loopscope_enter(&outside);
  loopscope_leave(first);
  loopscope_leave(second);
  loopscope_fibre_switch(1);
  loopscope_leave(of_one);
  loopscope_fibre_switch(3);
  loopscope_enter(&left);
  loopscope_enter(&inside);
  on_thread(run, 0);
  loopscope_fibre_end(3);
  if (loopscope_fibre_switch(0) != 0)
    return 1;
  loopscope_leave(on_own);
  loopscope_leave(base);
  return 0;
}
