// Keys are counted exactly, per call path: at random, in order, in nested phases and recursion, of all numbers, as texts in one
// reused buffer. Beyond the limit, ranges of numbers have all spans of theirs, and texts share a row. The program counts, too.
// RUN: rm -f %t.*loopscope && %build_c
// RUN: %python %S/Inputs/keys.py loopscope %t %t.loopscope 256 1 4 4096 simple,keys=7 trace,keys=16 cpu=on,keys=3 whatif | FileCheck %s --check-prefix=ALL
// ALL-NOT: {{.}}
// ALL: {{^}}8 runs agree{{$}}
// A word says how many keys are kept, and reports say how many spans are in rows of several.
// RUN: env LOOPSCOPE=report=none,keys=8,output=%t.n.loopscope %t 1 >/dev/null && loopscope report %t.n.loopscope --view tree | FileCheck %s
// CHECK: {{^}}sizes: {{[0-9]+}} rows of keys (size); --by key shows each{{$}}
// CHECK: {{^}}{{[0-9]+}} spans: with a key beyond the first ones of its call path, in the row of a range of numbers or of all other texts; raise keys= to keep more apart.{{$}}
// RUN: env LOOPSCOPE=report=none,keys=0 %t 1 2>&1 >/dev/null | FileCheck %s --check-prefix=BAD
// BAD: {{^}}loopscope: LOOPSCOPE: 'keys' takes how many keys of a call path have a row of their own, 1 to 4096; the program runs unprofiled{{$}}
#include <inttypes.h>
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static unsigned state;

static unsigned chance(unsigned of) {
  state = state * 1664525U + 1013904223U;
  return (state >> 16) % of;
}

// Says what runs, for the test to count.
static void say_number(const char *name, int64_t key) { printf("%s n%" PRId64 "\n", name, key); }
static void say_text(const char *name, const char *key) { printf("%s t%s\n", name, key); }

static int64_t any_number(void) {
  static const int64_t ends[] = {INT64_MIN, INT64_MIN + 1, -1, 0, 1, INT64_MAX};
  if (chance(20) == 0)
    return ends[chance(6)];
  int64_t value = ((int64_t)chance(65536) << 16 | chance(65536)) >> chance(31);
  return chance(3) == 0 ? -value : value;
}

static void recurse(int depth) {
  int key = (int)chance(3);
  say_number("deep", key);
  __LOOPSCOPE_KEYED_SITE(1, PHASE, "deep", __LINE__, "recurse", "depth");
  __LOOPSCOPE_KEYED(1, 0, key);
  if (depth != 0)
    recurse(depth - 1);
}

static void by_hand(void) {
  static const loopscope_keyed_site number =
      LOOPSCOPE_KEYED_SITE(LOOPSCOPE_KIND_PHASE, "hand", __LINE__, "by_hand", "n");
  static const loopscope_keyed_site text =
      LOOPSCOPE_KEYED_SITE(LOOPSCOPE_KIND_WAIT, "said", __LINE__, "by_hand", "t");
  int64_t key = chance(12);
  say_number("hand", key);
  loopscope_token outer = loopscope_enter_key(&number, key);
  say_text("said", "(null)");
  loopscope_token inner = loopscope_enter_text(&text, NULL);
  loopscope_leave(inner);
  loopscope_leave(outer);
}

int main(int argc, char **argv) {
  state = argc > 1 ? (unsigned)atoi(argv[1]) : 1;
  for (int epoch = 0; epoch < 40; ++epoch) {
    say_number("epoch", epoch % 5);
    __LOOPSCOPE_KEYED_SITE(2, EPOCH, "epoch", __LINE__, "main", "fold");
    __LOOPSCOPE_KEYED(2, 0, epoch % 5);
    for (int layer = 0; layer < 12; ++layer) {
      say_number("block", layer);
      __LOOPSCOPE_KEYED_SITE(3, PHASE, "block", __LINE__, "main", "layer");
      __LOOPSCOPE_KEYED(3, 0, layer);
      char buffer[300];
      unsigned length = chance(8) == 0 ? 190 + chance(100) : chance(24);
      memset(buffer, 'a' + (int)chance(2), length);
      buffer[length] = 0;
      say_text("op", buffer);
      {
        __LOOPSCOPE_KEYED_SITE(4, PHASE, "op", __LINE__, "main", "name");
        __LOOPSCOPE_KEYED(4, 1, buffer);
      }
      int64_t size = any_number();
      say_number("sizes", size);
      {
        __LOOPSCOPE_KEYED_SITE(5, PHASE, "sizes", __LINE__, "main", "size");
        __LOOPSCOPE_KEYED(5, 0, size);
      }
    }
    recurse((int)chance(4));
    by_hand();
  }
  return 0;
}
