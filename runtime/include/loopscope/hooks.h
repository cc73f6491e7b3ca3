/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The macros that loopscope-rewrite inserts; nobody writes them by hand. Each
 * one is a single declaration, so that it fits on the line where it is
 * inserted. ID is a preprocessing number unique in its file; KIND is a
 * loopscope_kind without its prefix; NAME and FUNCTION are string literals;
 * LINE is the line of the annotation.
 *
 *   __LOOPSCOPE_SPAN(ID, KIND, NAME, LINE, FUNCTION);
 *       A guard: times from here to the end of the enclosing block, or to
 *       __LOOPSCOPE_END(ID). With KIND DRAW, TRAIN or VALID it is an explicit
 *       draw or a loop.
 *   __LOOPSCOPE_SPAN_NEXT(...)    The same, starting at the last clock reading.
 *   __LOOPSCOPE_KEYED_SITE(ID, KIND, NAME, LINE, FUNCTION, LABEL);
 *   __LOOPSCOPE_KEYED(ID, NEXT, EXPRESSION);
 *       Together a guard whose span has EXPRESSION's value as its key. It is
 *       evaluated before the clock is read, and not while profiling is off.
 *       NEXT 1: like __LOOPSCOPE_SPAN_NEXT.
 *   __LOOPSCOPE_END(ID);          Ends guard ID early. A declaration.
 *   __LOOPSCOPE_STEP(ID, LOOP);   First thing in the body of loop guard LOOP.
 *   __LOOPSCOPE_SAMPLES(ID, EXPRESSION);      Samples of step guard ID.
 *   __LOOPSCOPE_BYTES(ID, EXPRESSION);        Bytes of COLLECTIVE guard ID.
 *   __LOOPSCOPE_ITERATIONS(ID, EXPRESSION);   How often the loop of EPOCH,
 * TRAIN or VALID guard ID runs.
 *   __LOOPSCOPE_AMOUNT(ID, NAME, EXPRESSION);       The amount NAME, a row of
 * amounts.h, of PHASE guard ID.
 *   __LOOPSCOPE_STEP_AMOUNT(ID, NAME, EXPRESSION);  The same of step guard ID.
 *
 * All of them expand to nothing in the device passes of a CUDA compiler.
 *
 * This file precedes the program's first line, and its macros are expanded in
 * the program's own scopes. Therefore every name here is reserved for the
 * implementation, only abi.h is included, KIND and NAME are pasted before
 * anything is expanded, and the user's EXPRESSION passes through a single
 * macro. Keywords use their reserved spellings, in case the program defines
 * macros of the same name; `static` has none.
 *
 * __LOOPSCOPE_TOOL_PATH, a string literal that the build plugin passes on the
 * command line, is the path of the report generator. __LOOPSCOPE_SOURCES is
 * a string that describes the sources, and __LOOPSCOPE_RULES one that says what
 * the rules of a selection matched, each for a section that isn't loaded. */
#ifndef __LOOPSCOPE_HOOKS_H
#define __LOOPSCOPE_HOOKS_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <loopscope/abi.h>

#ifdef __LOOPSCOPE_TOOL_PATH
#ifdef __cplusplus
extern "C" {
#endif
/* One copy per program; the runtime's reference to it is weak. */
__attribute((__weak__, __visibility__("default"),
             __used__)) char __loopscope_tool_path[] = __LOOPSCOPE_TOOL_PATH;
#ifdef __cplusplus
} /* extern "C" */
#endif
#endif

#if defined(__LOOPSCOPE_SOURCES) && !defined(__CUDA_ARCH__)
__asm__(".pushsection .loopscope.sources,\"MS\",%progbits,1\n\t"
        ".asciz \"" __LOOPSCOPE_SOURCES "\"\n\t"
        ".popsection");
#endif
#if defined(__LOOPSCOPE_RULES) && !defined(__CUDA_ARCH__)
__asm__(".pushsection .loopscope.rules,\"MS\",%progbits,1\n\t"
        ".asciz \"" __LOOPSCOPE_RULES "\"\n\t"
        ".popsection");
#endif

#ifdef __CUDA_ARCH__

#define __LOOPSCOPE_SPAN(ID, KIND, NAME, LINE, FUNCTION) static_assert(true, "")
#define __LOOPSCOPE_SPAN_NEXT(ID, KIND, NAME, LINE, FUNCTION)                  \
  static_assert(true, "")
