/* Raises a signal at every instruction of the hooks. The program runs itself
 * under ptrace: once step by step, to list the instructions between the two
 * marks in its child, and then once for each instruction and each ACTION that
 * the signal's handler is to do. It looks at the child's result and at its profile.
 *
 *   sweep PROFILE ACTION EVERY FIRST [ACTION EVERY FIRST]...
 *
 * PROFILE is the profile that the child makes, ACTION one of the names below;
 * of the instructions it takes every EVERYth from number FIRST on. Prints how
 * many instructions were tried, and each that went wrong. */
#define _GNU_SOURCE
#include <loopscope/profile_format.h>
#include <loopscope/profile_counters.h>

#include "survive.h"
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <setjmp.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/personality.h>
#include <sys/ptrace.h>
#include <sys/stat.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <unistd.h>

enum action { RETURN, JUMP, FORK, EXIT, CANCEL, ACTIONS };
static const char *const action_names[] = {"return", "jump", "fork", "exit",
                                           "cancel"};

/* Phases of the child. */
enum { OUTER, INNER, OTHER, STEP, AFTER, HANDLER, PHASES };
static const char *const phase_names[] = {"outer", "inner",  "other",
                                          "train", "after", "handler"};

/* What both processes see. */
struct shared {
  int action;
  uint64_t first, last; /* addresses of the marks */
  volatile long begun[PHASES], done[PHASES];
  volatile int over;     /* the second mark was passed */
  volatile int finished; /* the child came to its end */
};
static struct shared *shared;

/* ---- the child ---- */

static sigjmp_buf back;

static void handler(int number) {
  (void)number;
  shared->begun[HANDLER]++;
  {
    PHASE(20, "handler");
  }
  shared->done[HANDLER]++;
  switch (shared->action) {
  case JUMP:
    siglongjmp(back, 1);
  case FORK: {
    pid_t child = fork();
    if (child == 0)
      _exit(0);
    while (waitpid(child, NULL, 0) < 0 && errno == EINTR)
      ;
    return;
  }
  case EXIT:
    _exit(7);
  case CANCEL:
    pthread_cancel(pthread_self());
    return;
  default:
    return;
  }
}

__attribute__((noinline)) static void mark_first(void) { __asm__ volatile(""); }
__attribute__((noinline)) static void mark_last(void) { __asm__ volatile(""); }

static void hooks(void) {
  for (int round = 0; round < 3; ++round) {
    shared->begun[OUTER]++;
    {
      PHASE(1, "outer");
      shared->begun[INNER]++;
      {
        PHASE(2, "inner");
      }
      shared->done[INNER]++;
      shared->begun[OTHER]++;
      {
        KEYED(3, "other", round & 1);
      }
      shared->done[OTHER]++;
    }
    shared->done[OUTER]++;
  }
  {
    __LOOPSCOPE_SPAN(4, TRAIN, "train", 1, "hooks");
    for (int i = 0; i < 4; ++i) {
      shared->begun[STEP]++;
      {
        __LOOPSCOPE_STEP(5, 4);
        __LOOPSCOPE_SAMPLES(5, 8);
        {
          KEYED(6, "inside", i & 1 ? "odd" : "even");
        }
        {
          __LOOPSCOPE_SPAN(7, DRAW, "draw", 1, "hooks");
        }
      }
      shared->done[STEP]++;
    }
  }
}

__attribute__((noinline)) static void *work(void *unused) {
  /* Deeper than end_left() by more than the frames of guards differ. */
  volatile char room[1024] __attribute__((unused));
  room[0] = 0;
  pthread_setcanceltype(PTHREAD_CANCEL_ASYNCHRONOUS, NULL);
  if (sigsetjmp(back, 1) == 0) {
    mark_first();
    hooks();
  }
  mark_last();
  shared->over = 1;
  return unused;
}

static void *after(void *unused) {
  for (int i = 0; i < 100; ++i) {
    PHASE(10, "after");
  }
  return unused;
}

/* A hook this far up the stack shows the runtime which spans were left. */
__attribute__((noinline)) static void end_left(void) {
  PHASE(11, "end left");
}

