/* A runtime that keeps no times: writes to the file that TRACE names which
 * spans were entered and what was done in them, one line for each outermost
 * one.
 *
 *   forward(a ~loss(b))   b was done in loss, which started at the last clock
 *                         reading (~)
 *   x(y(a)!)              y was still open when x was left
 *   step(samples=3 a)     a number of samples
 *   x(flops=2.5 a)        an amount
 *   train(iterations=9 a) number of iterations of a loop
 *   x[l=7](a)             a number as the key, with its label; names of values
 *                         stand before that: x[{0=A,1=B}l=1](a)
 *   x[l="b"](a)           a text; in both, "_" for spaces and parentheses
 *   x(a <open             x was never left
 *   thread: x(a)          on another thread than the first
 *   BAD ...               an invalid call of a hook
 *
 * With RECORD_SITES set, a span's name is name@function:line.
 */
#define __LOOPSCOPE_INLINE
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include "work.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MaxDepth = 256 };

/* One thread's line and its open spans. A span's serial number is its token. */
struct log {
  char text[1 << 16];
  size_t size;
  size_t depth, serial;
  size_t open[MaxDepth];
  const char *amount[MaxDepth]; /* the amount that it may have: "samples" */
  int is_first;
};

unsigned char __loopscope_active = 1;
unsigned char __loopscope_functions_active = 1;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static FILE *file;
static __thread struct log *mine;
static struct log *first;

static struct log *log_of_thread(void) {
  if (!mine)
    mine = calloc(1, sizeof *mine);
  return mine;
}

static void write_line(struct log *log) {
  if (!log->size)
    return;
  pthread_mutex_lock(&lock);
  if (file) {
    fprintf(file, "%s%s\n", log->is_first ? "" : "thread: ", log->text);
    fflush(file); /* Programs may end without notice. */
  }
  pthread_mutex_unlock(&lock);
  log->size = 0;
}

/* Adds TEXT, after a space if needed. */
static void add(struct log *log, const char *text) {
  char last = log->size ? log->text[log->size - 1] : '(';
  int length = snprintf(log->text + log->size, sizeof log->text - log->size,
                        "%s%s", last == '(' || *text == ')' ? "" : " ", text);
  log->size += (size_t)length;
  if (log->size >= sizeof log->text)
    abort();
}

void work(const char *what) {
  struct log *log = log_of_thread();
  add(log, what);
  if (!log->depth)
    write_line(log);
}

int value(const char *what, int value) {
  work(what);
  return value;
}

static loopscope_token enter(const char *text, const char *amount) {
  struct log *log = log_of_thread();
  add(log, text);
  if (log->depth == MaxDepth)
    abort();
  log->amount[log->depth] = amount;
  log->open[log->depth++] = ++log->serial;
  return (loopscope_token)log->serial;
}

static loopscope_token enter_site(const loopscope_site *site,
                                  const char *mark) {
  char text[512];
  if (site->__abi != LOOPSCOPE_SITE_ABI || !site->__line || !*site->__file)
    mark = "BAD site ";
  if (getenv("RECORD_SITES"))
    snprintf(text, sizeof text, "%s%s@%s:%u(", mark, site->__name, site->__function,
             (unsigned)site->__line);
  else
    snprintf(text, sizeof text, "%s%s(", mark, site->__name);
  return enter(text, site->__kind == LOOPSCOPE_KIND_COLLECTIVE ? "bytes" : NULL);
}

loopscope_token __loopscope_enter(const loopscope_site *site) {
  return enter_site(site, "");
}
loopscope_token __loopscope_enter_adjacent(const loopscope_site *site) {
  return enter_site(site, "~");
}
static loopscope_token enter_keyed(const loopscope_keyed_site *site, const char *mark,
                                   const char *key) {
  char text[512];
  const char *label = site->__label;
  const char *names = *label == *__LOOPSCOPE_ENUM_LABEL ? label + 1 : "";
  int size = (int)strcspn(names, __LOOPSCOPE_ENUM_LABEL);
  int length = snprintf(text, sizeof text, "%s%s[%s%.*s%s%s=%s]", mark, site->__site.__name,
                        size ? "{" : "", size, names, size ? "}" : "",
                        size ? names + size + 1 : label, key);
  for (char *each = text; *each; ++each)
    if (strchr(" ()", *each))
      *each = '_';
  snprintf(text + length, sizeof text - (size_t)length, "(");
  return enter(text, NULL);
}

static loopscope_token enter_number(const loopscope_keyed_site *site, const char *mark,
                                    uint64_t key, unsigned type) {
  char text[64];
  if (type == LOOPSCOPE_KEY_UNSIGNED)
    snprintf(text, sizeof text, "%lluu", (unsigned long long)key);
  else if (type == LOOPSCOPE_KEY_BOOL)
    snprintf(text, sizeof text, "%s", key == 0 ? "false" : key == 1 ? "true" : "BAD");
  else if (type == LOOPSCOPE_KEY_CHAR)
    snprintf(text, sizeof text, "'%c'", (char)key);
  else
    snprintf(text, sizeof text, "%lld", (long long)key);
  return enter_keyed(site, mark, text);
}

