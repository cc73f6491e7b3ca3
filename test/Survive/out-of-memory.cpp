// Memory runs out in the middle: later call paths may be lost, which the report says,
// and the program ends by its own bad_alloc.
// RUN: env SURVIVE_RUN='ulimit -v 200000; exec "$@"' %survive_cxx
// RUN: %calls | FileCheck %s
// RUN: FileCheck %s --check-prefix=END --input-file=%t.err
// CHECK-DAG: {{^}}work,1000{{$}}
// END: bad_alloc
#include "survive.h"
#include <cstdlib>
#include <new>

int main() {
  for (int I = 0; I < 1000; ++I) {
    PHASE(1, "work");
  }
  for (size_t Size = 1 << 20; Size >= 16; Size /= 2)
    while (std::malloc(Size))
      ;
  {
    PHASE(2, "without memory");
  }
  volatile size_t Size = 64;
  for (;;)
    (void)::operator new(Size);
}
