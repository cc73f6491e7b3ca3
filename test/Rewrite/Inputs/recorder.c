/* A runtime that keeps no times: writes to the file that TRACE names which
 * spans were entered and what was done in them, one line for each outermost one.
 *
 *   forward(a ~loss(b))   b was done in loss, which started at the last clock
 *                         reading (~)
 *   x(y(a)!)              y was still open when x was left
 *   step(samples=3 a)     a number of samples
 *   x(a <open             x was never left
 *   thread: x(a)          on another thread than the first
 */
#define _GNU_SOURCE
#include <loopscope/loopscope.h>

#include "work.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

unsigned char loopscope_active_ = 1;

/* One thread's trace; kept until the process ends. */
struct log {
  struct log *next;
  char text[1 << 16];
  size_t size;
  size_t depth;
  int main;
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct log *logs;
static __thread struct log *mine;
static pthread_t first_thread;

static struct log *log_of_thread(void) {
  if (!mine) {
    mine = calloc(1, sizeof *mine);
    mine->main = pthread_equal(pthread_self(), first_thread);
    pthread_mutex_lock(&lock);
    struct log **last = &logs;
    while (*last)
      last = &(*last)->next;
    *last = mine;
    pthread_mutex_unlock(&lock);
  }
  return mine;
}

static void add(struct log *log, const char *text) {
  size_t length = strlen(text);
  if (log->size + length < sizeof log->text) {
    memcpy(log->text + log->size, text, length);
    log->size += length;
  }
}

/* Separates an item from what stands before it on its line. */
static void start_item(struct log *log) {
  char last = log->size ? log->text[log->size - 1] : '\n';
  if (last == '\n' && !log->main)
    add(log, "thread: ");
  else if (last != '\n' && last != '(')
    add(log, " ");
}

static void end_item(struct log *log) {
  if (log->depth == 0)
    add(log, "\n");
}

void work(const char *what) {
  struct log *log = log_of_thread();
  start_item(log);
  add(log, what);
  end_item(log);
}

int value(const char *what, int value) {
  work(what);
  return value;
}

static loopscope_token enter(const loopscope_site *site, const char *name,
                             const char *mark) {
  struct log *log = log_of_thread();
  char text[512];
  if (site && getenv("RECORD_SITES"))
    snprintf(text, sizeof text, "%s%s@%s:%u(", mark, name, site->function,
             (unsigned)site->line);
  else
    snprintf(text, sizeof text, "%s%s(", mark, name);
  start_item(log);
  add(log, text);
  /* A depth is a token: spans of a thread nest. */
  return (loopscope_token)++log->depth;
}

loopscope_token loopscope_enter(const loopscope_site *site) {
  return enter(site, site->name, "");
}
loopscope_token loopscope_enter_adjacent(const loopscope_site *site) {
  return enter(site, site->name, "~");
}
loopscope_token loopscope_loop_enter(const loopscope_site *site) {
  return enter(site, site->name, "");
}
loopscope_token loopscope_draw_enter(const loopscope_site *site) {
  return enter(site, site->name, "");
}
loopscope_token loopscope_step_begin(loopscope_token loop) {
  (void)loop;
  return enter(NULL, "step", "");
}

void loopscope_leave(loopscope_token token) {
  struct log *log = log_of_thread();
  for (; log->depth > (size_t)token; --log->depth)
    add(log, ")!");
  if (log->depth < (size_t)token)
    return;
  --log->depth;
  add(log, ")");
  end_item(log);
}

void loopscope_step_end(loopscope_token step) { loopscope_leave(step); }

void loopscope_samples(loopscope_token step, int64_t samples) {
  struct log *log = log_of_thread();
  char text[64];
  (void)step;
  snprintf(text, sizeof text, "samples=%lld", (long long)samples);
  start_item(log);
  add(log, text);
}

__attribute__((constructor(101))) static void start(void) {
  first_thread = pthread_self();
}

/* Behind the program's own exit handlers and destructors. */
__attribute__((destructor(101))) static void finish(void) {
  const char *path = getenv("TRACE");
  FILE *file = path ? fopen(path, "w") : NULL;
  if (!file)
    return;
  for (struct log *log = logs; log; log = log->next) {
    if (log->depth)
      add(log, " <open\n");
    fwrite(log->text, 1, log->size, file);
  }
  fclose(file);
}
