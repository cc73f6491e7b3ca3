// The runtime's threads have enough stack in a program whose thread-local storage, which lies in it, leaves almost none of what
// they would get.
// REQUIRES: gcc
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: for size in 16 230000 240000 250000 1030000 1040000; do %gcc -DSIZE=$size %runtime_include %s -o work-$size %runtime_lib && env LOOPSCOPE=devices=10,report=none,output=$size.loopscope ./work-$size && loopscope report $size.loopscope --view devices --format csv > $size.csv && grep -q host $size.csv || exit 1; done
#include <loopscope/hooks.h>
#include <time.h>

static __thread char storage[SIZE];

int main(void) {
  storage[SIZE / 2] = 1;
  __LOOPSCOPE_SPAN(1, PHASE, "work", 18, "main");
  struct timespec time = {0, 150000000};
  return nanosleep(&time, 0) - (storage[SIZE / 2] != 1);
}
