// A function whose hooks cost too much has none after its first calls; the report says
// so wherever the function appears, and others stay exact. functions=all keeps the
// hooks; a forked child's profile says that it has none.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: env LOOPSCOPE=advanced,report=none,output=%t.a.loopscope %t
// RUN: loopscope report --view advanced --width all %t.a.loopscope | FileCheck %s
// RUN: loopscope report --view advanced --format csv %t.a.loopscope | FileCheck %s --check-prefix=CSV
// RUN: loopscope report --view tree --width all %t.a.loopscope | FileCheck %s --check-prefix=TREE
// RUN: loopscope report --view simple --format json %t.a.loopscope | FileCheck %s --check-prefix=JSON
// RUN: env LOOPSCOPE=advanced,functions=all,report=none,output=%t.all.loopscope %t
// RUN: loopscope report --view advanced --format csv %t.all.loopscope | FileCheck %s --check-prefix=ALL
// RUN: loopscope report --view advanced %t.all.loopscope | not grep -F -e '(off)' -e '+'
// RUN: env LOOPSCOPE=advanced,report=none,output=%t.f.loopscope %t fork
// RUN: loopscope report --view tree --width all %t.f.2.loopscope | FileCheck %s --check-prefix=CHILD
// CHECK: {{^ +[0-9]+\+ function calls in}}
// CHECK: {{^ +100 .* ~?\+functions-off.c:[0-9]+\(large\)$}}
// CHECK: {{^ +20000 .* ~?functions-off.c:[0-9]+\(middle\)$}}
// CHECK: {{^ +[0-9]+\+ +- +- +- +- functions-off.c:[0-9]+\(small\) \(off\)$}}
// CHECK: (off) hooks were switched off during the run: calls count until then, and there are no times; LOOPSCOPE=advanced,stacks samples own times{{$}}
// CHECK: + own time includes functions it calls whose hooks are off{{$}}
// CHECK: Hooks of 1 function were switched off during the run, because they cost more than a tenth of the function's own time: small. Calls and times count until then; later time is in their callers' own times. LOOPSCOPE=functions=all keeps such hooks.{{$}}
// CSV: phase,ncalls,tottime_s,tottime_percall_s,cumtime_s,cumtime_percall_s,function,primitive_calls,distorted,off_since_s,holds_others{{$}}
// CSV: {{^}}"p",100,{{[^,]+,[^,]+,[^,]+,[^,]+}},"functions-off.c:{{[0-9]+}}(large)",100,{{[01]}},,1{{$}}
// CSV: {{^}}"p",20000,{{[^,]+,[^,]+,[^,]+,[^,]+}},"functions-off.c:{{[0-9]+}}(middle)",20000,{{[01]}},,0{{$}}
// CSV: {{^}}"p",{{[0-9]+}},,,,,"functions-off.c:{{[0-9]+}}(small)",{{[0-9]+}},0,{{0\.[0-9]+}},0{{$}}
// TREE: {{ [0-9]+\+ }}
// TREE: {{N\+ calls: counted until the function's hooks were switched off}}
// JSON: "functions_off": 1{{,?$}}
// ALL: {{^}}phase,ncalls,tottime_s,tottime_percall_s,cumtime_s,cumtime_percall_s,function,primitive_calls,distorted{{$}}
// ALL: {{^}}"p",200000,{{.*}}(small)",200000,{{[01]}}{{$}}
// CHILD: {{^}}1 function had hooks that were off when this process was forked: nothing is known of its calls, and its time is in its callers'.{{$}}
#include <loopscope/hooks.h>

#include <sys/wait.h>
#include <unistd.h>

__attribute__((noinline)) static unsigned small(unsigned n) {
  __LOOPSCOPE_SPAN(1, FUNCTION, "small", __LINE__, "small");
  return n * 31 + 7;
}

__attribute__((noinline)) static unsigned middle(unsigned n) {
  __LOOPSCOPE_SPAN(2, FUNCTION, "middle", __LINE__, "middle");
  for (volatile int i = 0; i < 2000; ++i)
    ;
  return n + 1;
}

__attribute__((noinline)) static unsigned large(unsigned n) {
  __LOOPSCOPE_SPAN(3, FUNCTION, "large", __LINE__, "large");
  for (int i = 0; i < 200; ++i) {
    n = middle(n);
    for (int k = 0; k < 10; ++k)
      n = small(n);
  }
  return n;
}

int main(int argc, char **argv) {
  (void)argv;
  unsigned n = 0;
  {
    __LOOPSCOPE_SPAN(4, PHASE, "p", __LINE__, "main");
    for (int i = 0; i < 100; ++i)
      n = large(n);
  }
  if (argc > 1) {
    pid_t child = fork();
    if (child == 0) {
      __LOOPSCOPE_SPAN(5, PHASE, "p", __LINE__, "main");
      n = small(n);
    } else {
      waitpid(child, 0, 0);
    }
  }
  return n == 0;
}
