// A pause takes its time from all that is open around it, and steps count that begin and end
// outside of pauses: in the main thread and in others, in all views, when the program is killed
// in one, and without a profile.
// RUN: rm -rf %t.* && %build_c -pthread
// RUN: env LOOPSCOPE=trace,report=none,output=%t.main.loopscope %t main > %t.main.own
// RUN: env LOOPSCOPE=trace,report=none,output=%t.thread.loopscope %t thread > %t.thread.own
// RUN: env LOOPSCOPE=trace,report=none,output=%t.killed.loopscope %t killed > %t.killed.own || true
// RUN: %python %S/Inputs/check_pause.py %t.main %t.thread %t.killed
// RUN: env LOOPSCOPE=off %t main
#include <loopscope/loopscope.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const loopscope_site train = LOOPSCOPE_SITE(LOOPSCOPE_KIND_TRAIN, "train", 1, "run");
static const loopscope_site outer = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "outer", 2, "run");
static const loopscope_site forward = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "forward", 3, "run");
static const loopscope_site unseen = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "unseen", 4, "run");

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double spend(double seconds) {
  double start = now();
  while (now() < start + seconds)
    ;
  return now() - start;
}

static double paused_at, cut, forward_s, excluded_from, excluded, longest;
static int steps, forwards;

static void pause_now(void) {
  errno = 4711;
  paused_at = now();
  loopscope_pause();
}

static void resume_now(void) {
  loopscope_resume();
  if (errno != 4711)
    abort();
}

static void report(double cut_s, double whole) {
  printf("%d %d %.9f %.9f %.9f %.9f %.9f\n", steps, forwards, forward_s, cut_s, whole, excluded, longest);
}

static void *run(void *how) {
  loopscope_token around = loopscope_enter(&outer);
  double start = now();
  loopscope_token loop = loopscope_loop_enter(&train);
  for (int i = 0; i < 100; ++i) {
    if (i == 20) // outside of steps, though in the draw
      pause_now();
    double step_start = now(), cut_before = cut;
    loopscope_token step = loopscope_step_begin(loop);
    if (i == 40)
      resume_now();
    int records = i < 20 || i > 40;
    loopscope_token phase = loopscope_enter(&forward);
    double took = spend(1e-3);
    loopscope_leave(phase);
    if (records) {
      forward_s += took;
      ++forwards;
      ++steps;
    }
    if (i % 10 == 3 && records) {
      pause_now();
      loopscope_token hidden = loopscope_enter(&unseen);
      spend(4e-3);
      loopscope_leave(hidden);
      if (i == 73 && strcmp(how, "killed") == 0) {
        --steps; // it is open
        report(cut + now() - paused_at, now() - start);
        fflush(stdout);
        raise(SIGKILL);
      }
      cut += now() - paused_at;
      resume_now();
    }
    if (i == 20) // afterwards whole steps are excluded
      cut += now() - paused_at;
    loopscope_step_end(step);
    if (records && now() - step_start - (cut - cut_before) > longest)
      longest = now() - step_start - (cut - cut_before);
    if (i == 20)
      excluded_from = now();
    if (i == 40)
      excluded = now() - excluded_from;
  }
  loopscope_leave(loop);
  loopscope_leave(around);
  report(cut, now() - start);
  return 0;
}

int main(int count, char **arguments) {
  char *how = count > 1 ? arguments[1] : (char *)"main";
  if (strcmp(how, "thread") != 0) {
    run(how);
    return 0;
  }
  pthread_t other;
  pthread_create(&other, 0, run, how);
  pthread_join(other, 0);
  return 0;
}