static int run_child(void) {
  struct sigaction action = {.sa_handler = handler};
  sigaction(SIGUSR1, &action, NULL);
  shared->first = (uint64_t)(uintptr_t)&mark_first;
  shared->last = (uint64_t)(uintptr_t)&mark_last;
  ptrace(PTRACE_TRACEME, 0, NULL, NULL);
  raise(SIGSTOP);
  pthread_t thread;
  if (shared->action == CANCEL) {
    pthread_create(&thread, NULL, work, NULL);
    pthread_join(thread, NULL);
  } else {
    work(NULL);
    /* Ends what a jump has left: see end_left(). */
    end_left();
  }
  after(NULL);
  /* A lock that was left behind would hold this thread for ever. */
  pthread_create(&thread, NULL, after, NULL);
  pthread_join(thread, NULL);
  shared->finished = 1;
  return 0;
}

/* ---- the parent ---- */

static const char *program, *profile;

/* Waits for any thread of CHILD to stop or for its end; returns the thread, 0
 * at the end, and *STATUS. */
static pid_t next_stop(pid_t child, int *status) {
  for (;;) {
    pid_t who = waitpid(-1, status, __WALL);
    if (who < 0) {
      perror("waitpid");
      exit(2);
    }
    if (WIFSTOPPED(*status))
      return who;
    if (who == child)
      return 0;
  }
}

/* A child of action ACTION, stopped before its work. */
static pid_t start_child(int action) {
  memset((void *)shared, 0, sizeof(*shared));
  shared->action = action;
  unlink(profile);
  pid_t child = fork();
  if (child == 0) {
    char options[2048];
    personality(ADDR_NO_RANDOMIZE);
    snprintf(options, sizeof(options), "%s,report=none,output=%s",
             getenv("SWEEP_OPTIONS") ? getenv("SWEEP_OPTIONS") : "devices=off",
             profile);
    setenv("LOOPSCOPE", options, 1);
    execl(program, program, "child", (char *)NULL);
    _exit(126);
  }
  int status;
  if (next_stop(child, &status) != child || WSTOPSIG(status) != SIGSTOP) {
    fprintf(stderr, "the child can't be traced (status %x)\n", status);
    exit(77);
  }
  ptrace(PTRACE_SETOPTIONS, child, NULL,
         PTRACE_O_TRACECLONE | PTRACE_O_EXITKILL);
  return child;
}

static uint64_t place_of(pid_t thread) {
  struct user_regs_struct registers;
  ptrace(PTRACE_GETREGS, thread, NULL, &registers);
  return registers.rip;
}

static long plant(pid_t thread, uint64_t place) {
  long word = ptrace(PTRACE_PEEKTEXT, thread, (void *)place, NULL);
  ptrace(PTRACE_POKETEXT, thread, (void *)place, (void *)((word & ~0xffL) | 0xcc));
  return word;
}

/* Runs CHILD until a thread is about to execute PLACE for the first time;
 * returns the thread, 0 if the child ended first, and *STATUS. */
static pid_t run_to(pid_t child, uint64_t place, int *status) {
  long word = plant(child, place);
  ptrace(PTRACE_CONT, child, NULL, NULL);
  for (;;) {
    pid_t who = next_stop(child, status);
    if (who == 0)
      return 0;
    int number = WSTOPSIG(*status);
    struct user_regs_struct registers;
    ptrace(PTRACE_GETREGS, who, NULL, &registers);
    if (number == SIGTRAP && *status >> 16 == 0 && registers.rip == place + 1) {
      ptrace(PTRACE_POKETEXT, who, (void *)place, (void *)word);
      registers.rip = place;
      ptrace(PTRACE_SETREGS, who, NULL, &registers);
      return who;
    }
    /* A new thread's beginning, and the event that announces it. */
    int pass = number == SIGTRAP || number == SIGSTOP ? 0 : number;
    ptrace(PTRACE_CONT, who, NULL, (void *)(intptr_t)pass);
  }
}

static int run_to_end(pid_t child) {
  int status;
  for (pid_t who; (who = next_stop(child, &status)) != 0;) {
    int number = WSTOPSIG(status);
    int pass = number == SIGTRAP || number == SIGSTOP ? 0 : number;
    ptrace(PTRACE_CONT, who, NULL, (void *)(intptr_t)pass);
  }
  return status;
}

/* The distinct addresses that the child executes between its marks, in the
 * order of their first execution. */