#define __LOOPSCOPE_KEYED_SITE(ID, KIND, NAME, LINE, FUNCTION, LABEL)          \
  static_assert(true, "")
#define __LOOPSCOPE_KEYED(ID, NEXT, EXPRESSION) static_assert(true, "")
#define __LOOPSCOPE_END(ID) static_assert(true, "")
#define __LOOPSCOPE_STEP(ID, LOOP) static_assert(true, "")
#define __LOOPSCOPE_SAMPLES(ID, EXPRESSION) static_assert(true, "")
#define __LOOPSCOPE_BYTES(ID, EXPRESSION) static_assert(true, "")
#define __LOOPSCOPE_ITERATIONS(ID, EXPRESSION) static_assert(true, "")
#define __LOOPSCOPE_AMOUNT(ID, NAME, EXPRESSION) static_assert(true, "")
#define __LOOPSCOPE_STEP_AMOUNT(ID, NAME, EXPRESSION) static_assert(true, "")

#else

/* The type of the compound literal that initialises a site; C++ has no such
 * literals. */
#ifdef __cplusplus
#define __LOOPSCOPE_LITERAL ::__loopscope_site_t
#define __LOOPSCOPE_KEYED_LITERAL ::__loopscope_keyed_site_t
#else
#define __LOOPSCOPE_LITERAL (__loopscope_site_t)
#define __LOOPSCOPE_KEYED_LITERAL (__loopscope_keyed_site_t)
#endif

/* Say that a compound literal may initialise a static object: gcc wants to know
 * that of the declaration, clang of the literal, and clang takes no such word
 * between a label and a declaration. */
#ifdef __clang__
#define __LOOPSCOPE_EXTENSION
#define __LOOPSCOPE_LITERAL_EXTENSION __extension__
#else
#define __LOOPSCOPE_EXTENSION __extension__
#define __LOOPSCOPE_LITERAL_EXTENSION
#endif

/* In parentheses, because a macro that gets this as part of its argument and
 * hands that on to another macro would split it at the commas. */
#define __LOOPSCOPE_SITE(ID, KIND, NAME, LINE, FUNCTION)                       \
  __LOOPSCOPE_EXTENSION static __const __loopscope_site_t                      \
      __loopscope_site_##ID =                                                  \
          __LOOPSCOPE_LITERAL_EXTENSION(__LOOPSCOPE_LITERAL{                   \
              __LOOPSCOPE_SITE_ABI, KIND, LINE, NAME, __FILE__, FUNCTION})

/* The same with a label. KIND is a loopscope_kind without its prefix. */
#define __LOOPSCOPE_KEYED_SITE(ID, KIND, NAME, LINE, FUNCTION, LABEL)          \
  __LOOPSCOPE_EXTENSION static __const __loopscope_keyed_site_t                \
      __loopscope_site_##ID =                                                  \
          __LOOPSCOPE_LITERAL_EXTENSION(__LOOPSCOPE_KEYED_LITERAL{             \
              {__LOOPSCOPE_SITE_ABI, __LOOPSCOPE_KIND_##KIND, LINE, NAME,      \
               __FILE__, FUNCTION},                                            \
              LABEL})

/* Hides from the compiler that a token is null while profiling is off.
 * Otherwise it would duplicate the timed code for that case, and warn about
 * problems that only the duplicate has. */
#define __LOOPSCOPE_HIDE(TOKEN) __asm__("" : "+r"(TOKEN))

/* Opens a span of *SITE. TOKEN is null before. KIND is a constant at every
 * call, so this folds to one call. Written without keywords, because some
 * programs define even `else` as a macro. */
#define __LOOPSCOPE_OPEN(TOKEN, SITE, KIND, NEXT)                              \
  TOKEN =                                                                      \
      !__loopscope_active ? TOKEN                                              \
      : (KIND) == __LOOPSCOPE_KIND_TRAIN || (KIND) == __LOOPSCOPE_KIND_VALID   \
          ? __loopscope_loop_enter(SITE)                                       \
      : (KIND) == __LOOPSCOPE_KIND_DRAW ? __loopscope_draw_enter(SITE)         \
      : (NEXT)                          ? __loopscope_enter_adjacent(SITE)     \
                                        : __loopscope_enter(SITE);             \
  __LOOPSCOPE_HIDE(TOKEN)

