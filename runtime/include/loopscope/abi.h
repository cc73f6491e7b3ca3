/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The interface between hooks and runtime: the descriptor of a site and the
 * functions that hooks call. The rewriter puts this header before the first
 * line of every source, so it includes amounts.h alone and every name in it is
 * reserved for the implementation (two leading underscores); no macro that a
 * program defines can clash with one. <loopscope/loopscope.h> documents the
 * same interface under public names. */
#ifndef __LOOPSCOPE_ABI_H
#define __LOOPSCOPE_ABI_H

#if defined(__GNUC__) || defined(__clang__)
#pragma GCC system_header
#endif

#include <loopscope/amounts.h>

#ifdef __cplusplus
#if __cplusplus >= 201103L
#define __LOOPSCOPE_NOEXCEPT noexcept
#else /* missing.h must compile as C++98 too */
#define __LOOPSCOPE_NOEXCEPT throw()
#endif
extern "C" {
#else
#define __LOOPSCOPE_NOEXCEPT __attribute((__nothrow__))
#endif

/* The values of enum loopscope_kind that a site may have. */
#define __LOOPSCOPE_KIND_PHASE 1
#define __LOOPSCOPE_KIND_FIT 2
#define __LOOPSCOPE_KIND_VALIDATE 3
#define __LOOPSCOPE_KIND_TEST 4
#define __LOOPSCOPE_KIND_PREDICT 5
#define __LOOPSCOPE_KIND_EPOCH 6
#define __LOOPSCOPE_KIND_TRAIN 7
#define __LOOPSCOPE_KIND_VALID 8
#define __LOOPSCOPE_KIND_DRAW 10
#define __LOOPSCOPE_KIND_FUNCTION 12
#define __LOOPSCOPE_KIND_WAIT 13
#define __LOOPSCOPE_KIND_COLLECTIVE 14

/* The values of enum loopscope_key_type that a hook may say. */
#define __LOOPSCOPE_KEY_SIGNED 1
#define __LOOPSCOPE_KEY_UNSIGNED 2
#define __LOOPSCOPE_KEY_BOOL 3
#define __LOOPSCOPE_KEY_CHAR 4
#define __LOOPSCOPE_KEY_TEXT 5

/* The first byte of a label whose keys are mangled names of types. */
#define __LOOPSCOPE_TYPE_LABEL "\001"

/* Around what precedes a label whose keys have names: "VALUE=NAME", separated
 * by commas. */
#define __LOOPSCOPE_ENUM_LABEL "\002"

#define __LOOPSCOPE_SITE_ABI 1

/* See loopscope_site. */
typedef struct __loopscope_site {
  __UINT16_TYPE__ __abi; /* __LOOPSCOPE_SITE_ABI */
  __UINT16_TYPE__ __kind;
  __UINT32_TYPE__ __line;
  __const char *__name;
  __const char *__file;
  __const char *__function;
} __loopscope_site_t;

/* See loopscope_keyed_site. */
typedef struct __loopscope_keyed_site {
  __loopscope_site_t __site;
  __const char *__label;
} __loopscope_keyed_site_t;

/* See loopscope_token. */
typedef void *__loopscope_token;

/* 1 while hooks record, 0 when profiling is off, so that an inactive hook costs
 * one load. Set before main by a constructor of the runtime; users never write
 * it. __loopscope_functions_active is the same for function mode's hooks. */
extern unsigned char __loopscope_active;
extern unsigned char __loopscope_functions_active;

__loopscope_token
__loopscope_enter(__const __loopscope_site_t *__site) __LOOPSCOPE_NOEXCEPT;
__loopscope_token __loopscope_enter_adjacent(__const __loopscope_site_t *__site)
    __LOOPSCOPE_NOEXCEPT;
/* Like __loopscope_enter, for a function mode's hook. The runtime sets *off
 * once the hook costs more than its function is worth; nobody else writes it.
 */
__loopscope_token
__loopscope_enter_function(__const __loopscope_site_t *__site,
                           unsigned char *__off,
                           int __adjacent) __LOOPSCOPE_NOEXCEPT;
/* Like __loopscope_enter, for the span of a key: a number, of a type above. */
__loopscope_token
__loopscope_enter_key(__const __loopscope_keyed_site_t *__site,
                      __UINT64_TYPE__ __key,
                      unsigned __type) __LOOPSCOPE_NOEXCEPT;
__loopscope_token
__loopscope_enter_key_adjacent(__const __loopscope_keyed_site_t *__site,
                               __UINT64_TYPE__ __key,
                               unsigned __type) __LOOPSCOPE_NOEXCEPT;
/* The same for a text of LENGTH bytes, or up to its NUL if that is the largest
 * number. Nothing keeps the text's address. */
__loopscope_token
__loopscope_enter_text(__const __loopscope_keyed_site_t *__site,
                       __const char *__text,
                       __SIZE_TYPE__ __length) __LOOPSCOPE_NOEXCEPT;
__loopscope_token
__loopscope_enter_text_adjacent(__const __loopscope_keyed_site_t *__site,
                                __const char *__text,
                                __SIZE_TYPE__ __length) __LOOPSCOPE_NOEXCEPT;
void __loopscope_leave(__loopscope_token __token) __LOOPSCOPE_NOEXCEPT;
__loopscope_token
__loopscope_loop_enter(__const __loopscope_site_t *__site) __LOOPSCOPE_NOEXCEPT;
__loopscope_token
__loopscope_step_begin(__loopscope_token __loop) __LOOPSCOPE_NOEXCEPT;
void __loopscope_step_end(__loopscope_token __step) __LOOPSCOPE_NOEXCEPT;
void __loopscope_samples(__loopscope_token __step,
                         __INT64_TYPE__ __samples) __LOOPSCOPE_NOEXCEPT;
/* How many iterations the loop of an open EPOCH, TRAIN or VALID span has. */
void __loopscope_iterations(__loopscope_token __loop,
                            __INT64_TYPE__ __count) __LOOPSCOPE_NOEXCEPT;
/* An amount of an open PHASE span or a step. A floating-point number because it
 * may exceed 64 bits. */
#define __LOOPSCOPE_DECLARE_AMOUNT(NAME, IDENTIFIER, NOUN)                     \
  void __loopscope_##NAME(__loopscope_token __span, double __amount)           \
      __LOOPSCOPE_NOEXCEPT;
__LOOPSCOPE_AMOUNTS(__LOOPSCOPE_DECLARE_AMOUNT)
#undef __LOOPSCOPE_DECLARE_AMOUNT
__loopscope_token
__loopscope_draw_enter(__const __loopscope_site_t *__site) __LOOPSCOPE_NOEXCEPT;
void __loopscope_missing_file(__const char *__file) __LOOPSCOPE_NOEXCEPT;

#ifdef __cplusplus
} /* extern "C" */
#endif

#endif /* __LOOPSCOPE_ABI_H */
