/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* What only a build with LibTorch's headers can tell the runtime of operators.
 * torch_facts.cpp, which loopscope_instrument(target TORCH) compiles into a
 * target, hands it over. C99 and C++11 or newer.
 */
#ifndef LOOPSCOPE_TORCH_FACTS_H
#define LOOPSCOPE_TORCH_FACTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Of an operator that begins. */
struct loopscope_torch_operator {
  int64_t sequence; /* of the backward graph's next node; negative: none */
  uint64_t thread;  /* that runs it, as LibTorch counts threads */
  /* Of a backward operator, which has its forward operator's sequence: the
   * thread that ran that one. 0 of any other. */
  uint64_t forward_thread;
};

#define LOOPSCOPE_TORCH_FACTS_VERSION 2u
struct loopscope_torch_facts {
  uint32_t version; /* LOOPSCOPE_TORCH_FACTS_VERSION; others are left alone */
  /* Of the LibTorch whose headers were there. */
  uint32_t torch_major;
  uint32_t torch_minor;
  uint32_t reserved;
  /* Fills *INTO from FUNCTION, an at::RecordFunction. Throws nothing. */
  void (*describe)(const void *function, struct loopscope_torch_operator *into);
  /* Of FUNCTION, an at::RecordFunction that begins and that an observer wants
   * the inputs of. Neither throws. */
  /* A number for the inputs' shapes and types, which other shapes or types
   * don't have. */
  uint64_t (*hash_inputs)(const void *function);
  /* Writes them as profile_format_operators.h has them, with a NUL, into TEXT,
   * which has room for SIZE bytes; lists that are too long end with "...". */
  void (*write_inputs)(const void *function, char *text, size_t size);
};

/* Hands FACTS, which stay as they are, to the runtime. Where it records
 * operators it keeps the object that they are in loaded; else it forgets them.
 * Any thread, before main too. */
void loopscope_torch_attach(const struct loopscope_torch_facts *facts)
#if defined(__cplusplus)
    noexcept
#endif
    ;

#ifdef __cplusplus
}
#endif

#endif /* LOOPSCOPE_TORCH_FACTS_H */
