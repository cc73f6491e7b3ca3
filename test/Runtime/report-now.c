// A report while the program runs: it has what was recorded so far, in a step too; its time is a
// pause. The program notices nothing: no signal, no child, no descriptor, no errno.
// RUN: rm -rf %t.* && %build_c -pthread
// RUN: env LOOPSCOPE=report=%t.txt,view=simple,output=%t.loopscope %t main %t.times > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=NAMES < %t.err --implicit-check-not={{.}}
// NAMES: {{^}}loopscope: {{.*}}.txt exists; the report of this run is {{.*}}.txt.2{{$}}
// NAMES: {{^}}loopscope: {{.*}}.txt exists; the report of this run is {{.*}}.txt.3{{$}}
// RUN: FileCheck %s --check-prefix=OUT --match-full-lines < %t.out
//      OUT: same descriptors: 1, no signal: 1, no child: 1, errno kept: 1
// RUN: FileCheck %s --check-prefix=FIRST < %t.txt
// FIRST: {{^}}forward{{ .* }}6 {{ *}}
// FIRST: The run has not ended
// RUN: FileCheck %s --check-prefix=SECOND < %t.txt.2
// SECOND: {{^}}forward{{ .* }}10 {{ *}}
// RUN: FileCheck %s --check-prefix=END < %t.txt.3
// END: {{^}}forward{{ .* }}20 {{ *}}
// END-NOT: has not ended
// The loop has no report's time, to a tenth of it; the pause has it.
// RUN: loopscope report %t.loopscope --view tree --format csv > %t.csv && awk -F, 'NR == FNR { own = $1; reports = $2; next } FNR == 1 { for (i = 1; i <= NF; ++i) column[$i] = i } /,"train",/ { train = $column["inclusive_s"] } /"\(paused\)"/ { paused += $column["inclusive_s"] } END { low = reports * 0.9; exit !(train < own + reports * 0.1 && paused > low && paused < reports * 1.1) }' %t.times %t.csv
// From a thread, beside one that records, and again and again.
// RUN: env LOOPSCOPE=report=%t.thread.txt,output=%t.thread.loopscope %t thread > %t.out 2> %t.err
// RUN: FileCheck %s --check-prefix=OUT --match-full-lines < %t.out && ls %t.thread.txt %t.thread.txt.2 %t.thread.txt.8
// A profile that is in memory alone.
// RUN: env LOOPSCOPE=report=stderr,view=simple,output=/proc/nowhere/x.loopscope %t main 2> %t.err > %t.out && FileCheck %s --check-prefix=MEMORY < %t.err
// RUN: FileCheck %s --check-prefix=OUT --match-full-lines < %t.out
// MEMORY: cannot make the profile
// MEMORY: {{^}}forward{{ .* }}6 {{ *}}
// MEMORY: {{^}}forward{{ .* }}10 {{ *}}
// MEMORY: {{^}}forward{{ .* }}20 {{ *}}
// Nothing, where nothing is wanted.
// RUN: env LOOPSCOPE=report=none,output=%t.none.loopscope %t main 2>&1 | FileCheck %s --check-prefix=OUT --match-full-lines --implicit-check-not={{.}}
// RUN: env LOOPSCOPE=off %t main 2>&1 | FileCheck %s --check-prefix=OUT --match-full-lines --implicit-check-not={{.}}
// A forked child reports nothing of its own, and ends.
// RUN: env LOOPSCOPE=report=%t.fork.txt,output=%t.fork.loopscope %t fork > %t.out && FileCheck %s --check-prefix=OUT --match-full-lines < %t.out
#include <loopscope/loopscope.h>

#include <dirent.h>
#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static const loopscope_site train = LOOPSCOPE_SITE(LOOPSCOPE_KIND_TRAIN, "train", 1, "run");
static const loopscope_site forward = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "forward", 2, "run");

static const loopscope_site warm = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "warm", 3, "main");

static volatile int signals;
static int errno_kept = 1;

static void count_signal(int number) { signals += number != 0; }

static int descriptors(void) {
  DIR *all = opendir("/proc/self/fd");
  int count = 0;
  while (readdir(all))
    ++count;
  closedir(all);
  return count;
}

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

// Returns how long it took.
static double report(void) {
  double start = now();
  errno = 4711;
  loopscope_report();
  errno_kept &= errno == 4711;
  return now() - start;
}

// Writes the loop's time without reports, and theirs.
static void run(int first, int second, FILE *times) {
  double start = now(), reports = 0;
  loopscope_token loop = loopscope_loop_enter(&train);
  for (int i = 0; i < 20; ++i) {
    loopscope_token step = loopscope_step_begin(loop);
    loopscope_token phase = loopscope_enter(&forward);
    spend(0.001);
    loopscope_leave(phase);
    if (i == first || i == second)
      reports += report();
    loopscope_step_end(step);
  }
  loopscope_leave(loop);
  if (times)
    fprintf(times, "%.9f,%.9f\n", now() - start - reports, reports);
}

static void *record(void *unused) {
  run(-1, -1, NULL);
  return unused;
}

static void *report_often(void *unused) {
  for (int i = 0; i < 4; ++i)
    report();
  return unused;
}

int main(int argc, char **argv) {
  struct sigaction action;
  memset(&action, 0, sizeof(action));
  action.sa_handler = count_signal;
  sigaction(SIGCHLD, &action, NULL);
  // The profile is open from here on.
  loopscope_leave(loopscope_enter(&warm));
  int before = descriptors();
  if (strcmp(argv[1], "thread") == 0) {
    pthread_t threads[3];
    pthread_create(&threads[0], NULL, record, NULL);
    pthread_create(&threads[1], NULL, report_often, NULL);
    pthread_create(&threads[2], NULL, report_often, NULL);
    for (int i = 0; i < 3; ++i)
      pthread_join(threads[i], NULL);
  } else if (strcmp(argv[1], "fork") == 0) {
    pid_t child = fork();
    if (child == 0) {
      report();
      _exit(0);
    }
    waitpid(child, NULL, 0);
    signals = 0;
  } else {
    FILE *times = argc > 2 ? fopen(argv[2], "w") : NULL;
    run(5, 9, times);
    if (times)
      fclose(times);
  }
  int after = descriptors();
  int child = waitpid(-1, NULL, WNOHANG);
  printf("same descriptors: %d, no signal: %d, no child: %d, errno kept: %d\n", before == after, signals == 0,
         child == -1 && errno == ECHILD, errno_kept);
  return 0;
}
