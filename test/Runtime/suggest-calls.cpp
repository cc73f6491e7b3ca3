// Rules for calls that no statement makes by the function's own name: in the head of a branch, of a virtual function, through
// a pointer, of a constructor. The next build measures each of them exactly. Names of templates have no arguments, and the
// system's functions the names that the source calls them by.
// REQUIRES: x86, libdw, rewriter
// RUN: rm -rf %t.d && mkdir %t.d && cd %t.d && %gxx -O2 -g %s -o train
// RUN: loopscope run --no-counts --format json -o found.json -- ./train > /dev/null && loopscope suggest train.*.loopscope -o loops.yaml
// RUN: FileCheck %s --check-prefix=RULES --input-file=loops.yaml --implicit-check-not='"puts"'
// RULES-DAG: { kind: train, in: "Trainer::run", loop: 1 }
// RULES-DAG: { kind: phase, name: "converged", function: "converged" }
// RULES-DAG: { kind: phase, name: "Dense::forward", function: "Dense::forward" }
// RULES-DAG: { kind: phase, name: "descend", function: "descend" }
// RULES-DAG: { kind: phase, name: "Sample::Sample", function: "Sample::Sample" }
// RULES-DAG: { kind: phase, name: "snprintf", in: "Trainer::run", call: "snprintf" }
// RULES-DAG: { kind: phase, name: "Trainer::backward", in: "Trainer::run", call: "backward" }
// RUN: loopscope-launch --record=$PWD/record --select=$PWD/loops.yaml %gxx -O2 -g -I %S %s -o marked
// RUN: loopscope-launch --summary=$PWD/record --rules 2>&1 | FileCheck %s --check-prefix=ALL --allow-empty --implicit-check-not=warning
// ALL-NOT: rule
// RUN: env LOOPSCOPE=report=none,warmup=0,output=m.loopscope ./marked 30 > /dev/null
// RUN: loopscope report m.loopscope --view throughput --format csv --columns action,calls | FileCheck %s
// CHECK-DAG: "fit","step",30{{$}}
// CHECK-DAG: "fit","converged",30{{$}}
// CHECK-DAG: "fit","Dense::forward",30{{$}}
// CHECK-DAG: "fit","descend",30{{$}}
// CHECK-DAG: "fit","Sample::Sample",30{{$}}
// CHECK-DAG: "fit","Trainer::backward",30{{$}}
// CHECK-DAG: "fit","snprintf",120000{{$}}

// People see names without long template arguments, json has them.
// RUN: loopscope report train.*.loopscope | FileCheck %s --check-prefix=SHORT
// SHORT: {{^}}Likely main loop: the loop in Trainer::run(), suggest-calls.cpp:
// SHORT: {{^}}Trainer::backward {{ *}}suggest-calls.cpp:
// RUN: FileCheck %s --check-prefix=LONG --input-file=found.json
// LONG: "Trainer<Longest, std::array<std::array<int, 2ul>, 3ul>{{ ?}}>::backward<std::array<std::array<int, 2ul>, 3ul>{{ ?}}>"
#include "Inputs/known-loop.h"
#include <array>

// Each call has about a sixth of the samples: a tenth is needed for a rule.
struct Longest {};
struct Layer {
  virtual void forward() = 0;
  virtual ~Layer() = default;
};
struct Dense final : Layer {
  void forward() override { burn(350); sink = sink + 1; }
};
struct Sample {
  __attribute__((noinline)) Sample() { burn(350); sink = sink + 1; }
};
__attribute__((noinline)) static void descend() { burn(350); sink = sink + 1; }
__attribute__((noinline)) static bool converged() {
  burn(350);
  sink = sink + 1;
  return sink < 0;
}

template <typename Loss, typename Data> struct Trainer {
  Layer *layer;
  void (*update)();
  char text[64];
  template <typename T> __attribute__((noinline)) void backward(const T &) {
    burn(350);
    sink = sink + 1;
  }
  __attribute__((noinline)) void run(int steps) {
    for (int i = 0; i < steps; ++i) {
      Sample sample;
      layer->forward();
      this->backward(Data());
      for (int k = 0; k < 3000; ++k)
        puts("x"); // the system's, and short
      for (int k = 0; k < 4000; ++k)
        snprintf(text, sizeof text, "%f", k * 0.1);
      update();
      if (converged())
        break;
    }
  }
};

int main(int argc, char **argv) {
  Dense dense;
  Trainer<Longest, std::array<std::array<int, 2>, 3>> trainer{&dense, argc > 9 ? nullptr : descend, ""};
  trainer.run(argc > 1 ? atoi(argv[1]) : 800);
  return 0;
}
