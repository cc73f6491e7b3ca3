/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* Details about operators that only a build with LibTorch's headers can give to
 * the runtime. loopscope_instrument(target TORCH) compiles torch_facts.cpp into
 * a target, which passes them on. C99 and C++11 or newer.
 */
#ifndef LOOPSCOPE_TORCH_FACTS_H
#define LOOPSCOPE_TORCH_FACTS_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* An operator that begins. */
struct loopscope_torch_operator {
  int64_t sequence; /* of the backward graph's next node; negative: none */
  uint64_t thread;  /* thread that runs it, in LibTorch's numbering */
  /* The thread that ran the forward operator, if this is a backward operator
   * (which has its forward operator's sequence); else 0. */
  uint64_t forward_thread;
};

#define LOOPSCOPE_TORCH_FACTS_VERSION 2u
struct loopscope_torch_facts {
  uint32_t version; /* LOOPSCOPE_TORCH_FACTS_VERSION; others are ignored */
  /* Version of the LibTorch headers. */
  uint32_t torch_major;
  uint32_t torch_minor;
  uint32_t reserved;
  /* Fills *INTO from FUNCTION, an at::RecordFunction. Never throws. */
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

/* Passes FACTS, which must stay valid and unchanged, to the runtime. If the
 * runtime records operators, it keeps the object that holds FACTS loaded;
 * otherwise it ignores them. Callable on any thread, also before main. */
void loopscope_torch_attach(const struct loopscope_torch_facts *facts)
#if defined(__cplusplus)
    noexcept
#endif
    ;

#ifdef __cplusplus
}
#endif

#endif /* LOOPSCOPE_TORCH_FACTS_H */
