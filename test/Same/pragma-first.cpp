// Pragmas that must come first in a block stay first there, in functions of every kind.
// RUN: %same --spans %s -- -Wno-unknown-pragmas -Wno-pedantic | FileCheck %s
// CHECK: pragma-first.cpp: same
// CHECK: {{^ +}}1 block{{$}}
#include <cstdio>

struct Sum {
  double value;
  explicit Sum(double a) try : value(a) {
#pragma clang fp contract(off)
    value = value * 2 + 1;
  } catch (...) {
  }
  ~Sum() {
#pragma float_control(precise, on)
    std::printf("%f\n", value);
  }
};

template <typename T> static T f(T a, T b, T c) {
#pragma clang fp reassociate(on)
  return a * b + c;
}

int main() {
#pragma STDC FENV_ACCESS ON
  Sum sum(f(3.0, 4.0, 5.0));
  [[loopscope::phase("block")]] {
#pragma clang fp contract(fast)
    auto add = [](double a, double b) {
#pragma clang fp contract(off)
      return a * b + 1;
    };
    sum.value += add(1, 2);
  }
}
