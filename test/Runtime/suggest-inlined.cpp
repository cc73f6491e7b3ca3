// A loop in a member template whose arguments have no names, as lambdas: it has no linker's name, which would have its class and
// namespace, and rules need these.
// REQUIRES: x86, libdw, rewriter
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gxx -O2 -g %s -o train
// RUN: loopscope run --no-counts -- ./train | FileCheck %s --check-prefix=FOUND
// FOUND: {{^}}Likely main loop: the loop in ai::Learner::fit{{(<.*>)?}}(), suggest-inlined.cpp:[[@LINE+14]] (
// RUN: loopscope suggest train.*.loopscope -o loops.yaml && FileCheck %s --check-prefix=RULES --input-file=loops.yaml
// RULES: { kind: train, in: "ai::Learner::fit", loop: 1 }
// RUN: loopscope-launch --select=$PWD/loops.yaml %gxx -O2 -g -I %S %s -o marked
// RUN: env LOOPSCOPE=report=none,warmup=0,output=m.loopscope ./marked
// RUN: loopscope report m.loopscope --view throughput --format csv --columns action,calls | FileCheck %s
// CHECK-DAG: "fit","step",300{{$}}
// CHECK-DAG: "fit","forward",300{{$}}
// CHECK-DAG: "fit","backward",300{{$}}
#include "Inputs/known-loop.h"
namespace ai {
class Learner {
public:
  template <typename Each> void fit(int steps, Each &&each) {
    for (int i = 0; i < steps; ++i) {
      forward();
      backward();
      each();
    }
  }
};
} // namespace ai

int main() {
  ai::Learner().fit(300, [] { sink = sink + 1; });
  return 0;
}