/* Like __LOOPSCOPE_OPEN for function mode's hook, which is off if *OFF isn't
 * 0. */
#define __LOOPSCOPE_OPEN_FUNCTION(TOKEN, SITE, OFF, NEXT)                      \
  TOKEN =                                                                      \
      !__loopscope_functions_active || __atomic_load_n(OFF, __ATOMIC_RELAXED)  \
          ? TOKEN                                                              \
          : __loopscope_enter_function(SITE, OFF, NEXT);                       \
  __LOOPSCOPE_HIDE(TOKEN)

/* Opens a span of the keyed *SITE. TYPE is 0 while profiling is off. VALUE is a
 * number, or, with type TEXT, the address of a text of LENGTH bytes. */
#define __LOOPSCOPE_OPEN_KEYED(TOKEN, SITE, TYPE, VALUE, TEXT, LENGTH, NEXT)   \
  TOKEN = (TYPE) == 0 ? TOKEN                                                  \
          : (TYPE) == __LOOPSCOPE_KEY_TEXT                                     \
              ? ((NEXT) ? __loopscope_enter_text_adjacent(SITE, TEXT, LENGTH)  \
                        : __loopscope_enter_text(SITE, TEXT, LENGTH))          \
              : ((NEXT) ? __loopscope_enter_key_adjacent(SITE, VALUE, TYPE)    \
                        : __loopscope_enter_key(SITE, VALUE, TYPE));           \
  __LOOPSCOPE_HIDE(TOKEN)

/* Keeps -finstrument-functions away from hooks, which aren't functions of the
 * program. */
#define __LOOPSCOPE_NO_INSTRUMENT __attribute((__no_instrument_function__))

#ifdef __cplusplus

/* Words without a reserved spelling, which may be the program's macros from the
 * command line: until the end of what is parsed here, they aren't. */
#pragma push_macro("const_cast")
#pragma push_macro("data")
#pragma push_macro("reinterpret_cast")
#pragma push_macro("size")
#pragma push_macro("static_cast")
#undef const_cast
#undef data
#undef reinterpret_cast
#undef size
#undef static_cast

/* A key as the runtime takes it. */
struct __loopscope_key {
  unsigned __type; /* 0: profiling is off */
  __UINT64_TYPE__ __value;
  const char *__text;
  __SIZE_TYPE__ __length;
};

/* The key of an integer, an enumeration or a text. Texts outlive the guard's
 * declaration, in which they are made. */
#define __LOOPSCOPE_KEY_OF(TYPE, KEY)                                          \
  __LOOPSCOPE_NO_INSTRUMENT inline __loopscope_key __loopscope_key_of(         \
      TYPE __value) noexcept {                                                 \
    return {KEY, static_cast<__UINT64_TYPE__>(__value), nullptr, 0};           \
  }
__LOOPSCOPE_KEY_OF(bool, __LOOPSCOPE_KEY_BOOL)
__LOOPSCOPE_KEY_OF(char, __LOOPSCOPE_KEY_CHAR)
__LOOPSCOPE_KEY_OF(signed char, __LOOPSCOPE_KEY_SIGNED)
__LOOPSCOPE_KEY_OF(short, __LOOPSCOPE_KEY_SIGNED)
__LOOPSCOPE_KEY_OF(int, __LOOPSCOPE_KEY_SIGNED)
__LOOPSCOPE_KEY_OF(long, __LOOPSCOPE_KEY_SIGNED)
__LOOPSCOPE_KEY_OF(long long, __LOOPSCOPE_KEY_SIGNED)
__LOOPSCOPE_KEY_OF(unsigned char, __LOOPSCOPE_KEY_UNSIGNED)
__LOOPSCOPE_KEY_OF(unsigned short, __LOOPSCOPE_KEY_UNSIGNED)
__LOOPSCOPE_KEY_OF(unsigned, __LOOPSCOPE_KEY_UNSIGNED)
__LOOPSCOPE_KEY_OF(unsigned long, __LOOPSCOPE_KEY_UNSIGNED)
__LOOPSCOPE_KEY_OF(unsigned long long, __LOOPSCOPE_KEY_UNSIGNED)
__LOOPSCOPE_KEY_OF(wchar_t, static_cast<wchar_t>(-1) < 0
                                ? __LOOPSCOPE_KEY_SIGNED
                                : __LOOPSCOPE_KEY_UNSIGNED)
