// A C program links the runtime with gcc alone.
// REQUIRES: gcc
// RUN: %gcc -std=c11 -Wall -Werror %runtime_include %s -o %t %runtime_lib
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t && rm %t.loopscope
#include <loopscope/loopscope.h>

int main(void) {
  static const loopscope_site site =
      LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "work", 8, "main");
  loopscope_leave(loopscope_enter(&site));
}
