// A function object is called without a name, so its rule selects the definition.
// REQUIRES: x86, libdw, rewriter
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gxx -O2 -g %s -o train && loopscope run --no-counts -- ./train
// RUN: loopscope suggest train.*.loopscope -o loops.yaml && FileCheck %s --check-prefix=RULES --input-file=loops.yaml
// RULES: { kind: phase, name: "Draws::Sampler::operator()", function: "Draws::Sampler::operator()" }
// RUN: loopscope-launch --select=$PWD/loops.yaml %gxx -O2 -g -I %S %s -o marked 2>&1 | FileCheck %s --check-prefix=ALL --allow-empty
// ALL-NOT: matches nothing
// RUN: env LOOPSCOPE=report=none,warmup=0,output=m.loopscope ./marked
// RUN: loopscope report m.loopscope --view throughput --format csv --columns action,calls | FileCheck %s
// CHECK-DAG: ,"Draws::Sampler::operator()",600{{$}}
#include "Inputs/known-loop.h"
#include <memory>

namespace Draws {
struct Sampler {
  __attribute__((noinline)) bool operator()(int i) {
    burn(200);
    return i % 2 != 0;
  }
};
} // namespace Draws

int main() {
  auto sampler = std::make_unique<Draws::Sampler>();
  int kept = 0;
  for (int i = 0; i < 300; ++i) {
    if ((*sampler)(i))
      ++kept;
    kept += (*sampler)(i + 1) ? 1 : 0;
    forward();
  }
  return kept == 300 ? 0 : 1;
}