__LOOPSCOPE_KEY_OF(char16_t, __LOOPSCOPE_KEY_UNSIGNED)
__LOOPSCOPE_KEY_OF(char32_t, __LOOPSCOPE_KEY_UNSIGNED)
#undef __LOOPSCOPE_KEY_OF
__LOOPSCOPE_NO_INSTRUMENT inline __loopscope_key
__loopscope_key_of(const char *__text) noexcept {
  return {__LOOPSCOPE_KEY_TEXT, 0, __text, ~static_cast<__SIZE_TYPE__>(0)};
}
__LOOPSCOPE_NO_INSTRUMENT inline __loopscope_key
__loopscope_key_of(char *__text) noexcept {
  return {__LOOPSCOPE_KEY_TEXT, 0, __text, ~static_cast<__SIZE_TYPE__>(0)};
}
__loopscope_key __loopscope_key_of(decltype(nullptr)) = delete;
/* The mangled name of an object's class, by the C++ ABI: its first word points
 * into a table, before which the address of its std::type_info is, whose second
 * word is the name. So no source needs <typeinfo>. */
template <typename __key_type>
__LOOPSCOPE_NO_INSTRUMENT inline const char *
__loopscope_type_of(const volatile __key_type &__object) noexcept {
  static_assert(__is_polymorphic(__key_type),
                "the key type(...) takes an object of a class with virtual "
                "functions");
  const char *const *const *__table;
  __builtin_memcpy(
      &__table,
      &reinterpret_cast<const char &>(const_cast<const __key_type &>(__object)),
      sizeof(__table));
  const char *const *__info = __table[-1];
  const char *__name = __info == nullptr ? "?" : __info[1];
  return *__name == '*' ? __name + 1 : __name;
}
template <bool> struct __loopscope_key_as {
  template <typename __key_type>
  __LOOPSCOPE_NO_INSTRUMENT static __loopscope_key
  __of(const __key_type &__text) noexcept {
    return {__LOOPSCOPE_KEY_TEXT, 0, static_cast<const char *>(__text.data()),
            static_cast<__SIZE_TYPE__>(__text.size())};
  }
};
template <> struct __loopscope_key_as<true> {
  template <typename __key_type>
  __LOOPSCOPE_NO_INSTRUMENT static __loopscope_key
  __of(const __key_type &__value) noexcept {
    return {static_cast<__underlying_type(__key_type)>(-1) < 0
                ? __LOOPSCOPE_KEY_SIGNED
                : __LOOPSCOPE_KEY_UNSIGNED,
            static_cast<__UINT64_TYPE__>(static_cast<long long>(__value)),
            nullptr, 0};
  }
};
template <typename __key_type>
__LOOPSCOPE_NO_INSTRUMENT inline __loopscope_key
__loopscope_key_of(const __key_type &__value) noexcept {
  static_assert(__is_enum(__key_type) || __is_class(__key_type),
                "the key of a phase is an integer, a bool, an enumeration or a "
                "text");
  return __loopscope_key_as<__is_enum(__key_type)>::__of(__value);
}

/* Sets an amount of a span or a step. */
#define __LOOPSCOPE_AMOUNT_MEMBER(NAME, IDENTIFIER, NOUN)                      \
  template <typename __amount_type>                                            \
  __LOOPSCOPE_NO_INSTRUMENT bool __##NAME(                                     \
      const __amount_type &__amount) noexcept {                                \
    if (__token)                                                               \
      __loopscope_##NAME(__token, static_cast<double>(__amount));              \
    return true;                                                               \
  }

