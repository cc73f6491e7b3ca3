// If the profile is deleted while the program runs, only the profile is
// lost.
// RUN: %survive_c
// RUN: not ls %t.loopscope
// RUN: count 0 < %t.err
#include "survive.h"
#include <stdio.h>
#include <unistd.h>

int main(int argc, char **argv) {
  for (int i = 0; i < 1000; ++i) {
    PHASE(1, "work");
    if (i == 500)
      unlink(argv[argc - 1]);
  }
  {
    PHASE(2, "new after it");
  }
  puts("done");
}