static loopscope_token enter_said(const loopscope_keyed_site *site, const char *mark,
                                  const char *said, size_t length) {
  char text[256];
  size_t size = length == SIZE_MAX ? strlen(said) : length;
  snprintf(text, sizeof text, "\"%.*s\"", (int)size, said);
  return enter_keyed(site, mark, text);
}

loopscope_token __loopscope_enter_key(const loopscope_keyed_site *site, uint64_t key,
                                      unsigned type) {
  return enter_number(site, "", key, type);
}
loopscope_token __loopscope_enter_key_adjacent(const loopscope_keyed_site *site, uint64_t key,
                                               unsigned type) {
  return enter_number(site, "~", key, type);
}
loopscope_token __loopscope_enter_text(const loopscope_keyed_site *site, const char *text,
                                       size_t length) {
  return enter_said(site, "", text, length);
}
loopscope_token __loopscope_enter_text_adjacent(const loopscope_keyed_site *site,
                                                const char *text, size_t length) {
  return enter_said(site, "~", text, length);
}

loopscope_token __loopscope_enter_function(const loopscope_site *site, unsigned char *off,
                                           int adjacent) {
  int is_function = site->__kind == LOOPSCOPE_KIND_FUNCTION && !*off;
  return enter_site(site, !is_function ? "BAD function " : adjacent ? "~" : "");
}
loopscope_token __loopscope_loop_enter(const loopscope_site *site) {
  int is_loop =
      site->__kind == LOOPSCOPE_KIND_TRAIN || site->__kind == LOOPSCOPE_KIND_VALID;
  return enter_site(site, is_loop ? "" : "BAD loop ");
}
loopscope_token __loopscope_draw_enter(const loopscope_site *site) {
  return enter_site(site, site->__kind == LOOPSCOPE_KIND_DRAW ? "" : "BAD draw ");
}

/* Only a loop itself opens its steps, directly inside it. */
loopscope_token __loopscope_step_begin(loopscope_token loop) {
  struct log *log = log_of_thread();
  int inside = log->depth && log->open[log->depth - 1] == (size_t)loop;
  return enter(inside ? "step(" : "BAD step(", "samples");
}

/* Leaves the span and spans left open in it. Each span is left exactly once, unless an outer span
 * closed it. */
void __loopscope_leave(loopscope_token token) {
  struct log *log = log_of_thread();
  size_t at = 0;
  while (at < log->depth && log->open[at] != (size_t)token)
    ++at;
  if (at == log->depth) {
    add(log, "BAD leave");
    return;
  }
  for (; log->depth > at + 1; --log->depth)
    add(log, ")!");
  --log->depth;
  add(log, ")");
  if (!log->depth)
    write_line(log);
}

void __loopscope_step_end(loopscope_token step) { __loopscope_leave(step); }

void __loopscope_samples(loopscope_token step, int64_t samples) {
  struct log *log = log_of_thread();
  char text[64];
  size_t at = 0;
  while (at < log->depth && log->open[at] != (size_t)step)
    ++at;
  const char *amount = at < log->depth ? log->amount[at] : NULL;
  snprintf(text, sizeof text, "%s=%lld", amount ? amount : "BAD samples",
           (long long)samples);
  add(log, text);
}

void __loopscope_iterations(loopscope_token loop, int64_t count) {
  struct log *log = log_of_thread();
  char text[64];
  int inside = log->depth && log->open[log->depth - 1] == (size_t)loop;
  snprintf(text, sizeof text, "%siterations=%lld", inside ? "" : "BAD ",
           (long long)count);
  add(log, text);
}

static void record_amount(const char *name, loopscope_token span, double amount) {
  struct log *log = log_of_thread();
  char text[64];
  int inside = log->depth && log->open[log->depth - 1] == (size_t)span;
  snprintf(text, sizeof text, "%s%s=%.17g", inside ? "" : "BAD ", name, amount);
  add(log, text);
}
#define RECORD(NAME, IDENTIFIER, NOUN)                                         \
  void __loopscope_##NAME(loopscope_token span, double amount) {               \
    record_amount(#NAME, span, amount);                                        \
  }
__LOOPSCOPE_AMOUNTS(RECORD)

__attribute__((constructor(101))) static void start(void) {
  const char *path = getenv("TRACE");
  file = path ? fopen(path, "w") : NULL;
  first = log_of_thread();
  first->is_first = 1;
}

/* Runs after the program's own exit handlers and destructors. */
__attribute__((destructor(101))) static void finish(void) {
  if (first->depth)
    add(first, "<open");
  write_line(first);
}