/* A guard; see __LOOPSCOPE_SPAN. */
struct __loopscope_span {
  __LOOPSCOPE_NO_INSTRUMENT
  __loopscope_span(const __loopscope_site_t &__site, unsigned __kind,
                   bool __next) noexcept
      : __token(nullptr) {
    __LOOPSCOPE_OPEN(__token, &__site, __kind, __next);
  }
  __LOOPSCOPE_NO_INSTRUMENT
  __loopscope_span(const __loopscope_site_t &__site, unsigned char &__off,
                   bool __next) noexcept
      : __token(nullptr) {
    __LOOPSCOPE_OPEN_FUNCTION(__token, &__site, &__off, __next);
  }
  __LOOPSCOPE_NO_INSTRUMENT
  __loopscope_span(const __loopscope_keyed_site_t &__site,
                   const __loopscope_key &__key, bool __next) noexcept
      : __token(nullptr) {
    __LOOPSCOPE_OPEN_KEYED(__token, &__site, __key.__type, __key.__value,
                           __key.__text, __key.__length, __next);
  }
  __LOOPSCOPE_NO_INSTRUMENT ~__loopscope_span() { __end(); }
  __LOOPSCOPE_NO_INSTRUMENT bool __end() noexcept {
    if (__token)
      __loopscope_leave(__token);
    __token = nullptr;
    return true;
  }
  template <typename __count_type>
  __LOOPSCOPE_NO_INSTRUMENT bool __bytes(const __count_type &__count) noexcept {
    if (__token)
      __loopscope_samples(__token, static_cast<__INT64_TYPE__>(__count));
    return true;
  }
  template <typename __count_type>
  __LOOPSCOPE_NO_INSTRUMENT bool
  __iterations(const __count_type &__count) noexcept {
    if (__token)
      __loopscope_iterations(__token, static_cast<__INT64_TYPE__>(__count));
    return true;
  }
  __LOOPSCOPE_AMOUNTS(__LOOPSCOPE_AMOUNT_MEMBER)
  __loopscope_span(const __loopscope_span &) = delete;
  __loopscope_span &operator=(const __loopscope_span &) = delete;

  __loopscope_token __token;
};

/* One iteration of a loop over batches; see __LOOPSCOPE_STEP. */
struct __loopscope_step {
  __LOOPSCOPE_NO_INSTRUMENT
  explicit __loopscope_step(const __loopscope_span &__loop) noexcept
      : __token(__loop.__token ? __loopscope_step_begin(__loop.__token)
                               : nullptr) {}
  __LOOPSCOPE_NO_INSTRUMENT ~__loopscope_step() {
    if (__token)
      __loopscope_step_end(__token);
  }
  template <typename __count_type>
  __LOOPSCOPE_NO_INSTRUMENT bool
  __samples(const __count_type &__count) noexcept {
    if (__token)
      __loopscope_samples(__token, static_cast<__INT64_TYPE__>(__count));
    return true;
  }
  __LOOPSCOPE_AMOUNTS(__LOOPSCOPE_AMOUNT_MEMBER)
  __loopscope_step(const __loopscope_step &) = delete;
  __loopscope_step &operator=(const __loopscope_step &) = delete;

  __loopscope_token __token;
};

#undef __LOOPSCOPE_AMOUNT_MEMBER

#pragma pop_macro("static_cast")
#pragma pop_macro("size")
#pragma pop_macro("reinterpret_cast")
#pragma pop_macro("data")
#pragma pop_macro("const_cast")

/* Type names that no macro of the program can replace. */
typedef bool __loopscope_unit;
typedef unsigned char __loopscope_flag;

#define __LOOPSCOPE_GUARD(ID, KIND, NAME, LINE, FUNCTION, NEXT)                \
  __LOOPSCOPE_SITE(ID, KIND, NAME, LINE, FUNCTION);                            \
  ::__loopscope_span __loopscope_span_##ID(__loopscope_site_##ID, KIND, NEXT)
#define __LOOPSCOPE_FUNCTION_GUARD(ID, KIND, NAME, LINE, FUNCTION, NEXT)       \
  __LOOPSCOPE_SITE(ID, KIND, NAME, LINE, FUNCTION);                            \
  static ::__loopscope_flag __loopscope_off_##ID;                              \
  ::__loopscope_span __loopscope_span_##ID(__loopscope_site_##ID,              \
                                           __loopscope_off_##ID, NEXT)
#define __LOOPSCOPE_KEYED(ID, NEXT, EXPRESSION)                                \
  ::__loopscope_span __loopscope_span_##ID(                                    \
      __loopscope_site_##ID,                                                   \
      !__loopscope_active ? ::__loopscope_key{}                                \
                          : ::__loopscope_key_of(EXPRESSION),                  \
      NEXT)
#define __LOOPSCOPE_END(ID)                                                    \
  ::__loopscope_unit __loopscope_end_##ID __attribute((__unused__)) =          \
      __loopscope_span_##ID.__end()
#define __LOOPSCOPE_STEP(ID, LOOP)                                             \
  ::__loopscope_step __loopscope_step_##ID(__loopscope_span_##LOOP)
