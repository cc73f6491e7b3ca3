// Ends that come on another thread than their spans began on are counted as that, by phase, and not
// taken for a jump or for ends in the wrong order. Also those on a thread without spans of its own.
// RUN: rm -f %t.loopscope && %build_c -pthread
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t
// RUN: loopscope report --view simple %t.loopscope | FileCheck %s --implicit-check-not=longjmp --implicit-check-not=order --implicit-check-not='without an open span'
// CHECK: {{^}}15 ends of forward, backward: on another thread than the span began on, ignored; such a span lasts until one around it ends.{{$}}
// RUN: loopscope report --view simple --format json %t.loopscope | FileCheck %s --check-prefix=JSON
// JSON: "ends_on_other_threads": 15,
// RUN: loopscope report --view simple --format csv --columns action,calls %t.loopscope | FileCheck %s --check-prefix=CSV
// CSV-DAG: "step",10{{$}}
// CSV-DAG: "forward",10{{$}}
// CSV-DAG: "backward",5{{$}}
#include <loopscope/loopscope.h>

#include <pthread.h>

static const loopscope_site step = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "step", 1, "main");
static const loopscope_site forward = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "forward", 2, "main");
static const loopscope_site backward = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "backward", 3, "main");
static const loopscope_site other = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "other", 4, "leave");

static void *leave(void *token) {
  loopscope_leave(token);
  return 0;
}

static void *leave_in_span(void *token) {
  loopscope_token own = loopscope_enter(&other);
  loopscope_leave(token);
  loopscope_leave(own);
  return 0;
}

static void on_thread(void *(*run)(void *), loopscope_token token) {
  pthread_t thread;
  pthread_create(&thread, 0, run, token);
  pthread_join(thread, 0);
}

int main(void) {
  for (int i = 0; i < 10; ++i) {
    loopscope_token outer = loopscope_enter(&step);
    on_thread(leave, loopscope_enter(&forward));
    if (i % 2)
      on_thread(leave_in_span, loopscope_enter(&backward));
    loopscope_leave(outer);
  }
}
