// Ranges that need not nest: begun in one function or thread and ended in another, in any order.
// Their numbers and times are those of the program's own log, and no phase's time has them. An end
// that comes again, an id that no range has had and a range that never ends are told apart, by name;
// a forked child may end its parent's ranges; nothing is lost with a kill. A timeline has each of
// them, also one that is open, in lanes of its own.
// RUN: rm -f %t.*.loopscope %t.*.json %t.*.trace && %build_c -pthread
// RUN: env LOOPSCOPE=report=none,output=%t.a.loopscope %t > %t.log
// RUN: %python %source_root/test/Nvtx/Inputs/check_ranges.py %t.a.loopscope %t.log
// RUN: loopscope report %t.a.loopscope --view ranges | FileCheck %s --strict-whitespace
// CHECK: {{^}}prefetch  {{.*[0-9]}}{{$}}
// CHECK: {{^}}2 ends of ranges ignored, because the range had ended before: once, early.{{$}}
// CHECK: {{^}}3 calls: of loopscope_range_end with an id that no range has had, ignored.{{$}}
// CHECK-NOT: {{longjmp|without an open span}}
// RUN: loopscope report %t.a.loopscope --view ranges --format csv --columns name,ended_again | FileCheck %s --check-prefix=AGAIN
// AGAIN-DAG: {{^}}"once",1{{$}}
// AGAIN-DAG: {{^}}"early",1{{$}}
// AGAIN-DAG: {{^}}"prefetch",0{{$}}
// RUN: loopscope report %t.a.loopscope --view tree --format csv --columns name | FileCheck %s --check-prefix=TREE --implicit-check-not=range --implicit-check-not=prefetch
// TREE: "main"{{$}}
// TREE: "run"{{$}}
// RUN: env LOOPSCOPE=trace,report=none,output=%t.t.loopscope %t trace > %t.trace.log
// RUN: loopscope export --to chrome %t.t.loopscope -o %t.pt.json && loopscope export --to perfetto %t.t.loopscope -o %t.p.trace
// RUN: %python %S/Inputs/check_range_lanes.py %t.t.loopscope %t.pt.json %t.p.trace %t.trace.log
// RUN: loopscope report --format html %t.t.loopscope -o %t.html && grep -q '"ranges"' %t.html
// RUN: not --crash env LOOPSCOPE=report=none,output=%t.k.loopscope %t kill
// RUN: loopscope report --view ranges --format csv --columns name,calls,open,ended_again %t.k.loopscope | FileCheck %s --check-prefix=KILLED --match-full-lines
// KILLED:name,calls,open,ended_again
// KILLED-NEXT:"left open",1,2,0
// KILLED-NOT:{{.}}
// RUN: env LOOPSCOPE=report=none,output=%t.f.loopscope %t fork
// RUN: loopscope report --view ranges --format csv --columns name,calls,open,ended_again %t.f.2.loopscope | FileCheck %s --check-prefix=CHILD --match-full-lines
// CHILD:name,calls,open,ended_again
// CHILD-NEXT:"of the child",1,0,0
// CHILD-NOT:{{.}}
// RUN: loopscope report %t.f.2.loopscope | FileCheck %s --check-prefix=QUIET
// QUIET-NOT: {{loopscope_range_end|ended before}}
// RUN: env LOOPSCOPE=report=none,output=%t.m.loopscope %t many
// RUN: loopscope report --view ranges %t.m.loopscope | FileCheck %s --check-prefix=MANY
// MANY: {{^}}5 ranges: left out: no memory for it, too many are open, or it began in a signal handler.{{$}}
// MANY: {{^}}2 ranges: under "(other ranges)": too many different names.{{$}}
// RUN: loopscope report --view ranges --format csv --columns name,calls,open %t.m.loopscope | FileCheck %s --check-prefix=MANY-ROWS
// MANY-ROWS-DAG: {{^}}"name 0",1,65536{{$}}
// MANY-ROWS-DAG: {{^}}"(other ranges)",2,0{{$}}
// The ring of a timeline keeps the newest ones; one that ends after it was overwritten is there again.
// RUN: env LOOPSCOPE=trace,report=none,output=%t.r.loopscope %t ring && rm -f %t.sqlite && loopscope export --to sqlite %t.r.loopscope -o %t.sqlite
// RUN: %python -c 'import sqlite3, sys; print(*sqlite3.connect(sys.argv[1]).execute("select name, count(*), sum(is_open) from range_span join range_sum on range = id group by name order by name").fetchall())' %t.sqlite | FileCheck %s --check-prefix=RING
// RING: ('long', 1, 0) ('short', 65471, 0)
// RUN: loopscope report %t.r.loopscope | FileCheck %s --check-prefix=LOST
// LOST: {{^}}4530 ranges: missing from the timeline, which keeps the newest 65,472.{{$}}
// RUN: env LOOPSCOPE=off %t > %t.off
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include <errno.h>
#include <pthread.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