#define __LOOPSCOPE_SAMPLES(ID, EXPRESSION)                                    \
  ::__loopscope_unit __loopscope_samples_##ID __attribute((__unused__)) =      \
      __loopscope_step_##ID.__samples(EXPRESSION)
#define __LOOPSCOPE_BYTES(ID, EXPRESSION)                                      \
  ::__loopscope_unit __loopscope_bytes_##ID __attribute((__unused__)) =        \
      __loopscope_span_##ID.__bytes(EXPRESSION)
#define __LOOPSCOPE_ITERATIONS(ID, EXPRESSION)                                 \
  ::__loopscope_unit __loopscope_iterations_##ID __attribute((__unused__)) =   \
      __loopscope_span_##ID.__iterations(EXPRESSION)
#define __LOOPSCOPE_AMOUNT(ID, NAME, EXPRESSION)                               \
  ::__loopscope_unit __loopscope_##NAME##_##ID __attribute((__unused__)) =     \
      __loopscope_span_##ID.__##NAME(EXPRESSION)
#define __LOOPSCOPE_STEP_AMOUNT(ID, NAME, EXPRESSION)                          \
  ::__loopscope_unit __loopscope_##NAME##_##ID __attribute((__unused__)) =     \
      __loopscope_step_##ID.__##NAME(EXPRESSION)

#else /* C */

typedef struct __loopscope_span {
  __loopscope_token __token;
} __loopscope_span_t;

/* Type names that no macro of the program can replace. */
typedef char __loopscope_unit;
typedef unsigned char __loopscope_flag;

/* gnu_inline, so that C inline functions may call these. The runtime has
 * out-of-line copies for calls that aren't inlined: without optimisation, and
 * in functions with a target attribute. */
#ifndef __LOOPSCOPE_INLINE
#define __LOOPSCOPE_INLINE                                                     \
  extern __inline__                                                            \
      __attribute((__gnu_inline__, __nothrow__, __no_instrument_function__))
#endif

__LOOPSCOPE_INLINE __loopscope_span_t __loopscope_span_begin(
    __const __loopscope_site_t *__site, unsigned __kind, int __next) {
  __loopscope_span_t __span = {0};
  __LOOPSCOPE_OPEN(__span.__token, __site, __kind, __next);
  return __span;
}

__LOOPSCOPE_INLINE __loopscope_span_t __loopscope_function_begin(
    __const __loopscope_site_t *__site, unsigned char *__off, int __next) {
  __loopscope_span_t __span = {0};
  __LOOPSCOPE_OPEN_FUNCTION(__span.__token, __site, __off, __next);
  return __span;
}

__LOOPSCOPE_INLINE __loopscope_span_t __loopscope_inline_function_begin(
    __const __loopscope_site_t *__site, int __next) {
  __loopscope_span_t __span = {0};
  __span.__token = !__loopscope_functions_active ? __span.__token
                   : __next ? __loopscope_enter_adjacent(__site)
                            : __loopscope_enter(__site);
  __LOOPSCOPE_HIDE(__span.__token);
  return __span;
}

__LOOPSCOPE_INLINE __loopscope_span_t
__loopscope_keyed_begin(__const __loopscope_keyed_site_t *__site,
                        __UINT64_TYPE__ __value, unsigned __type, int __next) {
  __loopscope_span_t __span = {0};
  __LOOPSCOPE_OPEN_KEYED(__span.__token, __site, __type, __value,
                         (__const char *)__value, ~(__SIZE_TYPE__)0, __next);
  return __span;
}

__LOOPSCOPE_INLINE void __loopscope_span_end(__loopscope_span_t *__span) {
  if (__span->__token)
    __loopscope_leave(__span->__token);
  __span->__token = 0;
}

__LOOPSCOPE_INLINE char __loopscope_span_end_now(__loopscope_span_t *__span) {
  __loopscope_span_end(__span);
  return 0;
}

__LOOPSCOPE_INLINE __loopscope_span_t
__loopscope_step_span_begin(__const __loopscope_span_t *__loop) {
  __loopscope_span_t __step = {0};
  if (__loop->__token)
    __step.__token = __loopscope_step_begin(__loop->__token);
  return __step;
}

__LOOPSCOPE_INLINE void __loopscope_step_span_end(__loopscope_span_t *__step) {
  if (__step->__token)
    __loopscope_step_end(__step->__token);
}

