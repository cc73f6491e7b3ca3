// Static constructors and destructors may run phases, before main and after it.
// RUN: %survive_cxx
// RUN: %calls | FileCheck %s
// CHECK-DAG: {{^}}construct,2{{$}}
// CHECK-DAG: {{^}}destruct,2{{$}}
// CHECK-DAG: {{^}}main,1{{$}}
#include "survive.h"
#include <cstdio>

struct Life {
  Life() {
    PHASE(1, "construct");
    std::puts("construct");
  }
  ~Life() {
    PHASE(2, "destruct");
    std::puts("destruct");
  }
};
static Life First;
__attribute__((init_priority(101))) static Life Early;

int main() { PHASE(3, "main"); }