static size_t list_places(int action, uint64_t **places) {
  enum { MOST = 1 << 20, TABLE = 1 << 21 };
  static uint64_t list[MOST], table[TABLE];
  size_t count = 0;
  pid_t child = start_child(action);
  int status;
  pid_t who = run_to(child, shared->first, &status);
  while (who != 0 && count < MOST) {
    uint64_t place = place_of(who);
    if (place == shared->last)
      break;
    size_t at = (place * 0x9e3779b97f4a7c15ULL) >> 43;
    while (table[at] != 0 && table[at] != place)
      at = (at + 1) % TABLE;
    if (table[at] == 0) {
      table[at] = place;
      list[count++] = place;
    }
    ptrace(PTRACE_SINGLESTEP, who, NULL, NULL);
    pid_t next;
    do {
      next = next_stop(child, &status);
      /* The runtime's own threads run on. */
      if (next != 0 && next != who)
        ptrace(PTRACE_CONT, next, NULL, NULL);
    } while (next != 0 && next != who);
    if (next == 0)
      break;
  }
  kill(child, SIGKILL);
  while (next_stop(child, &status) != 0)
    ;
  *places = list;
  return count;
}

/* ---- the profile ---- */

static long failures;
static long unreached; /* instructions that depend on the time of day */
static uint64_t at_place;
static size_t at_number; /* for FIRST */

static void fail(const char *what, long got, long wanted) {
  ++failures;
  printf("instruction %zu at %#lx: %s: %ld, expected %ld\n", at_number,
         (unsigned long)at_place, what, got, wanted);
}

/* Whether SITE of the profile is named NAME. */
static int is_named(const char *file, uint32_t site, uint64_t used,
                    const char *name) {
  for (uint64_t at = LOOPSCOPE_PROFILE_PAGE; at < used;) {
    const struct loopscope_chunk_header *c = (const void *)(file + at);
    const struct loopscope_profile_site *sites = (const void *)(c + 1);
    if (c->type == LOOPSCOPE_CHUNK_SITES && site >= c->first_index &&
        site < c->first_index + c->used)
      return sites[site - c->first_index].name.length == strlen(name) &&
             memcmp(file + sites[site - c->first_index].name.offset, name,
                    strlen(name)) == 0;
    at += c->size;
  }
  return 0;
}

static void check_profile(int action) {
  int descriptor = open(profile, O_RDONLY);
  struct stat status;
  if (descriptor < 0 || fstat(descriptor, &status) != 0) {
    if (action != EXIT)
      fail("profile", 0, 1);
    return;
  }
  const char *file = mmap(NULL, (size_t)status.st_size, PROT_READ, MAP_PRIVATE,
                          descriptor, 0);
  close(descriptor);
  const struct loopscope_profile_header *header = (const void *)file;
  long counts[PHASES] = {0};
  uint64_t torn = header->counters[LOOPSCOPE_COUNT_TORN];
  uint64_t reentrant = header->counters[LOOPSCOPE_COUNT_REENTRANT];
  if (reentrant != 0)
    fail("spans not recorded", (long)reentrant, 0);
  if (torn > 3)
    fail("torn spans", (long)torn, 0);
  if (action != EXIT && header->end_state != LOOPSCOPE_END_EXITED)
    fail("end state", header->end_state, LOOPSCOPE_END_EXITED);
  for (uint64_t at = LOOPSCOPE_PROFILE_PAGE; at < header->used_bytes;) {
    const struct loopscope_chunk_header *c = (const void *)(file + at);
    const struct loopscope_profile_node *nodes = (const void *)(c + 1);
    const struct loopscope_histogram *histograms =
        (const void *)(nodes + c->capacity);
    for (uint32_t i = 0; c->type == LOOPSCOPE_CHUNK_NODES && i < c->used; ++i) {
      const struct loopscope_profile_node *n = &nodes[i];
      if (n->state != 1 || n->site == LOOPSCOPE_NONE)
        continue;
      if (action != EXIT && (n->sequence % 2 != 0 || n->open != 0))
        fail("node left open", n->open, 0);
      uint64_t in_buckets = 0;
      for (unsigned b = 0; b < LOOPSCOPE_HISTOGRAM_BUCKETS; ++b)
        in_buckets += histograms[i].bucket[b];
      if (action != EXIT && in_buckets + 1 != n->count && torn == 0)
        fail("histogram", (long)in_buckets + 1, (long)n->count);
      for (int phase = 0; phase < PHASES; ++phase)
        if (is_named(file, n->site, header->used_bytes, phase_names[phase]) &&
            (phase == STEP ? n->kind == LOOPSCOPE_KIND_STEP
                           : n->kind == LOOPSCOPE_KIND_PHASE))
          counts[phase] += (long)n->count;
    }
    at += c->size;
  }
  if (action != EXIT && counts[AFTER] != 200)
    fail("after", counts[AFTER], 200);
  for (int phase = 0; phase < PHASES; ++phase) {
    if (phase == AFTER)
      continue;
    long least = shared->done[phase] - (long)torn;
    if (counts[phase] < least || counts[phase] > shared->begun[phase])
      fail(phase_names[phase], counts[phase], shared->done[phase]);
  }
  munmap((void *)file, (size_t)status.st_size);
}

