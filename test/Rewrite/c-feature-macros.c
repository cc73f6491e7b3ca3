// Feature macros that a C file defines before its includes still work in the copy.
// RUN: loopscope-rewrite %s -o %t.c -- -std=c11
// RUN: %gcc -std=c11 -Wall -Wextra -Werror -fsyntax-only %runtime_include %t.c
#define _GNU_SOURCE
#include <string.h>

#include <loopscope/annotate.h>

int main(int argc, char **argv) {
  LOOPSCOPE_PHASE("gnu only") const char *end = strchrnul(argv[argc - 1], ' ');
  return *end != '\0';
}
