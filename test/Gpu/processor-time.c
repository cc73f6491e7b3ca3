// Processor times together with GPU data: a launching phase computes, a phase that
// waits for the GPU is off the CPU, and neither gets the other's columns.
// RUN: printf '%%s\n' 'kernel work 40ms' >%t.scenario
// RUN: env SURVIVE_OPTIONS=cpu=on %replayed %s
// RUN: loopscope report --view simple --format csv %t.loopscope | %python %S/Inputs/processor_time.py %t.hooked.own
// RUN: printf '%%s\n' 'kernel work 40ms' >%t.scenario
// RUN: env SURVIVE_OPTIONS=trace,cpu=on %replayed %s
// RUN: loopscope report --view simple --format csv %t.loopscope | %python %S/Inputs/processor_time.py %t.hooked.own
#include "gpu.h"
#include <stdio.h>
#include <time.h>

/* The thread's CPU time so far, in seconds. */
static double used(void) {
  struct timespec now;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &now);
  return (double)now.tv_sec + (double)now.tv_nsec * 1e-9;
}

/* Writes what the phases used in the program's own readings: launches within them and around
 * them, waits around them. */
int main(int count, char **words) {
  (void)count;
  double within = 0, around = 0, waiting = 0, start = used();
  for (int step = 0; step < 5; ++step) {
    {
      PHASE(1, "launches");
      launch("work", NULL);
      double begin = used();
      spin(CLOCK_THREAD_CPUTIME_ID, 5);
      within += used() - begin;
    }
    double launched = used();
    around += launched - start;
    {
      PHASE(2, "waits");
      cudaDeviceSynchronize();
    }
    start = used();
    waiting += start - launched;
  }
  char name[4096];
  snprintf(name, sizeof(name), "%s.own", words[0]);
  FILE *own = fopen(name, "w");
  if (own == NULL)
    return 1;
  fprintf(own, "%.9f %.9f %.9f\n", within, around, waiting);
  fclose(own);
  puts("done");
}
