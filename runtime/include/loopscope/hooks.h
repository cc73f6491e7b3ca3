/* The macros that loopscope-rewrite inserts; nobody writes them by hand. Each
 * one is a single declaration or expression, so that it fits on the line where
 * it is inserted. ID is a number unique in its file; KIND is a loopscope_kind
 * without its prefix; NAME and FUNCTION are string literals; LINE is the line
 * of the annotation.
 *
 *   LOOPSCOPE_SPAN_(ID, KIND, NAME, LINE, FUNCTION);
 *       A guard: times from here to the end of the enclosing block, or to
 *       LOOPSCOPE_END_(ID). KIND may be DRAW, TRAIN, VALID as well: then the
 *       guard is the explicit draw or the loop.
 *   LOOPSCOPE_SPAN_NEXT_(...)    The same, starting at the last clock reading.
 *   LOOPSCOPE_END_(ID);          Ends guard ID early. A declaration.
 *   LOOPSCOPE_SITE_(ID, KIND, NAME, LINE, FUNCTION);
 *       The site alone, for LOOPSCOPE_COMMA_.
 *   auto x = (LOOPSCOPE_COMMA_(ID), init);             C++ only
 *       Times the full expression. LOOPSCOPE_COMMA_NEXT_ starts at the last
 *       clock reading.
 *   LOOPSCOPE_STEP_(ID, LOOP);   First thing in the body of loop guard LOOP.
 *   LOOPSCOPE_SAMPLES_(ID, EXPRESSION);   Samples of step guard ID.
 *
 * In the device passes of a CUDA compiler all of them are nothing.
 *
 * LOOPSCOPE_TOOL_PATH_, a string literal given on the command line by the build
 * plugin, is where the report generator lives.
 */
#ifndef LOOPSCOPE_HOOKS_H
#define LOOPSCOPE_HOOKS_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <loopscope/loopscope.h>

#ifdef LOOPSCOPE_TOOL_PATH_
#ifdef __cplusplus
extern "C"
#endif
    /* One copy per program; the runtime refers to it weakly. */
    __attribute__((weak, visibility("default"),
                   used)) char loopscope_tool_path_[] = LOOPSCOPE_TOOL_PATH_;
#endif

#ifdef __CUDA_ARCH__

#define LOOPSCOPE_SPAN_(ID, KIND, NAME, LINE, FUNCTION) static_assert(true, "")
#define LOOPSCOPE_SPAN_NEXT_(ID, KIND, NAME, LINE, FUNCTION)                   \
  static_assert(true, "")
#define LOOPSCOPE_END_(ID) static_assert(true, "")
#define LOOPSCOPE_SITE_(ID, KIND, NAME, LINE, FUNCTION) static_assert(true, "")
#define LOOPSCOPE_COMMA_(ID) void()
#define LOOPSCOPE_COMMA_NEXT_(ID) void()
#define LOOPSCOPE_STEP_(ID, LOOP) static_assert(true, "")
#define LOOPSCOPE_SAMPLES_(ID, EXPRESSION) static_assert(true, "")

#else

