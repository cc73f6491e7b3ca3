/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Loopscope's runtime interface: what the rewriter's hooks call, and what
 * people call who instrument by hand. C99 and C++11 or newer, with and without
 * exceptions and RTTI.
 *
 *   C:    static const loopscope_site site =
 *             LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "forward", __LINE__, "f");
 *         loopscope_token t = loopscope_enter(&site);
 *         ...
 *         loopscope_leave(t);
 *
 *   C++:  { LOOPSCOPE_SCOPE("forward"); ... }
 *
 * Every function is noexcept, async-signal tolerant (a hook that meets a busy
 * runtime counts itself as lost), thread safe (a span belongs to the thread
 * that entered it), and does nothing when profiling is off (LOOPSCOPE=off).
 */
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

/* Static description of one place in the source. Must outlive the process's
 * spans of it (static storage); strings are UTF-8 and are copied at the first
 * visit. */
typedef __loopscope_site_t loopscope_site;

/* KIND is one of enum loopscope_kind; FUNCTION is the qualified name of the
 * enclosing function, or "". */
#define LOOPSCOPE_SITE_ABI __LOOPSCOPE_SITE_ABI
#define LOOPSCOPE_SITE(KIND, NAME, LINE, FUNCTION)                             \
  {LOOPSCOPE_SITE_ABI, KIND, LINE, NAME, __FILE__, FUNCTION}

/* An open span, opaque; NULL when nothing is being recorded. */
typedef __loopscope_token loopscope_token;

/* Opens a span of SITE as a child of the thread's innermost open span. Never
 * fails: a span that cannot be recorded is counted and gives NULL. */
loopscope_token loopscope_enter(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* The same, starting at the thread's last clock reading instead of a fresh one:
 * for a phase that starts where the previous one ended or where its parent
 * started. */
loopscope_token
loopscope_enter_adjacent(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* Closes the span, and spans opened inside it that are still open (longjmp).
 * NULL and spans that are closed already are ignored. Same thread as enter. */
void loopscope_leave(loopscope_token token) LOOPSCOPE_NOEXCEPT_;

/* Opens one execution of a loop over batches (SITE's kind is TRAIN or VALID) in
 * the state "drawing": time from here to the next loopscope_step_begin is the
 * draw of the first step. Closed by loopscope_leave. */
loopscope_token
loopscope_loop_enter(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* At the top of the loop body: ends the draw, starts the batch. Returns a token
 * for loopscope_step_end and loopscope_samples. */
loopscope_token loopscope_step_begin(loopscope_token loop) LOOPSCOPE_NOEXCEPT_;

/* On every way out of the loop body: ends the batch and the step, and starts
 * the draw of the next one. */
void loopscope_step_end(loopscope_token step) LOOPSCOPE_NOEXCEPT_;

/* Says how many samples the step processes, or, with the token of a span of
 * kind COLLECTIVE, how many bytes it moves; negative counts are taken as 0 and
 * counted. The last call in a step or span wins. */
void loopscope_samples(loopscope_token step,
                       int64_t samples) LOOPSCOPE_NOEXCEPT_;

/* Says how many iterations the loop of an open span has: of kind TRAIN or VALID
 * once, when its loop begins, of kind EPOCH in each epoch. A negative number is
 * left out and counted. */
void loopscope_iterations(loopscope_token loop,
                          int64_t count) LOOPSCOPE_NOEXCEPT_;

/* Says how many floating-point operations an open span of kind PHASE does, or,
 * with the token of loopscope_step_begin, the step; what is negative or no
 * number is left out and counted. Once in a span. */
void loopscope_flops(loopscope_token span, double flops) LOOPSCOPE_NOEXCEPT_;

/* Explicit draw inside a step ([[loopscope::draw]]): the span's time counts as
 * the step's draw and is taken out of the batch and of the phases open between.
 * Outside a step it is an ordinary span of kind DRAW. Closed by
 * loopscope_leave. */
loopscope_token
loopscope_draw_enter(const loopscope_site *site) LOOPSCOPE_NOEXCEPT_;

/* Notes in the profile that FILE (a string literal) was built without its
 * hooks. */
void loopscope_missing_file(const char *file) LOOPSCOPE_NOEXCEPT_;

#ifdef __cplusplus
} /* extern "C" */

namespace loopscope {

/* Times its own lifetime as a span of a site. Not copyable; lives and dies on
 * one thread. */
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
