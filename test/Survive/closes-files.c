// No thread of ours uses a number of a program that closes what is open and opens its own
// files, as daemons do: each write and close of the program finds the program's file. With
// samples, a perf event has the lowest free number for a moment.
// REQUIRES: plain-words, long
// RUN: env SURVIVE_OPTIONS=devices=10ms %survive_c
// RUN: env SURVIVE_OPTIONS=trace,devices=10ms %survive_c
// RUN: env SURVIVE_OPTIONS=devices=off %survive_c
// RUN: env SURVIVE_OPTIONS=devices=10ms,trace %survive_c -DCLOSE_RANGE
// RUN: count 0 < %t.err
// The sampler goes on meanwhile.
// RUN: loopscope report --view devices %t.loopscope | FileCheck %s
// CHECK: {{^}}turn {{.*}}
#include "survive.h"
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

static double seconds(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void close_all(void) {
#ifdef CLOSE_RANGE
  syscall(SYS_close_range, 3, ~0U, 0);
#else
  for (int f = 3; f < 12; ++f)
    close(f);
#endif
}

// Is FILE what this program opened?
static int is_ours(int file) {
  struct stat status;
  return fstat(file, &status) == 0 && S_ISCHR(status.st_mode);
}

static long turn(void) {
  long bad = 0;
  PHASE(1, "turn");
  close_all();
  int own = open("/dev/zero", O_RDWR), other = open("/dev/zero", O_RDWR);
  bad += own != 3 || other != 4;
  for (int k = 0; k < 5; ++k)
    bad += (write(own, "x", 1) != 1) + (write(other, "x", 1) != 1);
  bad += !is_ours(own) + !is_ours(other);
  bad += (close(own) != 0) + (close(other) != 0);
  return bad;
}

int main(void) {
  long bad = 0;
  // The first hook makes the profile, on this thread.
  for (double end = seconds() + ENOUGH(3.0); seconds() < end;)
    bad += turn();
  printf("%ld failures\n", bad);
  return 0;
}
