// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps with 35 phases, three more than experiments try.

#include <loopscope/hooks.h>

#include <time.h>

#define PHASE(LINE, NAME)                                                      \
  {                                                                            \
    __LOOPSCOPE_SPAN(5, PHASE, NAME, LINE, "main");                            \
    nanosleep(&time, NULL);                                                    \
  }
#define FIVE(LINE, NAME)                                                       \
  PHASE(LINE, NAME "a")                                                        \
  PHASE(LINE + 1, NAME "b")                                                    \
  PHASE(LINE + 2, NAME "c") PHASE(LINE + 3, NAME "d") PHASE(LINE + 4, NAME "e")

int main(void) {
  struct timespec time = {0, 1000};
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 1, "main");
  for (int step = 0; step < 50; ++step) {
    __LOOPSCOPE_STEP(2, 1);
    FIVE(10, "a")
    FIVE(20, "b")
    FIVE(30, "c")
    FIVE(40, "d")
    FIVE(50, "e")
    FIVE(60, "f")
    FIVE(70, "g")
  }
}
