// A program whose time is in templates of a library's headers has no loop that a rule could select;
// it isn't said to lack debug information.
// REQUIRES: x86, libdw
// RUN: rm -rf %t.d && split-file %s %t.d && cd %t.d
// RUN: %gxx -O2 -g -I %S -I include -ffile-prefix-map=include=/usr/include main.cpp -o train
// RUN: loopscope run --no-counts -- ./train | FileCheck %s --implicit-check-not="debug information" --implicit-check-not="loopscope suggest"
// CHECK: {{^}}No loop was found. The system's headers aren't searched, and {{(100[.]0|[89][0-9][.][0-9])}}% of all samples are in code of /usr/include/learn or in what it calls. The call of learn::train() at main.cpp:7 has {{(100[.]0|[89][0-9][.][0-9])}}%; a mark there times it as a whole.{{$}}
// A line of the project that isn't known is named by none.
// RUN: %gxx -O2 -g -I %S -I include -ffile-prefix-map=include=/usr/include -ffile-prefix-map=main.cpp=/usr/lib/main.cpp main.cpp -o unknown
// RUN: loopscope run --no-counts -- ./unknown | FileCheck %s --check-prefix=UNKNOWN
// UNKNOWN: {{^}}No loop was found. The system's headers aren't searched, and {{.*}} of all samples are in code of /usr/{{.*}} or in what it calls.{{$}}
// Elsewhere than in a folder of the system, the same loop is found.
// RUN: %gxx -O2 -g -I %S -I include main.cpp -o ours && loopscope run --no-counts -- ./ours | FileCheck %s --check-prefix=OURS --implicit-check-not="headers"
// OURS: {{^}}Likely main loop: the loop in learn::train{{.*}}(), trainer.h:4 (
//--- include/learn/trainer.h
namespace learn {
template <typename Net> __attribute__((noinline)) void train(Net &net, int steps) {
  net.prepare();
  for (int i = 0; i < steps; ++i) {
    net.forward();
    net.backward();
  }
}
struct net {
  void prepare() { setup(); }
  __attribute__((noinline)) void forward() {
    burn(300);
    sink = sink + 1;
  }
  __attribute__((noinline)) void backward() {
    burn(600);
    sink = sink + 1;
  }
};
} // namespace learn
//--- main.cpp
#include "Inputs/known-loop.h"
#include <learn/trainer.h>
int main() {
  learn::net net;
  // Not the one with most samples.
  learn::train(net, 2);
  learn::train(net, 500);
}