static long long now(void) {
  struct timespec at;
  clock_gettime(CLOCK_MONOTONIC, &at);
  return at.tv_sec * 1000000000LL + at.tv_nsec;
}

// An open range, and the interval in which it began.
struct range {
  char name[16];
  uint64_t id;
  long long earliest, latest;
};

static struct range all[4096];
static int count, logged = 1;
static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;

static void begin(const char *name) {
  struct range next;
  strcpy(next.name, name);
  errno = 4711;
  next.earliest = now();
  next.id = loopscope_range_begin(name);
  next.latest = now();
  if (errno != 4711)
    abort();
  pthread_mutex_lock(&mutex);
  all[count++] = next;
  pthread_mutex_unlock(&mutex);
}

static void end_at_random(unsigned *seed) {
  pthread_mutex_lock(&mutex);
  if (count != 0) {
    int at = rand_r(seed) % count;
    struct range last = all[at];
    all[at] = all[--count];
    long long earliest = now();
    loopscope_range_end(last.id);
    long long latest = now();
    if (logged)
      printf("%s\t%lld\t%lld\n", last.name, earliest - last.latest, latest - last.earliest);
  }
  pthread_mutex_unlock(&mutex);
}

static void *run(void *seed_of) {
  __LOOPSCOPE_SPAN(1, PHASE, "run", __LINE__, "run");
  unsigned seed = *(unsigned *)seed_of;
  for (int i = 0; i < 1000; ++i) {
    char name[16];
    sprintf(name, "range %d", rand_r(&seed) % 5);
    if (rand_r(&seed) % 5 < 3)
      begin(name);
    else
      end_at_random(&seed);
  }
  return 0;
}

static void once(const char *name) {
  long long started = now();
  uint64_t id = loopscope_range_begin(name);
  loopscope_range_end(id);
  printf("%s\t0\t%lld\n", name, now() - started + 1000000000);
  begin("prefetch"); // takes the place of the one that has ended
  loopscope_range_end(id);
}

static void at_random(void) {
  unsigned seeds[] = {1, 2, 3};
  pthread_t threads[3];
  for (int i = 0; i < 3; ++i)
    pthread_create(&threads[i], 0, run, &seeds[i]);
  for (int i = 0; i < 3; ++i)
    pthread_join(threads[i], 0);
  once("once");
  once("early");
  loopscope_range_end(0); // not recorded, so nothing to end
  loopscope_range_end(1);
  loopscope_range_end(UINT64_MAX);
  loopscope_range_end(UINT64_C(1) << 60);
}

static void in_child(void) {
  uint64_t parents = loopscope_range_begin("of the parent");
  pid_t child = fork();
  if (child == 0) {
    __LOOPSCOPE_SPAN(1, PHASE, "child", __LINE__, "main");
    uint64_t own = loopscope_range_begin("of the child");
    loopscope_range_end(parents);
    loopscope_range_end(own);
    return;
  }
  waitpid(child, 0, 0);
  loopscope_range_end(parents);
}

// One name more than there is room for, ranges with it twice; 65,536 open ones and five more.
static void many(void) {
  char name[16];
  for (int i = 0; i < 2050; ++i) {
    sprintf(name, "name %d", i);
    loopscope_range_end(loopscope_range_begin(name));
  }
  for (int i = 0; i < 65541; ++i)
    loopscope_range_begin("name 0");
}

// A and B overlap, C is open; D begins when A has ended.
static void lanes(void) {
  uint64_t a = loopscope_range_begin("A");
  usleep(2000);
  uint64_t b = loopscope_range_begin("B");
  usleep(2000);
  loopscope_range_end(a);
  usleep(2000);
  uint64_t d = loopscope_range_begin("D");
  loopscope_range_begin("C");
  usleep(2000);
  loopscope_range_end(b);
  loopscope_range_end(d);
}

int main(int argc, char **argv) {
  __LOOPSCOPE_SPAN(1, PHASE, "main", __LINE__, "main");
  const char *how = argc == 1 ? "" : argv[1];
  if (strcmp(how, "fork") == 0) {
    in_child();
  } else if (strcmp(how, "many") == 0) {
    many();
  } else if (strcmp(how, "ring") == 0) {
    uint64_t id = loopscope_range_begin("long");
    for (int i = 0; i < 70000; ++i)
      loopscope_range_end(loopscope_range_begin("short"));
    loopscope_range_end(id);
  } else if (strcmp(how, "trace") == 0) {
    lanes();
  } else if (strcmp(how, "kill") == 0) {
    for (int i = 0; i < 3; ++i) {
      uint64_t id = loopscope_range_begin("left open");
      if (i == 0)
        loopscope_range_end(id);
    }
    raise(SIGKILL);
  } else {
    at_random();
    long long end = now();
    for (int i = 0; i < count; ++i)
      printf("%s\topen\t%lld\n", all[i].name, end - all[i].latest);
  }
  return 0;
}
