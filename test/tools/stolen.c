// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a virtual machine does to CPU times, as a library to preload (stalls.py --stolen): now and
// then a thread is charged with time that others took. For each 20 ms of a process's CPU time on
// average, a handler spins for 1 to 8 ms in a thread that runs.
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdint.h>
#include <time.h>
#include <unistd.h>

static timer_t Timer;
static uint64_t Drawn;

static uint64_t nanoseconds(clockid_t Clock) {
  struct timespec T;
  clock_gettime(Clock, &T);
  return (uint64_t)T.tv_sec * 1000000000u + (uint64_t)T.tv_nsec;
}

static uint64_t draw(uint64_t Most) {
  Drawn ^= Drawn << 13;
  Drawn ^= Drawn >> 7;
  Drawn ^= Drawn << 17;
  return Drawn % Most;
}

static void arm(void) {
  struct itimerspec Next = {.it_value = {.tv_nsec = 1000000 + (long)draw(38000000)}};
  timer_settime(Timer, 0, &Next, NULL);
}

static void steal(int Unused) {
  (void)Unused;
  int Kept = errno;
  uint64_t End = nanoseconds(CLOCK_THREAD_CPUTIME_ID) + 1000000 + draw(7000000);
  while (nanoseconds(CLOCK_THREAD_CPUTIME_ID) < End)
    ;
  arm();
  errno = Kept;
}

__attribute__((constructor)) static void begin(void) {
  struct sigaction Action = {.sa_handler = steal, .sa_flags = SA_RESTART};
  struct sigevent Event = {.sigev_notify = SIGEV_SIGNAL, .sigev_signo = SIGRTMAX - 5};
  Drawn = (uint64_t)getpid() * 0x9E3779B97F4A7C15u + 1;
  if (sigaction(SIGRTMAX - 5, &Action, NULL) == 0 &&
      timer_create(CLOCK_PROCESS_CPUTIME_ID, &Event, &Timer) == 0)
    arm();
}
