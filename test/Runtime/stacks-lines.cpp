// Inlined functions have their own rows, with the line of their definition, and C++
// functions have readable names.
// REQUIRES: libdw
// RUN: rm -f %t.loopscope && %gxx -O2 -g -Wall -Werror %runtime_include %s -o %t %runtime_lib
// RUN: env LOOPSCOPE=stacks,report=none,output=%t.loopscope %t
// RUN: loopscope report --view functions --format csv %t.loopscope | FileCheck %s
// RUN: loopscope export --to folded -o %t.folded %t.loopscope && FileCheck %s --check-prefix=FOLDED --input-file=%t.folded

// Without debug information the enclosing function is known; without symbols nothing
// is.
// RUN: rm -f %t.plain* && %gxx -O2 %runtime_include %s -o %t.plain %runtime_lib
// RUN: env LOOPSCOPE=stacks,report=none,output=%t.plain.loopscope %t.plain
// RUN: loopscope report --view functions --format csv %t.plain.loopscope | FileCheck %s --check-prefix=PLAIN
// RUN: rm -f %t.bare* && %gxx -O2 -s %runtime_include %s -o %t.bare %runtime_lib
// RUN: env LOOPSCOPE=stacks,report=none,output=%t.bare.loopscope %t.bare
// RUN: loopscope report --view functions --format csv %t.bare.loopscope | FileCheck %s --check-prefix=BARE
// RUN: loopscope report --view functions %t.bare.loopscope | FileCheck %s --check-prefix=NOTE
#include <ctime>
#include <loopscope/hooks.h>

static volatile double Sink;

namespace {
inline __attribute__((always_inline)) double inlined(double X, long N) {
  for (long I = 0; I < N; ++I)
    X = X * 1.0000001 + 1e-9;
  return X;
}
} // namespace

struct Model {
  template <typename T> __attribute__((noinline)) void forward(T N) {
    Sink = inlined(Sink, N);
  }
};

// CHECK: stage,phase,thread,function,library,file,line,count,percent,percent_low,percent_high
// CHECK: "fit","phase one","main","{{.*}}inlined","{{.*}}","{{.*}}stacks-lines.cpp",[[@LINE-14]],{{[0-9]+,(9[0-9]|100)[.,].*}}{{$}}
// FOLDED: {{^}}main;phase one;{{.*}}Model::forward<long>;{{.*}}inlined {{[0-9]+$}}
// PLAIN: "fit","phase one","main","Model::forward<long>","{{.*}}",,,{{[0-9]+,(9[0-9]|100)[.,].*}}{{$}}
// BARE: "fit","phase one","main","(no symbol)","{{.*}}",,,{{[0-9]+,(9[0-9]|100)[.,].*}}{{$}}
// NOTE: (no symbol): {{[0-9]+}} samples in files that name no function there.
int main() {
  clock_t Start = clock();
  while (clock() < Start + CLOCKS_PER_SEC) {
    __LOOPSCOPE_SPAN(1, PHASE, "phase one", 1, "main");
    Model().forward(1000000L);
  }
}
