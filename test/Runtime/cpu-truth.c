// Processor time, faults, switches and time on the run queue of different phases equal
// the program's own readings, and a step includes its phases.
// RUN: rm -f %t.*.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,output=%t.auto.loopscope %t > %t.auto.own
// RUN: env LOOPSCOPE=report=none,cpu=on,output=%t.on.loopscope %t > %t.on.own
// RUN: env LOOPSCOPE=report=none,cpu=off,output=%t.off.loopscope %t
// RUN: for m in auto on; do for v in simple tree; do loopscope report --view $v --format csv %t.$m.loopscope > %t.$m.$v || exit 1; done; done
// RUN: %python %S/Inputs/check_cpu.py auto %t.auto.own %t.auto.simple %t.auto.tree
// RUN: %python %S/Inputs/check_cpu.py on %t.on.own %t.on.simple %t.on.tree
// RUN: loopscope report --view simple --format csv %t.off.loopscope | FileCheck %s --check-prefix=OFF
// OFF: self_s{{$}}
// OFF-NOT: cpu_s
#define _GNU_SOURCE
#include <fcntl.h>
#include <loopscope/hooks.h>
#include <pthread.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

// The program's own readings within a phase, and those around it that it can't exceed.
struct own {
  double wall, cpu, starved, first_wall;
  long minor, major, voluntary, involuntary, spans;
  double most_cpu;
  long most_minor, most_major, most_voluntary;
};

