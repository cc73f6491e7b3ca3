/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* libloopscope-off.a: hooks that do nothing, for code that is linked without
 * the C library or its start files. It has no dependencies. */
#define __LOOPSCOPE_INLINE
#include <loopscope/hooks.h>

#include "hooks/aliases.h"

/* Lets loopscope-launch recognise that a program has these hooks. */
__attribute__((used)) static const char note[] =
    "loopscope: hooks that record nothing";

unsigned char __loopscope_active = 0;
unsigned char __loopscope_functions_active = 0;

__loopscope_token __loopscope_enter(__const __loopscope_site_t *site) {
  (void)site;
  return 0;
}

__loopscope_token __loopscope_enter_adjacent(__const __loopscope_site_t *site) {
  (void)site;
  return 0;
}

__loopscope_token __loopscope_enter_function(__const __loopscope_site_t *site,
                                             unsigned char *off, int adjacent) {
  (void)site;
  (void)off;
  (void)adjacent;
  return 0;
}

__loopscope_token __loopscope_enter_key(__const __loopscope_keyed_site_t *site,
                                        __UINT64_TYPE__ key, unsigned type) {
  (void)site;
  (void)key;
  (void)type;
  return 0;
}

__loopscope_token
__loopscope_enter_key_adjacent(__const __loopscope_keyed_site_t *site,
                               __UINT64_TYPE__ key, unsigned type) {
  return __loopscope_enter_key(site, key, type);
}

__loopscope_token __loopscope_enter_text(__const __loopscope_keyed_site_t *site,
                                         __const char *text,
                                         __SIZE_TYPE__ length) {
  (void)site;
  (void)text;
  (void)length;
  return 0;
}

__loopscope_token
__loopscope_enter_text_adjacent(__const __loopscope_keyed_site_t *site,
                                __const char *text, __SIZE_TYPE__ length) {
  return __loopscope_enter_text(site, text, length);
}

/* By hand these say less than a hook. */
__attribute__((__weak__)) loopscope_token
loopscope_enter_key(const loopscope_keyed_site *site, int64_t key) {
  (void)site;
  (void)key;
  return 0;
}

__attribute__((__weak__)) loopscope_token
loopscope_enter_text(const loopscope_keyed_site *site, const char *text) {
  (void)site;
  (void)text;
  return 0;
}

__attribute__((__weak__)) void loopscope_fact_integer(const char *name,
                                                      int64_t value) {
  (void)name;
  (void)value;
}

__attribute__((__weak__)) void loopscope_fact_unsigned(const char *name,
                                                       uint64_t value) {
  (void)name;
  (void)value;
}

__attribute__((__weak__)) void loopscope_fact_number(const char *name,
                                                     double value) {
  (void)name;
  (void)value;
}

__attribute__((__weak__)) void loopscope_fact_flag(const char *name,
                                                   int value) {
  (void)name;
  (void)value;
}

__attribute__((__weak__)) void loopscope_fact_text(const char *name,
                                                   const char *value) {
  (void)name;
  (void)value;
}

__attribute__((__weak__)) void loopscope_name_thread(const char *name) {
  (void)name;
}

__attribute__((__weak__)) void loopscope_pause(void) {}

__attribute__((__weak__)) void loopscope_resume(void) {}

__attribute__((__weak__)) void loopscope_report(void) {}

__attribute__((__weak__)) void loopscope_reset(void) {}

__attribute__((__weak__)) uint64_t loopscope_fibre_switch(uint64_t fibre) {
  (void)fibre;
  return 0;
}

__attribute__((__weak__)) void loopscope_fibre_end(uint64_t fibre) {
  (void)fibre;
}

__attribute__((__weak__)) uint64_t loopscope_range_begin(const char *name) {
  (void)name;
  return 0;
}

__attribute__((__weak__)) void loopscope_range_end(uint64_t range) {
  (void)range;
}

__attribute__((__weak__)) void loopscope_value(const char *name, double value) {
  (void)name;
  (void)value;
}

__loopscope_token __loopscope_loop_enter(__const __loopscope_site_t *site) {
  (void)site;
  return 0;
}

__loopscope_token __loopscope_draw_enter(__const __loopscope_site_t *site) {
  (void)site;
  return 0;
}

__loopscope_token __loopscope_step_begin(__loopscope_token loop) {
  return loop;
}

void __loopscope_leave(__loopscope_token token) { (void)token; }

void __loopscope_step_end(__loopscope_token step) { (void)step; }

void __loopscope_samples(__loopscope_token step, __INT64_TYPE__ samples) {
  (void)step;
  (void)samples;
}

void __loopscope_iterations(__loopscope_token loop, __INT64_TYPE__ count) {
  (void)loop;
  (void)count;
}

#define LOOPSCOPE_NO_AMOUNT_(NAME, IDENTIFIER, NOUN)                           \
  void __loopscope_##NAME(__loopscope_token span, double amount) {             \
    (void)span;                                                                \
    (void)amount;                                                              \
  }
__LOOPSCOPE_AMOUNTS(LOOPSCOPE_NO_AMOUNT_)

void __loopscope_missing_file(const char *file) { (void)file; }
