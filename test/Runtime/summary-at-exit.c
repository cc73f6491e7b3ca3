// At exit, a program prints the summary, unless LOOPSCOPE asks for another view: by its word, by
// its mode, or by a style, which only the simple view has.
// RUN: rm -rf %t.d && mkdir %t.d && %build_c && cd %t.d && %t 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: cd %t.d && env LOOPSCOPE=cpu=off %t 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: cd %t.d && env LOOPSCOPE=simple %t 2>&1 | FileCheck %s --check-prefix=SIMPLE
// RUN: cd %t.d && env LOOPSCOPE=view=simple %t 2>&1 | FileCheck %s --check-prefix=SIMPLE
// RUN: cd %t.d && env LOOPSCOPE=style=plain %t 2>&1 | FileCheck %s --check-prefix=SIMPLE
// RUN: cd %t.d && env LOOPSCOPE=simple,view=tree %t 2>&1 | FileCheck %s --check-prefix=TREE
// RUN: cd %t.d && loopscope run --view simple -- %t | FileCheck %s --check-prefix=SIMPLE
// RUN: cd %t.d && loopscope run -- %t | FileCheck %s --check-prefix=SUMMARY
// SUMMARY: {{^}}Where the {{.*}} went {{ *}}Share
// SUMMARY: {{^}}Heaviest phases
// SUMMARY: {{^}}loopscope report --view tree {{.*}}.loopscope shows
// SIMPLE: {{^}}FIT Profiler Report{{$}}
// TREE: {{^}}Call-path tree
#include <loopscope/hooks.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, PHASE, "forward", __LINE__, "main");
  volatile double sum = 0;
  for (int i = 0; i < 3000000; ++i)
    sum += i;
}