static double clock_s(clockid_t clock) {
  struct timespec t;
  clock_gettime(clock, &t);
  return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static double starved_s(void) {
  char text[64] = "";
  double ran = 0, waited = 0;
  int file = open("/proc/thread-self/schedstat", O_RDONLY);
  if (file < 0 || read(file, text, sizeof(text) - 1) <= 0)
    return 0;
  close(file);
  sscanf(text, "%lf %lf", &ran, &waited);
  return waited * 1e-9;
}

static struct own read_own(void) {
  struct rusage r;
  getrusage(RUSAGE_THREAD, &r);
  return (struct own){clock_s(CLOCK_MONOTONIC),
                      clock_s(CLOCK_THREAD_CPUTIME_ID),
                      starved_s(),
                      0,
                      r.ru_minflt,
                      r.ru_majflt,
                      r.ru_nvcsw,
                      r.ru_nivcsw,
                      0,
                      0,
                      0,
                      0,
                      0};
}

// The first span has no time on the run queue, because its length isn't known yet.
static void add_own(struct own *to, struct own before) {
  struct own now = read_own();
  if (to->spans++ == 0)
    to->first_wall = now.wall - before.wall;
  else
    to->starved += now.starved - before.starved;
  to->wall += now.wall - before.wall;
  to->cpu += now.cpu - before.cpu;
  to->minor += now.minor - before.minor;
  to->major += now.major - before.major;
  to->voluntary += now.voluntary - before.voluntary;
  to->involuntary += now.involuntary - before.involuntary;
}

static void add_most(struct own *to, struct own before) {
  struct own now = read_own();
  to->most_cpu += now.cpu - before.cpu;
  to->most_minor += now.minor - before.minor;
  to->most_major += now.major - before.major;
  to->most_voluntary += now.voluntary - before.voluntary;
}

static void print_own(const char *name, const struct own *o) {
  printf("%s %.9f %.9f %.9f %.9f %ld %ld %ld %ld %ld %.9f %ld %ld %ld\n", name,
         o->wall, o->cpu, o->starved, o->first_wall, o->minor, o->major,
         o->voluntary, o->involuntary, o->spans, o->most_cpu, o->most_minor,
         o->most_major, o->most_voluntary);
}

static void spin(double seconds) {
  double end = clock_s(CLOCK_THREAD_CPUTIME_ID) + seconds;
  while (clock_s(CLOCK_THREAD_CPUTIME_ID) < end)
    ;
}

// Fresh pages, one fault each.
static void fault(size_t pages) {
  size_t page = (size_t)sysconf(_SC_PAGESIZE);
  char *memory = mmap(NULL, pages * page, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  madvise(memory, pages * page, MADV_NOHUGEPAGE);
  for (size_t i = 0; i < pages; ++i)
    memory[i * page] = 1;
  munmap(memory, pages * page);
}

static int question[2], answer[2];

static void *reply(void *unused) {
  char c;
  while (read(question[0], &c, 1) == 1 && write(answer[1], &c, 1) == 1)
    ;
  return unused;
}

// Two of these threads share a processor.
static void *hunger(void *result) {
  for (int i = 0; i < 8; ++i) {
    struct own around = read_own();
    {
      __LOOPSCOPE_SPAN(1, PHASE, "hungry", 1, "hunger");
      struct own before = read_own();
      spin(0.04);
      add_own(result, before);
    }
    add_most(result, around);
  }
  return NULL;
}

static void share_a_processor(void) {
  cpu_set_t all, one;
  sched_getaffinity(0, sizeof(all), &all);
  CPU_ZERO(&one);
  for (int i = 0; i < CPU_SETSIZE && CPU_COUNT(&one) == 0; ++i)
    if (CPU_ISSET(i, &all))
      CPU_SET(i, &one);
  sched_setaffinity(0, sizeof(one), &one);
  pthread_t threads[2];
  struct own o[2] = {{0}, {0}};
  for (int i = 0; i < 2; ++i)
    pthread_create(&threads[i], NULL, hunger, &o[i]);
  for (int i = 0; i < 2; ++i)
    pthread_join(threads[i], NULL);
  sched_setaffinity(0, sizeof(all), &all);
  for (int i = 0; i < 2; ++i)
    print_own("hungry", &o[i]);
}

#define TIMED(ID, NAME, WHAT)                                                  \
  do {                                                                         \
    struct own around = read_own();                                            \
    {                                                                          \
      __LOOPSCOPE_SPAN(ID, PHASE, #NAME, ID, "main");                          \
      struct own before = read_own();                                          \
      WHAT;                                                                    \
      add_own(&NAME, before);                                                  \
    }                                                                          \
    add_most(&NAME, around);                                                   \
  } while (0)

int main(void) {
  struct own sleeping = {0}, spinning = {0}, faulting = {0}, waiting = {0},
             tiny = {0};
  pthread_t other;
  if (pipe(question) != 0 || pipe(answer) != 0 ||
      pthread_create(&other, NULL, reply, NULL) != 0)
    return 1;
  {
    __LOOPSCOPE_SPAN(10, TRAIN, "train", 10, "main");
    for (int step = 0; step < 12; ++step) {
      __LOOPSCOPE_STEP(11, 10);
      TIMED(12, sleeping, usleep(5000));
      TIMED(13, spinning, spin(0.005));
      TIMED(14, faulting, fault(1000));
      TIMED(15, waiting, {
        char c = 0;
        for (int i = 0; i < 50; ++i)
          if (write(question[1], &c, 1) != 1 || read(answer[0], &c, 1) != 1)
            return 1;
      });
      for (int i = 0; i < 1000; ++i) {
        __LOOPSCOPE_SPAN(16, PHASE, "tiny", 16, "main");
        double before = clock_s(CLOCK_MONOTONIC);
        for (int k = 0; k < 20; ++k)
          clock_s(CLOCK_MONOTONIC);
        double wall = clock_s(CLOCK_MONOTONIC) - before;
        if (tiny.spans++ == 0)
          tiny.first_wall = wall;
        tiny.wall += wall;
      }
    }
  }
  share_a_processor();
  print_own("sleeping", &sleeping);
  print_own("spinning", &spinning);
  print_own("faulting", &faulting);
  print_own("waiting", &waiting);
  print_own("tiny", &tiny);
}
