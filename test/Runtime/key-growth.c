// Programs whose work grows with a key's first and second power, and not at all: the report says the factor for twice the key, and of
// the last nothing.
// On a busy machine times may follow no power, of which the report says nothing: then once more.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: for power in 0 1 2; do for again in 1 2 3 4 5; do env LOOPSCOPE=report=none,cpu=off,output=%t.$power.loopscope %t $power && loopscope report %t.$power.loopscope > %t.$power.out || exit 1; test $power = 0 || ! grep -q 'grows with' %t.$power.out || break; done; done
// RUN: FileCheck %s --input-file=%t.1.out --check-prefix=ONE
// ONE: {{^}}attention (key-growth.c:{{[0-9]+}}): time grows with tokens: 2.0 times the tokens, {{1[.][89]|2[.][0-2]}} times the time (8 keys from 64 to 512).{{$}}
// RUN: FileCheck %s --input-file=%t.2.out --check-prefix=TWO
// TWO: {{^}}attention (key-growth.c:{{[0-9]+}}): time grows with tokens: 2.0 times the tokens, {{3[.][6-9]|4[.][0-4]}} times the time (8 keys from 64 to 512).{{$}}
// RUN: not grep 'grows with' %t.0.out
#include <loopscope/loopscope.h>

#include <sched.h>
#include <stdlib.h>

static volatile unsigned long sink;

static void work(unsigned long units) {
  for (unsigned long i = 0; i < units; ++i)
    sink = sink + i;
}

int main(int argc, char **argv) {
  (void)argc;
  // Who may, isn't interrupted by others.
  struct sched_param first = {.sched_priority = 1};
  sched_setscheduler(0, SCHED_FIFO, &first);
  unsigned long power = strtoul(argv[1], 0, 10);
  for (int i = 0; i < 500; ++i)
    for (unsigned long tokens = 64; tokens <= 512; tokens += 64) {
      unsigned long units = 20000;
      if (power != 0)
        units = power == 1 ? tokens * 100 : tokens * tokens / 4;
      static const loopscope_keyed_site site =
          LOOPSCOPE_KEYED_SITE(LOOPSCOPE_KIND_PHASE, "attention", __LINE__, "main", "tokens");
      loopscope_token span = loopscope_enter_key(&site, (int64_t)tokens);
      work(units);
      loopscope_leave(span);
    }
  return 0;
}
