// A program may define malloc and use phases in it: libc calls it on the runtime's
// behalf, too, before main, for threads and at exit.
// RUN: env SURVIVE_OPTIONS=devices=10ms %survive_c
// RUN: %calls | FileCheck %s
// RUN: count 0 < %t.err
// CHECK-DAG: {{^}}malloc,
// CHECK-DAG: {{^}}work,100{{$}}
#include "survive.h"
#include <dlfcn.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static _Alignas(16) char memory[1 << 22];
static size_t used;

void *malloc(size_t size) {
  PHASE(1, "malloc");
  size_t at = __atomic_fetch_add(&used, (size + 31) / 16 * 16, __ATOMIC_RELAXED);
  if (at + size + 32 > sizeof memory)
    return NULL;
  memcpy(memory + at, &size, sizeof size);
  return memory + at + 16;
}

void free(void *block) {
  PHASE(2, "free");
  (void)block;
}

void *calloc(size_t count, size_t size) {
  return malloc(count * size); // never given out before
}

void *realloc(void *block, size_t size) {
  PHASE(3, "realloc");
  size_t before = 0;
  if (block != NULL)
    memcpy(&before, (char *)block - 16, sizeof before);
  void *result = malloc(size);
  if (result != NULL && before != 0)
    memcpy(result, block, before < size ? before : size);
  return result;
}

int main(void) {
  for (int i = 0; i < 100; ++i) {
    PHASE(4, "work");
    free(malloc(100));
  }
  printf("%d\n", dlopen("libm.so.6", RTLD_NOW) != NULL);
}
