// Function mode times C functions, too, except those that call setjmp.
// RUN: loopscope-rewrite --functions %s -o %t.c -- -std=c11
// RUN: FileCheck %s --match-full-lines --input-file=%t.c
// RUN: %gcc -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -fsyntax-only %runtime_include %t.c
// RUN: %clang -std=c11 -Wall -Wextra -Wpedantic -Werror -O2 -fsyntax-only %runtime_include %t.c
#include <setjmp.h>
static jmp_buf place;

inline int twice(int x);
inline int twice(int x) {
  // CHECK: inline int twice(int x) {__LOOPSCOPE_SPAN(1, INLINE_FUNCTION, "twice", [[@LINE-1]], "twice");
  for (int i = 0; i < 2; ++i)
    x += i;
  return x;
}

int main(void) {
  // CHECK: int main(void) {
  for (int i = 0; i < 2; ++i)
    if (setjmp(place) == 0)
      longjmp(place, twice(1));
  return 0;
}