__LOOPSCOPE_INLINE char
__loopscope_step_span_samples(__const __loopscope_span_t *__step,
                              __INT64_TYPE__ __count) {
  if (__step->__token)
    __loopscope_samples(__step->__token, __count);
  return 0;
}

__LOOPSCOPE_INLINE char
__loopscope_span_iterations(__const __loopscope_span_t *__loop,
                            __INT64_TYPE__ __count) {
  if (__loop->__token)
    __loopscope_iterations(__loop->__token, __count);
  return 0;
}

#define __LOOPSCOPE_SPAN_AMOUNT(NAME, IDENTIFIER, NOUN)                        \
  __LOOPSCOPE_INLINE char __loopscope_span_##NAME(                             \
      __const __loopscope_span_t *__span, double __amount) {                   \
    if (__span->__token)                                                       \
      __loopscope_##NAME(__span->__token, __amount);                           \
    return 0;                                                                  \
  }
__LOOPSCOPE_AMOUNTS(__LOOPSCOPE_SPAN_AMOUNT)
#undef __LOOPSCOPE_SPAN_AMOUNT

/* Spelled __attribute: some programs define __attribute__ as a macro that drops
 * its argument, and guards would never end. */
#define __LOOPSCOPE_GUARD(ID, KIND, NAME, LINE, FUNCTION, NEXT)                \
  __LOOPSCOPE_SITE(ID, KIND, NAME, LINE, FUNCTION);                            \
  __loopscope_span_t __loopscope_span_##ID                                     \
      __attribute((__cleanup__(__loopscope_span_end))) =                       \
          __loopscope_span_begin(&__loopscope_site_##ID, KIND, NEXT)
#define __LOOPSCOPE_FUNCTION_GUARD(ID, KIND, NAME, LINE, FUNCTION, NEXT)       \
  __LOOPSCOPE_SITE(ID, KIND, NAME, LINE, FUNCTION);                            \
  static __loopscope_flag __loopscope_off_##ID;                                \
  __loopscope_span_t __loopscope_span_##ID                                     \
      __attribute((__cleanup__(__loopscope_span_end))) =                       \
          __loopscope_function_begin(&__loopscope_site_##ID,                   \
                                     &__loopscope_off_##ID, NEXT)
/* An inline function with external linkage can't have a static object of its
 * own, so its hook can't be switched off. */
#define __LOOPSCOPE_INLINE_FUNCTION_GUARD(ID, KIND, NAME, LINE, FUNCTION,      \
                                          NEXT)                                \
  __LOOPSCOPE_SITE(ID, KIND, NAME, LINE, FUNCTION);                            \
  __loopscope_span_t __loopscope_span_##ID                                     \
      __attribute((__cleanup__(__loopscope_span_end))) =                       \
          __loopscope_inline_function_begin(&__loopscope_site_##ID, NEXT)
#define __LOOPSCOPE_GUARD_OF_INLINE_FUNCTION __LOOPSCOPE_INLINE_FUNCTION_GUARD
#define __LOOPSCOPE_KIND_INLINE_FUNCTION __LOOPSCOPE_KIND_FUNCTION
/* The conditional expressions are there for bit-fields and arrays. Beyond the
 * largest signed number, only the widest unsigned types get. What is neither a
 * number of at most 8 bytes nor a text makes an array's size negative. */
#define __LOOPSCOPE_KEYED(ID, NEXT, EXPRESSION)                                \
  __loopscope_span_t __loopscope_span_##ID __attribute((                       \
      __cleanup__(__loopscope_span_end))) =                                    \
      __loopscope_keyed_begin(                                                 \
          &__loopscope_site_##ID,                                              \
          !__loopscope_active ? 0 : (__UINT64_TYPE__)(EXPRESSION),             \
          !__loopscope_active                                                  \
              ? 0                                                              \
              : (__builtin_types_compatible_p(                                 \
                     __typeof__(1 ? (EXPRESSION) : (EXPRESSION)), char *) ||   \
                         __builtin_types_compatible_p(                         \
                             __typeof__(1 ? (EXPRESSION) : (EXPRESSION)),      \
                             __const char *)                                   \
                     ? __LOOPSCOPE_KEY_TEXT                                    \
                 : __builtin_types_compatible_p(                               \
                       __typeof__(1 ? (EXPRESSION) : (EXPRESSION)),            \
                       unsigned long) ||                                       \
                         __builtin_types_compatible_p(                         \
                             __typeof__(1 ? (EXPRESSION) : (EXPRESSION)),      \
                             unsigned long long)                               \
                     ? __LOOPSCOPE_KEY_UNSIGNED                                \
                     : __LOOPSCOPE_KEY_SIGNED) *                               \
                    (int)sizeof(                                               \
                        char[__builtin_types_compatible_p(                     \
                                 __typeof__(1 ? (EXPRESSION) : (EXPRESSION)),  \
                                 char *) ||                                    \
                                     __builtin_types_compatible_p(             \
                                         __typeof__(1 ? (EXPRESSION)           \
                                                      : (EXPRESSION)),         \
                                         __const char *) ||                    \
                                     (__builtin_classify_type(EXPRESSION) >    \
                                          0 &&                                 \
                                      __builtin_classify_type(EXPRESSION) <    \
                                          5 &&                                 \
                                      sizeof(1 ? (EXPRESSION)                  \
                                               : (EXPRESSION)) <= 8)           \
                                 ? 1                                           \
                                 : -1]),                                       \
          NEXT)
