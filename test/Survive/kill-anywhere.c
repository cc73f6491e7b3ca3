// SIGKILL at 200 random moments: 200 readable profiles, no finished span missing.
// RUN: rm -rf %t.d && mkdir %t.d
// RUN: %gcc -O1 %runtime_include %S/Inputs/killer.c -o %t.killer
// RUN: %gcc -O1 -I %S/Inputs %runtime_include %s -o %t.program %runtime_lib
// RUN: %t.killer %t.program %t.d 200 3 begun > %t.made
// RUN: test $(cat %t.made) -eq 200 && ls %t.d/*.loopscope | count 200
// RUN: for p in %t.d/*.loopscope; do loopscope report $p >/dev/null || exit 1; done
#include "survive.h"
#include <fcntl.h>
#include <stdint.h>
#include <sys/mman.h>
#include <unistd.h>

int main(int argc, char **argv) {
  volatile uint64_t *done = mmap(NULL, 4096, PROT_READ | PROT_WRITE, MAP_SHARED,
                                 open(argv[argc - 1], O_RDWR), 0);
  for (;;) {
    {
      PHASE(1, "work");
      for (int i = 0; i < 3; ++i) {
        {
          PHASE(2, "part");
          if (i == 2)
            usleep(10);
        }
        ++done[1];
      }
    }
    ++done[0];
  }
}
