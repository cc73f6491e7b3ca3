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
#include <xmmintrin.h>

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

__attribute__((noinline)) static float vectors(long N) {
  __m128 X = _mm_set1_ps(static_cast<float>(Sink)), A = _mm_set1_ps(0.999F),
         B = _mm_set1_ps(0.001F);
  for (long I = 0; I < N; ++I)
    X = _mm_add_ps(_mm_mul_ps(X, A), B);
  return _mm_cvtss_f32(X);
}

// CHECK: stage,phase,thread,function,library,file,line,count,percent,percent_low,percent_high
// CHECK-DAG: "fit","phase one","main","{{.*}}inlined","{{.*}}","{{.*}}stacks-lines.cpp",[[@LINE-22]],{{[0-9]+,(9[0-9]|100)[.,].*}}{{$}}
// Intrinsics belong to the functions and lines that use them.
// CHECK-DAG: "fit","phase two","main","vectors","{{.*}}","{{.*}}stacks-lines.cpp",[[@LINE-11]],{{[0-9]+,(9[0-9]|100)[.,].*}}{{$}}
// RUN: FileCheck %s --check-prefix=INTRINSICS --implicit-check-not=_mm_ --input-file=%t.folded
// INTRINSICS: {{^}}main;phase two;{{.*}}vectors {{[0-9]+$}}
// RUN: loopscope annotate %t.loopscope "phase two" | FileCheck %s --check-prefix=LISTING --implicit-check-not=xmmintrin.h
// How many are on the loop's own line depends on the CPU.
// LISTING: {{^ +[0-9]+ +([1-9][0-9]|100)\.[0-9] }}{{.*}}_mm_mul_ps(X, A)
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
  while (clock() < Start + 2 * CLOCKS_PER_SEC) {
    __LOOPSCOPE_SPAN(2, PHASE, "phase two", 1, "main");
    Sink = vectors(1000000L);
  }
}