static void try_place(int action, uint64_t place) {
  at_place = place;
  pid_t child = start_child(action);
  int status;
  pid_t who = run_to(child, shared->first, &status);
  if (who != 0 && place != shared->first) {
    long word = plant(who, place);
    ptrace(PTRACE_CONT, who, NULL, NULL);
    for (;;) {
      who = next_stop(child, &status);
      if (who == 0)
        break;
      if (WSTOPSIG(status) == SIGTRAP && status >> 16 == 0 &&
          place_of(who) == place + 1)
        break;
      int number = WSTOPSIG(status);
      ptrace(PTRACE_CONT, who, NULL,
             (void *)(intptr_t)(number == SIGTRAP || number == SIGSTOP ? 0
                                                                      : number));
    }
    if (who != 0) {
      struct user_regs_struct registers;
      ptrace(PTRACE_GETREGS, who, NULL, &registers);
      registers.rip = place;
      ptrace(PTRACE_SETREGS, who, NULL, &registers);
      ptrace(PTRACE_POKETEXT, who, (void *)place, (void *)word);
    }
  }
  int in_time = who != 0 && !shared->over;
  if (!in_time)
    ++unreached;
  if (who == 0)
    return;
  ptrace(PTRACE_CONT, who, NULL, (void *)(intptr_t)(in_time ? SIGUSR1 : 0));
  alarm(60); /* ends this process, and by EXITKILL the child, if it hangs */
  status = run_to_end(child);
  alarm(0);
  if (!in_time)
    return;
  int wanted = action == EXIT ? W_EXITCODE(7, 0) : 0;
  if (status != wanted)
    fail("status", status, wanted);
  if (action != EXIT && !shared->finished)
    fail("finished", 0, 1);
  check_profile(action);
}

static void hangs(int number) {
  (void)number;
  printf("instruction %zu at %#lx: the program hangs\n", at_number,
         (unsigned long)at_place);
  fflush(stdout);
  _exit(1);
}

/* Tries every EVERYth of ALL places from number FIRST on. Returns 1 if something
 * went wrong, and 2 if that can't be done. */
static int sweep(const char *name, size_t every, size_t first,
                 const uint64_t *places, size_t all) {
  int action = 0;
  while (action < ACTIONS && strcmp(action_names[action], name) != 0)
    ++action;
  if (action == ACTIONS || every == 0)
    return 2;
  size_t tried = 0;
  failures = unreached = 0;
  for (size_t i = first; i < all; i += every, ++tried)
    at_number = i, try_place(action, places[i]);
  printf("%s: %ld of %zu instructions, %ld failures\n", name,
         (long)tried - unreached, all, failures);
  if (unreached > (long)tried / 5)
    printf("%ld were not reached\n", unreached), ++failures;
  return failures != 0;
}

int main(int count, char **arguments) {
  const char *memory = getenv("SWEEP_MEMORY");
  int descriptor = memory ? atoi(memory) : memfd_create("sweep", 0);
  if (!memory && ftruncate(descriptor, sizeof(struct shared)) != 0)
    return 2;
  shared = mmap(NULL, sizeof(struct shared), PROT_READ | PROT_WRITE, MAP_SHARED,
                descriptor, 0);
  if (memory)
    return run_child();
  if (count < 5 || (count - 2) % 3 != 0)
    return 2;
  char number[16];
  snprintf(number, sizeof(number), "%d", descriptor);
  setenv("SWEEP_MEMORY", number, 1);
  program = arguments[0];
  profile = arguments[1];
  signal(SIGALRM, hangs);
  uint64_t *places;
  /* No signal comes meanwhile, so the action doesn't matter. */
  size_t all = list_places(RETURN, &places);
  int bad = 0;
  for (char **group = arguments + 2; group < arguments + count; group += 3) {
    int result = sweep(group[0], (size_t)atol(group[1]), (size_t)atol(group[2]),
                       places, all);
    if (result == 2)
      return 2;
    bad |= result;
  }
  return bad;
}