#define __LOOPSCOPE_END(ID)                                                    \
  __loopscope_unit __loopscope_end_##ID __attribute((__unused__)) =            \
      __loopscope_span_end_now(&__loopscope_span_##ID)
#define __LOOPSCOPE_STEP(ID, LOOP)                                             \
  __loopscope_span_t __loopscope_step_##ID                                     \
      __attribute((__cleanup__(__loopscope_step_span_end))) =                  \
          __loopscope_step_span_begin(&__loopscope_span_##LOOP)
#define __LOOPSCOPE_SAMPLES(ID, EXPRESSION)                                    \
  __loopscope_unit __loopscope_samples_##ID __attribute((__unused__)) =        \
      __loopscope_step_span_samples(&__loopscope_step_##ID,                    \
                                    (__INT64_TYPE__)(EXPRESSION))
/* The bytes of a collective are passed like the samples of a step. */
#define __LOOPSCOPE_BYTES(ID, EXPRESSION)                                      \
  __loopscope_unit __loopscope_bytes_##ID __attribute((__unused__)) =          \
      __loopscope_step_span_samples(&__loopscope_span_##ID,                    \
                                    (__INT64_TYPE__)(EXPRESSION))
#define __LOOPSCOPE_ITERATIONS(ID, EXPRESSION)                                 \
  __loopscope_unit __loopscope_iterations_##ID __attribute((__unused__)) =     \
      __loopscope_span_iterations(&__loopscope_span_##ID,                      \
                                  (__INT64_TYPE__)(EXPRESSION))
#define __LOOPSCOPE_AMOUNT(ID, NAME, EXPRESSION)                               \
  __loopscope_unit __loopscope_##NAME##_##ID __attribute((__unused__)) =       \
      __loopscope_span_##NAME(&__loopscope_span_##ID, (double)(EXPRESSION))
#define __LOOPSCOPE_STEP_AMOUNT(ID, NAME, EXPRESSION)                          \
  __loopscope_unit __loopscope_##NAME##_##ID __attribute((__unused__)) =       \
      __loopscope_span_##NAME(&__loopscope_step_##ID, (double)(EXPRESSION))

#endif /* __cplusplus */

/* The guard for each kind. */
#define __LOOPSCOPE_GUARD_OF_PHASE __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_FIT __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_VALIDATE __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_TEST __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_PREDICT __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_EPOCH __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_TRAIN __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_VALID __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_DRAW __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_WAIT __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_COLLECTIVE __LOOPSCOPE_GUARD
#define __LOOPSCOPE_GUARD_OF_FUNCTION __LOOPSCOPE_FUNCTION_GUARD

#define __LOOPSCOPE_SPAN(ID, KIND, NAME, LINE, FUNCTION)                       \
  __LOOPSCOPE_GUARD_OF_##KIND(ID, __LOOPSCOPE_KIND_##KIND, NAME, LINE,         \
                              FUNCTION, 0)
#define __LOOPSCOPE_SPAN_NEXT(ID, KIND, NAME, LINE, FUNCTION)                  \
  __LOOPSCOPE_GUARD_OF_##KIND(ID, __LOOPSCOPE_KIND_##KIND, NAME, LINE,         \
                              FUNCTION, 1)

#endif /* __CUDA_ARCH__ */

#endif /* __LOOPSCOPE_HOOKS_H */
