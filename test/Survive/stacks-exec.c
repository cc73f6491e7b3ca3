// Samples of a program that replaces itself never end the next one: a signal that is
// raised while execve() runs would find no handler there.
// RUN: env SURVIVE_OPTIONS=stacks %survive_c
// RUN: env SURVIVE_OPTIONS=stacks=10000 %survive_c
#include "survive.h"
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

static volatile double sink;
static char room[1 << 16]; // makes execve() take time
extern char **environ;

int main(int argc, char **argv) {
  int turn = argc > 1 ? atoi(argv[1]) : 100;
  {
    PHASE(1, "work");
    for (clock_t start = clock(); clock() < start + CLOCKS_PER_SEC / 200;)
      for (int i = 0; i < 1000; ++i)
        sink = sink * 0.999 + 1;
  }
  if (turn == 0) {
    printf("done\n");
    return 0;
  }
  char next[16];
  snprintf(next, sizeof(next), "%d", turn - 1);
  for (unsigned i = 0; i + 1 < sizeof(room); ++i)
    room[i] = 'x';
  char *arguments[] = {argv[0], next, room, room, NULL};
  execve("/proc/self/exe", arguments, environ);
  perror("execve");
  return 1;
}
