// clang: a phase over a tail call with musttail is refused, and function mode leaves
// such functions out.
// RUN: %same --only=clang %s | FileCheck %s
// CHECK: musttail.cpp: refused [must-tail]
#include <cstdio>

static int down(int n, int sum);
static int up(int n, int sum) {
  if (n == 0) return sum;
  [[clang::musttail]] return down(n - 1, sum + n);
}
static int down(int n, int sum) {
  if (n == 0) return sum;
  [[loopscope::phase("statement")]] [[clang::musttail]] return up(n - 1, sum * 2);
}
static int block(int n, int sum) {
  [[loopscope::phase("block")]] {
    [[clang::musttail]] return up(n, sum);
  }
}
[[loopscope::phase("function")]] static int function(int n, int sum) {
  [[clang::musttail]] return block(n, sum);
}
static int declaration(int n, int sum) {
  [[loopscope::phase("declaration")]] int more{sum + 1};
  [[clang::musttail]] return function(n, more);
}
static int fine(int n, int sum) {
  [[loopscope::phase("fine")]] sum += 2;
  [[loopscope::phase("lambda")]] sum += 1;
  [[clang::musttail]] return up(n, sum);
}

int main() { std::printf("%d %d\n", declaration(1000000, 1), fine(3, 4)); }
