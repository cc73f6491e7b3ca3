// Facts of all types are in the report, also those that were told before main and changed later.
// What has no room is left out or cut, and counted. A forked child has its parent's facts.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,commit=off,output=%t.a.loopscope %t
// RUN: loopscope report --view simple --format json %t.a.loopscope | FileCheck %s
// CHECK: "facts": {
// CHECK-NEXT: "early": "before main",
// CHECK-NEXT: "batch": 128,
// CHECK-NEXT: "offset": -9223372036854775808,
// CHECK-NEXT: "seed": "18446744073709551615",
// CHECK-NEXT: "learning_rate": 0.0003,
// CHECK-NEXT: "half": 0.5,
// CHECK-NEXT: "amp": "true",
// CHECK-NEXT: "optimizer": "adam",
// CHECK-NEXT: "nothing": "(null)",
// CHECK-NEXT: "empty": "",
// CHECK-NEXT: "infinite": null,
// CHECK-NEXT: "long": "{{aaaaa+}}",
// CHECK-NEXT: "a_name_of_exactly_forty-seven_bytes____________": 1{{$}}
// CHECK-NEXT: }
// CHECK: "facts_lost": 3,
// CHECK-NEXT: "facts_cut": 1,
// RUN: loopscope report --view simple %t.a.loopscope | FileCheck %s --check-prefix=LOST
// LOST: {{^}}3 facts: left out: more than 128 names, or a name of no or more than 47 bytes.{{$}}
// LOST: {{^}}1 text: of a fact cut after 191 bytes.{{$}}
// A name that is told often is one fact, the last one; 128 names have room.
// RUN: env LOOPSCOPE=report=none,commit=off,output=%t.m.loopscope %t many
// RUN: loopscope report --view simple --format json %t.m.loopscope | FileCheck %s --check-prefix=MANY
// MANY: "early": "before main",
// MANY-NEXT: "n0": 0,
// MANY: "n125": 125,
// MANY-NEXT: "n126": 999999{{$}}
// MANY-NEXT: }
// MANY: "facts_lost": 10,
// RUN: loopscope report %t.m.loopscope | FileCheck %s --check-prefix=SOME
// SOME: {{^}}Facts: early "before main", n0 0, {{.*}}, n10 10, and 116 more, which --format json has.{{$}}
// RUN: env LOOPSCOPE=report=none,commit=off,output=%t.f.loopscope %t fork
// RUN: loopscope report %t.f.2.loopscope | FileCheck %s --check-prefix=CHILD
// CHILD: {{^}}Facts: early "before main", who child, of both.{{$}}
// RUN: loopscope report %t.f.loopscope | FileCheck %s --check-prefix=PARENT
// PARENT: {{^}}Facts: early "before main", who parent, of both.{{$}}
// Killed in the middle, a run has what it said.
// RUN: not --crash env LOOPSCOPE=report=none,commit=off,output=%t.k.loopscope %t kill
// RUN: loopscope report %t.k.loopscope | FileCheck %s --check-prefix=KILL
// KILL: {{^}}Facts: early "before main", step 7.{{$}}
// RUN: env LOOPSCOPE=off %t | count 0
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include <limits.h>
#include <math.h>
#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

__attribute__((constructor)) static void early(void) { loopscope_fact("early", "before main"); }

static void work(void) { __LOOPSCOPE_SPAN(1, PHASE, "work", __LINE__, "work"); }

static void many(void) {
  char name[16];
  for (int i = 0; i < 137; ++i) {
    snprintf(name, sizeof(name), "n%d", i);
    loopscope_fact(name, i);
  }
  for (int i = 0; i < 1000000; ++i)
    loopscope_fact_integer("n126", i);
}

static void in_child(void) {
  loopscope_fact("who", "parent");
  loopscope_fact("of", "both");
  work();
  if (fork() == 0) {
    loopscope_fact("who", "child");
    work();
    _exit(0);
  }
  wait(0);
}

static void all_types(void) {
  char text[] = "adam", utf8[300], none[] = "";
  memset(utf8, 'a', sizeof(utf8) - 1);
  utf8[299] = 0;
  memcpy(utf8 + 190, "\xc3\xa4", 2);
  const char *null = 0;
  loopscope_fact("batch", 64);
  loopscope_fact("offset", LLONG_MIN);
  loopscope_fact("seed", ULLONG_MAX);
  work();
  loopscope_fact("learning_rate", 3e-4);
  loopscope_fact("half", 0.5f);
  loopscope_fact("amp", (bool)true);
  loopscope_fact("optimizer", text);
  loopscope_fact("nothing", null);
  loopscope_fact("empty", none);
  loopscope_fact("infinite", INFINITY);
  loopscope_fact("long", utf8);
  loopscope_fact("a_name_of_exactly_forty-seven_bytes____________", 1);
  loopscope_fact("a_name_of_exactly_forty-eight_bytes_____________", 1);
  loopscope_fact("", 1);
  loopscope_fact(null, 1);
  loopscope_fact("batch", 128L);
}

int main(int argc, char **argv) {
  const char *how = argc > 1 ? argv[1] : "";
  work();
  if (strcmp(how, "many") == 0) {
    many();
  } else if (strcmp(how, "fork") == 0) {
    in_child();
  } else if (strcmp(how, "kill") == 0) {
    loopscope_fact("step", 7);
    raise(SIGKILL);
  } else {
    all_types();
  }
}