#define LOOPSCOPE_SITE_(ID, KIND, NAME, LINE, FUNCTION)                        \
  static const loopscope_site loopscope_site_##ID =                            \
      LOOPSCOPE_SITE(LOOPSCOPE_KIND_##KIND, NAME, LINE, FUNCTION)

/* Keeps from the compiler that a token is null where nothing is active: it
 * would make a second copy of the timed code for that, and warn of what only
 * that copy shows. */
#define LOOPSCOPE_HIDE_(TOKEN) __asm__("" : "+r"(TOKEN))

#ifdef __cplusplus

namespace loopscope {
namespace detail {

/* KIND is a constant at every call, so this folds to one call. */
inline loopscope_token enter(const loopscope_site &site, unsigned kind,
                             bool next) noexcept {
  loopscope_token token = nullptr;
  if (!loopscope_active_)
    ;
  else if (kind == LOOPSCOPE_KIND_TRAIN || kind == LOOPSCOPE_KIND_VALID)
    token = loopscope_loop_enter(&site);
  else if (kind == LOOPSCOPE_KIND_DRAW)
    token = loopscope_draw_enter(&site);
  else
    token = next ? loopscope_enter_adjacent(&site) : loopscope_enter(&site);
  LOOPSCOPE_HIDE_(token);
  return token;
}

/* A guard; see LOOPSCOPE_SPAN_. */
class span {
public:
  span(const loopscope_site &site, unsigned kind, bool next) noexcept
      : token_(enter(site, kind, next)) {}
  ~span() { end(); }
  bool end() noexcept {
    if (token_)
      loopscope_leave(token_);
    token_ = nullptr;
    return true;
  }
  loopscope_token token() const noexcept { return token_; }
  span(const span &) = delete;
  span &operator=(const span &) = delete;

private:
  loopscope_token token_;
};

/* One iteration of a loop over batches; see LOOPSCOPE_STEP_. */
class step {
public:
  explicit step(const span &loop) noexcept
      : token_(loop.token() ? loopscope_step_begin(loop.token()) : nullptr) {}
  ~step() {
    if (token_)
      loopscope_step_end(token_);
  }
  template <typename T> bool samples(const T &count) noexcept {
    if (token_)
      loopscope_samples(token_, static_cast<int64_t>(count));
    return true;
  }
  step(const step &) = delete;
  step &operator=(const step &) = delete;

private:
  loopscope_token token_;
};

} /* namespace detail */
} /* namespace loopscope */

#define LOOPSCOPE_GUARD_(ID, KIND, NAME, LINE, FUNCTION, NEXT)                 \
  LOOPSCOPE_SITE_(ID, KIND, NAME, LINE, FUNCTION);                             \
  ::loopscope::detail::span loopscope_span_##ID(loopscope_site_##ID,           \
                                                LOOPSCOPE_KIND_##KIND, NEXT)
#define LOOPSCOPE_SPAN_(ID, KIND, NAME, LINE, FUNCTION)                        \
  LOOPSCOPE_GUARD_(ID, KIND, NAME, LINE, FUNCTION, false)
#define LOOPSCOPE_SPAN_NEXT_(ID, KIND, NAME, LINE, FUNCTION)                   \
  LOOPSCOPE_GUARD_(ID, KIND, NAME, LINE, FUNCTION, true)
#define LOOPSCOPE_END_(ID)                                                     \
  bool loopscope_end_##ID __attribute__((unused)) = loopscope_span_##ID.end()
#define LOOPSCOPE_COMMA_(ID)                                                   \
  static_cast<void>(::loopscope::detail::span(                                 \
      loopscope_site_##ID, loopscope_site_##ID.kind, false))
#define LOOPSCOPE_COMMA_NEXT_(ID)                                              \
  static_cast<void>(::loopscope::detail::span(loopscope_site_##ID,             \
                                              loopscope_site_##ID.kind, true))
#define LOOPSCOPE_STEP_(ID, LOOP)                                              \
  ::loopscope::detail::step loopscope_step_##ID(loopscope_span_##LOOP)
#define LOOPSCOPE_SAMPLES_(ID, EXPRESSION)                                     \
  bool loopscope_samples_##ID __attribute__((unused)) =                        \
      loopscope_step_##ID.samples(EXPRESSION)

#else /* C */

struct loopscope_span_ {
  loopscope_token token;
};

/* gnu_inline: external linkage, so that C inline functions may call them. */
#define LOOPSCOPE_INLINE_                                                      \
  extern __inline__                                                            \
      __attribute__((__gnu_inline__, __always_inline__, __nothrow__))

LOOPSCOPE_INLINE_ struct loopscope_span_
loopscope_span_begin_(const loopscope_site *site, unsigned kind, int next) {
  struct loopscope_span_ span = {0};
  if (!loopscope_active_)
    ;
  else if (kind == LOOPSCOPE_KIND_TRAIN || kind == LOOPSCOPE_KIND_VALID)
    span.token = loopscope_loop_enter(site);
  else if (kind == LOOPSCOPE_KIND_DRAW)
    span.token = loopscope_draw_enter(site);
  else
    span.token = next ? loopscope_enter_adjacent(site) : loopscope_enter(site);
  LOOPSCOPE_HIDE_(span.token);
  return span;
}

LOOPSCOPE_INLINE_ void loopscope_span_end_(struct loopscope_span_ *span) {
  if (span->token)
    loopscope_leave(span->token);
  span->token = 0;
}

LOOPSCOPE_INLINE_ char loopscope_span_end_now_(struct loopscope_span_ *span) {
  loopscope_span_end_(span);
  return 0;
}

LOOPSCOPE_INLINE_ struct loopscope_span_
loopscope_step_begin_(const struct loopscope_span_ *loop) {
  struct loopscope_span_ step = {0};
  if (loop->token)
    step.token = loopscope_step_begin(loop->token);
  return step;
}

LOOPSCOPE_INLINE_ void loopscope_step_end_(struct loopscope_span_ *step) {
  if (step->token)
    loopscope_step_end(step->token);
}

LOOPSCOPE_INLINE_ char loopscope_samples_(const struct loopscope_span_ *step,
                                          int64_t count) {
  if (step->token)
    loopscope_samples(step->token, count);
  return 0;
}

/* Spelled __attribute: some programs define __attribute__ as a macro that drops
 * its argument, and then no guard would end. */
#define LOOPSCOPE_GUARD_(ID, KIND, NAME, LINE, FUNCTION, NEXT)                 \
  LOOPSCOPE_SITE_(ID, KIND, NAME, LINE, FUNCTION);                             \
  struct loopscope_span_ loopscope_span_##ID                                   \
      __attribute((__cleanup__(loopscope_span_end_))) = loopscope_span_begin_( \
          &loopscope_site_##ID, LOOPSCOPE_KIND_##KIND, NEXT)
#define LOOPSCOPE_SPAN_(ID, KIND, NAME, LINE, FUNCTION)                        \
  LOOPSCOPE_GUARD_(ID, KIND, NAME, LINE, FUNCTION, 0)
#define LOOPSCOPE_SPAN_NEXT_(ID, KIND, NAME, LINE, FUNCTION)                   \
  LOOPSCOPE_GUARD_(ID, KIND, NAME, LINE, FUNCTION, 1)
#define LOOPSCOPE_END_(ID)                                                     \
  char loopscope_end_##ID __attribute((__unused__)) =                          \
      loopscope_span_end_now_(&loopscope_span_##ID)
#define LOOPSCOPE_STEP_(ID, LOOP)                                              \
  struct loopscope_span_ loopscope_step_##ID                                   \
      __attribute((__cleanup__(loopscope_step_end_))) =                        \
          loopscope_step_begin_(&loopscope_span_##LOOP)
#define LOOPSCOPE_SAMPLES_(ID, EXPRESSION)                                     \
  char loopscope_samples_##ID __attribute((__unused__)) =                      \
      loopscope_samples_(&loopscope_step_##ID, (int64_t)(EXPRESSION))

#endif /* __cplusplus */
#endif /* __CUDA_ARCH__ */

#endif /* LOOPSCOPE_HOOKS_H */
