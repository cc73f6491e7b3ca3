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

static void spend(double seconds) {
  double start = now();
  while (now() < start + seconds)
    ;
}

// A time that the program can't read where the profiler does: it is at least what lies between the
// two calls, and at most what lies around them.
struct bounds {
  double least, most;
};

struct moment {
  double before, after; // of a call
};

static void add(struct bounds *to, struct moment begin, struct moment end) {
  to->least += end.before - begin.after;
  to->most += end.after - begin.before;
}

static void show(struct bounds each) {
  printf(" %.9f %.9f", each.least, each.most);
}

#define AROUND(moment, call) \
  (moment).before = now(); \
  call; \
  (moment).after = now()

static struct moment paused, resumed;
static struct bounds cut, cut_here /* in this step */, forward_s, excluded, longest;
static int steps, forwards;

static void pause_now(void) {
  errno = 4711;
  AROUND(paused, loopscope_pause());
}

static void resume_now(void) {
  AROUND(resumed, loopscope_resume());
  if (errno != 4711)
    abort();
}

static void count_cut(struct moment begin, struct moment end) {
  add(&cut, begin, end);
  add(&cut_here, begin, end);
}

// Makes the longest step the one between BEGIN and END, without what was cut from it, if longer.
static void lengthen(struct moment begin, struct moment end) {
  struct bounds own = {-cut_here.most, -cut_here.least};
  add(&own, begin, end);
  longest.least = own.least > longest.least ? own.least : longest.least;
  longest.most = own.most > longest.most ? own.most : longest.most;
}

// OPEN: the longest time that a pause may have lasted which is still open, beside those of CUT.
static void report(struct moment begin, struct moment end, double open) {
  struct bounds whole = {-cut.most, -cut.least};
  add(&whole, begin, end);
  cut.most += open;
  printf("%d %d", steps, forwards);
  show(forward_s);
  show(cut);
  show(whole);
  show(excluded);
  show(longest);
  printf("\n");
  fflush(stdout);
}

static void *run(void *how) {
  loopscope_token around, loop, step, phase;
  struct moment start, end, step_start, step_end = {0, 0}, begin, inner, excluded_from = {0, 0};
  AROUND(start, around = loopscope_enter(&outer));
  loop = loopscope_loop_enter(&train);
  for (int i = 0; i < 100; ++i) {
    cut_here.least = cut_here.most = 0;
    if (i == 20) // outside of steps, though in the draw
      pause_now();
    AROUND(step_start, step = loopscope_step_begin(loop));
    if (i == 40)
      resume_now();
    int records = i < 20 || i > 40;
    AROUND(begin, phase = loopscope_enter(&forward));
    spend(1e-3);
    AROUND(inner, loopscope_leave(phase));
    if (records) {
      add(&forward_s, begin, inner);
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
        AROUND(end, (void)0);
        lengthen(step_start, paused);
        // The pause is open: it ends at the last time that the profiler has written.
        report(start, paused, end.after - paused.before);
        raise(SIGKILL);
      }
      resume_now();
      count_cut(paused, resumed);
    }
    AROUND(step_end, loopscope_step_end(step));
    if (i == 20) { // afterwards whole steps are excluded
      count_cut(paused, step_end);
      excluded_from = step_end;
    }
    if (i == 40)
      add(&excluded, excluded_from, step_end);
    if (records)
      lengthen(step_start, step_end);
  }
  loopscope_leave(loop);
  AROUND(end, loopscope_leave(around));
  report(start, end, 0);
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
