/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loopscope's runtime interface, for the rewriter's hooks and for instrumenting
 * by hand. C99 and C++11 or newer, with and without exceptions and RTTI.
 *
 *   C:    static const loopscope_site site =
 *             LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "forward", __LINE__, "f");
 *         loopscope_token t = loopscope_enter(&site);
 *         ...
 *         loopscope_leave(t);
 *
 *   C++:  { LOOPSCOPE_SCOPE("forward"); ... }
 *
 * Every function is noexcept and thread safe (a span belongs to the thread that
 * entered it), may be called in signal handlers (a hook that interrupts the
 * runtime is counted as lost), and does nothing when profiling is off
 * (LOOPSCOPE=off). */
#ifndef LOOPSCOPE_LOOPSCOPE_H
#define LOOPSCOPE_LOOPSCOPE_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <stdint.h>

#include <loopscope/abi.h>
#include <loopscope/profile_format.h>

#ifdef __cplusplus
#define LOOPSCOPE_NOEXCEPT_ noexcept
extern "C" {
#else
#define LOOPSCOPE_NOEXCEPT_ __attribute__((__nothrow__))
#endif

/* Static description of one place in the source. Must outlive all spans of it
 * (give it static storage). Strings are UTF-8 and copied at the first visit. */
typedef __loopscope_site_t loopscope_site;

/* Initializes a loopscope_site. KIND is one of enum loopscope_kind; FUNCTION is
 * the qualified name of the enclosing function, or "". */
#define LOOPSCOPE_SITE_ABI __LOOPSCOPE_SITE_ABI
#define LOOPSCOPE_SITE(KIND, NAME, LINE, FUNCTION)                             \
  {LOOPSCOPE_SITE_ABI, KIND, LINE, NAME, __FILE__, FUNCTION}

/* The same for spans with a key. All keys of a site are numbers, or all are
 * texts. */
typedef __loopscope_keyed_site_t loopscope_keyed_site;

/* Initializes a loopscope_keyed_site. KIND is PHASE, WAIT, EPOCH or a stage;
 * LABEL says what the key is, such as "layer". */
#define LOOPSCOPE_KEYED_SITE(KIND, NAME, LINE, FUNCTION, LABEL)                \
  {LOOPSCOPE_SITE(KIND, NAME, LINE, FUNCTION), LABEL}

/* An open span, opaque; NULL when nothing is being recorded. */
typedef __loopscope_token loopscope_token;

/* Opens a span of SITE as a child of the thread's innermost open span. Never
 * fails: a span that can't be recorded is counted as lost, and NULL is
 * returned. */
loopscope_token loopscope_enter(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* Like loopscope_enter, but starts at the thread's last clock reading instead
 * of a fresh one: for a phase that starts where the previous one ended or where
 * its parent started. */
loopscope_token
loopscope_enter_adjacent(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* Like loopscope_enter, for one of the spans of SITE that reports tell apart by
 * KEY, such as the number of a layer. A call path keeps 256 keys (LOOPSCOPE=
 * keys=N); the spans of others are summed up by ranges of numbers. */
loopscope_token loopscope_enter_key(const loopscope_keyed_site *site,
                                    int64_t key) LOOPSCOPE_NOEXCEPT_;

/* The same with a text, which is UTF-8, ends with a NUL, and is cut at 200
 * bytes. NULL is "(null)". Texts beyond 256 are summed up. */
loopscope_token loopscope_enter_text(const loopscope_keyed_site *site,
                                     const char *text) LOOPSCOPE_NOEXCEPT_;

/* Closes the span and all spans opened inside it that are still open (longjmp).
 * Ignores NULL and spans that are already closed. Call it on the thread that
 * entered the span. */
void loopscope_leave(loopscope_token token) LOOPSCOPE_NOEXCEPT_;

/* Opens one execution of a loop over batches (SITE's kind is TRAIN or VALID),
 * and the draw of its first step, which lasts until the next
 * loopscope_step_begin. Close it with loopscope_leave. */
loopscope_token
loopscope_loop_enter(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* Call at the top of the loop body: ends the draw and starts the batch. LOOP
 * comes from loopscope_loop_enter. Returns a token for loopscope_step_end and
 * loopscope_samples. */
loopscope_token loopscope_step_begin(loopscope_token loop) LOOPSCOPE_NOEXCEPT_;

/* Call on every path out of the loop body: ends the batch and the step, and
 * starts the draw of the next one. */
void loopscope_step_end(loopscope_token step) LOOPSCOPE_NOEXCEPT_;

/* Sets the number of samples that the step processes, or, for a span of kind
 * COLLECTIVE, the number of bytes that it moves. A negative number is taken as
 * 0 and counted. The last call in a step or span wins. */
void loopscope_samples(loopscope_token step,
                       int64_t samples) LOOPSCOPE_NOEXCEPT_;

/* Sets the number of iterations of an open span's loop: for kinds TRAIN and
 * VALID once, when the loop begins; for EPOCH in each epoch. A negative number
 * is ignored and counted. */
void loopscope_iterations(loopscope_token loop,
                          int64_t count) LOOPSCOPE_NOEXCEPT_;

/* For each row NAME of amounts.h, loopscope_NAME(span, amount), such as
 * loopscope_flops for floating-point operations: sets that amount of an open
 * PHASE span, or of a step (with the token from loopscope_step_begin). A value
 * that is negative, NaN or infinite is ignored and counted. Call it once per
 * span. */
#define LOOPSCOPE_DECLARE_AMOUNT_(NAME, IDENTIFIER, NOUN)                      \
  void loopscope_##NAME(loopscope_token span, double amount)                   \
      LOOPSCOPE_NOEXCEPT_;
__LOOPSCOPE_AMOUNTS(LOOPSCOPE_DECLARE_AMOUNT_)
#undef LOOPSCOPE_DECLARE_AMOUNT_

/* Opens an explicit draw inside a step ([[loopscope::draw]]): its time counts
 * as the step's draw and is subtracted from the batch and from the open phases
 * around it. Outside a step it is an ordinary span of kind DRAW. Close it with
 * loopscope_leave. */
loopscope_token
loopscope_draw_enter(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* Records in the profile that FILE (a string literal) was built without
 * hooks. */
void loopscope_missing_file(const char *file) LOOPSCOPE_NOEXCEPT_;

/* Names the calling thread in reports, in place of the name that the system
 * has. NAME is copied, and cut after 31 bytes; NULL and "" are ignored. The
 * main thread's name stays "main". */
void loopscope_name_thread(const char *name) LOOPSCOPE_NOEXCEPT_;

/* Pauses recording on the calling thread until loopscope_resume has been called
 * as often. The time is that of a phase "(paused)", and of nothing that is open
 * around it; work that is launched meanwhile is charged to it. What is open may
 * end in a pause, and nothing opens in it, except loops. A step counts if it
 * begins outside a pause and ends outside one: pauses within it are no part of
 * its time. Other steps are excluded: their time is in the loop's totals, in no
 * mean or call. A forked child records. */
void loopscope_pause(void) LOOPSCOPE_NOEXCEPT_;
/* Takes back one loopscope_pause of this thread; counted and ignored if there
 * is none. */
void loopscope_resume(void) LOOPSCOPE_NOEXCEPT_;

/* Prints the report of what has been recorded so far, and returns when it is
 * done: LOOPSCOPE's view= and report= say what and where, as at the end of the
 * program; a report=FILE that exists gets a number. The time is that of a pause
 * of the calling thread; open spans count as far as they are. Work that a
 * device hasn't finished, or that its library hasn't reported yet, is missing.
 * Nothing happens with report=none, on ranks other than 0, and while the
 * profiler is off. Standard output isn't flushed first. Not for signal
 * handlers. */
void loopscope_report(void) LOOPSCOPE_NOEXCEPT_;

/* Begins a new profile, at the end of a warm-up or between experiments. What
 * was recorded so far goes to a file of its own beside the profile, named
 * train.part1.loopscope for train.loopscope, and so on; reports of the profile
 * then show what comes later, and nothing is lost, whatever ends the program.
 * All threads are concerned, and may go on meanwhile. A span that is open
 * counts in the part in which it ends; its time is in each part as far as it
 * falls into it. In a distributed run, call it on all ranks.
 *
 * Takes the time to write the profile once more, which is that of a pause of
 * the calling thread. Nothing happens before anything was recorded and while
 * the profiler is off; without a file for the part, with output=/dev/null, and
 * after 126 calls, the call is counted and ignored. Not for signal handlers. */
void loopscope_reset(void) LOOPSCOPE_NOEXCEPT_;

/* For programs that switch stacks themselves (fibres, coroutines): from now on,
 * the calling thread runs FIBRE; 0 stands for its own stack. Call it on either
 * side of the switch, with no hook between. FIBRE is any number that names the
 * fibre alone, such as its address. Returns the one that ran before, so that
 * who resumes a fibre can switch back.
 *
 * Each fibre has its own stack of open spans, on whichever thread it runs. A
 * span's time is that in which its stack ran; the rest is in the row "(switched
 * out)" of its fibre, or "(in fibres)" of its thread. A span ends on the fibre
 * on which it began, in any thread: an end on another one is counted and
 * ignored. A fibre that another thread runs is refused. Takes about a
 * microsecond. Not for signal handlers. */
uint64_t loopscope_fibre_switch(uint64_t fibre) LOOPSCOPE_NOEXCEPT_;
/* The fibre has ended, or its number will name another: what is open on it
 * ends, and the memory of its call paths serves the next fibre. A run keeps
 * 4,096 fibres at once. */
void loopscope_fibre_end(uint64_t fibre) LOOPSCOPE_NOEXCEPT_;

/* A range that needn't nest in the spans around it, such as a request or a
 * prefetch: it may begin in one function and end in another, on any thread. It
 * is no part of a phase's time; view `ranges` has the number and the times of
 * each NAME, and a timeline (LOOPSCOPE=trace) a lane with each of them. NAME is
 * UTF-8, ends with a NUL, and is cut at 200 bytes; a run keeps 2,048 of them
 * apart. Returns an id for loopscope_range_end, or 0 if the range isn't
 * recorded. At most 65,536 are open at once. */
uint64_t loopscope_range_begin(const char *name) LOOPSCOPE_NOEXCEPT_;
/* Ends it, on any thread; 0 is ignored. An end that comes again, or with an id
 * that no range has had, is counted and ignored. */
void loopscope_range_end(uint64_t range) LOOPSCOPE_NOEXCEPT_;

/* Facts of the run, such as its batch size: reports show them, and `loopscope
 * diff` names those that differ first. Call any of these at any time, also
 * before main; the last call with a NAME wins. Strings are UTF-8, end with a
 * NUL, and are copied: a name has 1 to 47 bytes, a text is cut at 191, NULL as
 * a text is "(null)". A run keeps 128 names; what is beyond is left out and
 * counted. A forked child has the facts of its parent.
 *
 * loopscope_fact(NAME, VALUE) calls the one for VALUE's type: an integer, a
 * floating-point number, a bool or a text; in C++ also anything with
 * c_str(). */
void loopscope_fact_integer(const char *name,
                            int64_t value) LOOPSCOPE_NOEXCEPT_;
void loopscope_fact_unsigned(const char *name,
                             uint64_t value) LOOPSCOPE_NOEXCEPT_;
void loopscope_fact_number(const char *name, double value) LOOPSCOPE_NOEXCEPT_;
/* 0: false, else true. */
void loopscope_fact_flag(const char *name, int value) LOOPSCOPE_NOEXCEPT_;
void loopscope_fact_text(const char *name,
                         const char *value) LOOPSCOPE_NOEXCEPT_;

/* Tells a number that changes, such as the loss, at each step: reports show how
 * it developed (view history). NAME is as for facts, and a run keeps 8. Takes
 * about half a microsecond. */
void loopscope_value(const char *name, double value) LOOPSCOPE_NOEXCEPT_;

#ifndef __cplusplus
#define loopscope_fact(NAME, VALUE)                                            \
  __extension__ _Generic((VALUE),                                              \
      char *: loopscope_fact_text,                                             \
      const char *: loopscope_fact_text,                                       \
      _Bool: loopscope_fact_flag,                                              \
      float: loopscope_fact_number,                                            \
      double: loopscope_fact_number,                                           \
      long double: loopscope_fact_number,                                      \
      unsigned long: loopscope_fact_unsigned,                                  \
      unsigned long long: loopscope_fact_unsigned,                             \
      default: loopscope_fact_integer)(NAME, VALUE)
#endif

#ifdef __cplusplus
} /* extern "C" */

#define LOOPSCOPE_FACT_(TYPE, KIND, AS)                                        \
  inline void loopscope_fact(const char *name, TYPE value) noexcept {          \
    loopscope_fact_##KIND(name, static_cast<AS>(value));                       \
  }
LOOPSCOPE_FACT_(bool, flag, int)
LOOPSCOPE_FACT_(int, integer, int64_t)
LOOPSCOPE_FACT_(long, integer, int64_t)
LOOPSCOPE_FACT_(long long, integer, int64_t)
LOOPSCOPE_FACT_(unsigned, unsigned, uint64_t)
LOOPSCOPE_FACT_(unsigned long, unsigned, uint64_t)
LOOPSCOPE_FACT_(unsigned long long, unsigned, uint64_t)
LOOPSCOPE_FACT_(double, number, double)
LOOPSCOPE_FACT_(long double, number, double)
LOOPSCOPE_FACT_(const char *, text, const char *)
#undef LOOPSCOPE_FACT_
template <typename Text>
auto loopscope_fact(const char *name, const Text &value) noexcept
    -> decltype(static_cast<void>(value.c_str())) {
  loopscope_fact_text(name, value.c_str());
}

namespace loopscope {

/* Times its own lifetime as a span of a site. Not copyable; create and destroy
 * it on the same thread. */
class scoped_phase {
public:
  explicit scoped_phase(const loopscope_site &site) noexcept
      : token_(__loopscope_active ? loopscope_enter(&site) : nullptr) {}
  ~scoped_phase() {
    if (token_)
      loopscope_leave(token_);
  }
  /* Ends the span early; the destructor then does nothing. */
  void end() noexcept {
    if (token_)
      loopscope_leave(token_);
    token_ = nullptr;
  }
  scoped_phase(const scoped_phase &) = delete;
  scoped_phase &operator=(const scoped_phase &) = delete;

private:
  loopscope_token token_;
};

} // namespace loopscope

#define LOOPSCOPE_JOIN2_(A, B) A##B
#define LOOPSCOPE_JOIN_(A, B) LOOPSCOPE_JOIN2_(A, B)
/* Times the rest of the enclosing block under NAME (a string literal). */
#define LOOPSCOPE_SCOPE(NAME)                                                  \
  static const ::loopscope_site LOOPSCOPE_JOIN_(loopscope_scope_site_,         \
                                                __LINE__) =                    \
      LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, NAME, __LINE__, "");                \
  ::loopscope::scoped_phase LOOPSCOPE_JOIN_(loopscope_scope_, __LINE__)(       \
      LOOPSCOPE_JOIN_(loopscope_scope_site_, __LINE__))
#endif

#endif /* LOOPSCOPE_LOOPSCOPE_H */
