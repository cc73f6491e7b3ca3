// Spans that something else than their own end has ended are counted by phase: their rows
// are marked, and the footer says whether their own ends came later. The phases' true
// numbers are in the program.

// Two timers that overlap: load ends while compute, which began later, goes on.
// RUN: env SURVIVE_RUN='"$@" overlap' %survive_c
// RUN: loopscope report --view simple %t.loopscope | FileCheck %s --check-prefix=OVERLAP --implicit-check-not=longjmp
// OVERLAP: {{^}}compute (ended early) {{.*}}10 {{.*}}
// OVERLAP: {{^}}10 spans of compute: ended early, because a span around them ended first; their own ends came later and were ignored: the ends (loopscope_leave) are in the wrong order.{{$}}
// OVERLAP-NOT: without an open span
// RUN: loopscope report --view simple --format csv --columns action,calls,ended_early %t.loopscope | FileCheck %s --check-prefix=CSV --match-full-lines
// CSV: stage,action,calls,ended_early
// CSV-DAG: "fit","load",10,0
// CSV-DAG: "fit","compute",10,10
// RUN: loopscope report --view tree %t.loopscope | FileCheck %s --check-prefix=TREE
// TREE: {{^    }}compute (ended early){{ }}

// Each loop begins with the end of its predecessor's second timer: both are cut.
// RUN: env SURVIVE_RUN='"$@" pipeline' %survive_c
// RUN: loopscope report --view simple --format csv --columns action,calls,ended_early %t.loopscope | FileCheck %s --check-prefix=PIPELINE --match-full-lines
// PIPELINE-DAG: "fit","load",10,9
// PIPELINE-DAG: "fit","compute",10,1
// RUN: loopscope report %t.loopscope | FileCheck %s --check-prefix=PIPELINED
// PIPELINED: {{^}}10 spans of load, compute: ended early, because a span around them ended first; their own ends came later and were ignored

// Three timers inside each other end in the order in which they began.
// RUN: env SURVIVE_RUN='"$@" inside' %survive_c
// RUN: loopscope report --view simple %t.loopscope | FileCheck %s --check-prefix=INSIDE
// INSIDE: {{^}}20 spans of compute, store: ended early, because a span around them ended first; their own ends came later and were ignored

// longjmp: no end comes.
// RUN: env SURVIVE_RUN='"$@" jump' %survive_c
// RUN: loopscope report --view simple %t.loopscope | FileCheck %s --check-prefix=JUMP --implicit-check-not=order
// JUMP: {{^}}store (ended early) {{.*}}
// JUMP: {{^}}10 spans of store: ended early, because a span around them, their thread or their function had ended; no end of their own came (longjmp, pthread_exit, an exception through C code), or only when the phase ran again.{{$}}

// pthread_exit: none, either.
// RUN: env SURVIVE_RUN='"$@" thread' %survive_c
// RUN: loopscope report --view simple %t.loopscope | FileCheck %s --check-prefix=THREAD --implicit-check-not=order
// THREAD: {{^}}10 spans of store: ended early, because a span around them, their thread or their function had ended; no end of their own came

// Both in one run, and an end that belongs to no span.
// RUN: env SURVIVE_RUN='"$@" overlap jump twice' %survive_c
// RUN: loopscope report --view simple %t.loopscope | FileCheck %s --check-prefix=BOTH
// BOTH: {{^}}10 spans of compute: ended early, {{.*}} wrong order.{{$}}
// BOTH: {{^}}10 spans of store: ended early, {{.*}} no end of their own came
// BOTH: {{^}}1 end: without an open span, ignored.{{$}}

// The rows aren't marked where nothing was ended early.
// RUN: env SURVIVE_RUN='"$@" right' %survive_c
// RUN: loopscope report --view simple %t.loopscope | FileCheck %s --check-prefix=RIGHT --implicit-check-not='ended early'
// RIGHT: {{^}}compute {{.*}}
// RUN: loopscope report --view simple --format csv %t.loopscope | FileCheck %s --check-prefix=NONE --implicit-check-not=ended_early
// NONE: stage,action
#include "survive.h"
#include <pthread.h>
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

#ifdef PLAIN
typedef void *loopscope_token;
typedef int loopscope_site;
#define SITE(name) 0
static loopscope_token loopscope_enter(const loopscope_site *site) { return (void *)site; }
static void loopscope_leave(loopscope_token token) { (void)token; }
#else
#include <loopscope/loopscope.h>
#define SITE(name) LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, name, __LINE__, "main")
#endif

static const loopscope_site load = SITE("load");
static const loopscope_site compute = SITE("compute");
static const loopscope_site store = SITE("store");
static jmp_buf back;

static void overlap(void) {
  loopscope_token a = loopscope_enter(&load);
  loopscope_token b = loopscope_enter(&compute);
  loopscope_leave(a);
  loopscope_leave(b);
}

static void inside(void) {
  loopscope_token a = loopscope_enter(&load);
  loopscope_token b = loopscope_enter(&compute);
  loopscope_token c = loopscope_enter(&store);
  loopscope_leave(a);
  loopscope_leave(b);
  loopscope_leave(c);
}

static void pipeline(int i) {
  static loopscope_token a, b;
  if (i == 0) {
    a = loopscope_enter(&load);
    b = loopscope_enter(&compute);
    loopscope_leave(a);
    return;
  }
  loopscope_leave(b);
  b = loopscope_enter(&compute);
  a = loopscope_enter(&load);
  loopscope_leave(b);
  loopscope_leave(a);
}

static void jump(void) {
  loopscope_token outer = loopscope_enter(&load);
  if (setjmp(back) == 0) {
    loopscope_enter(&store);
    longjmp(back, 1);
  }
  loopscope_leave(outer);
}

static void *body(void *argument) {
  PHASE(1, "store");
  pthread_exit(argument);
}

static void thread(void) {
  pthread_t one;
  pthread_create(&one, NULL, body, NULL);
  pthread_join(one, NULL);
}

int main(int argc, char **argv) {
  for (int word = 1; word < argc; ++word)
    for (int i = 0; i < 10; ++i) {
      if (!strcmp(argv[word], "overlap"))
        overlap();
      else if (!strcmp(argv[word], "inside"))
        inside();
      else if (!strcmp(argv[word], "pipeline"))
        pipeline(i);
      else if (!strcmp(argv[word], "jump"))
        jump();
      else if (!strcmp(argv[word], "thread"))
        thread();
      else if (!strcmp(argv[word], "right") || (!strcmp(argv[word], "twice") && i == 0)) {
        loopscope_token a = loopscope_enter(&load);
        loopscope_token b = loopscope_enter(&compute);
        loopscope_leave(b);
        loopscope_leave(a);
        if (*argv[word] == 't')
          loopscope_leave(a);
      }
    }
  printf("done\n");
}
