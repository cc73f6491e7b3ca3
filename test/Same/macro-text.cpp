// A macro that turns its argument into a string or part of a name gets it without our
// text, however many macros pass it on.
// RUN: %same --spans %s | FileCheck %s
// CHECK: macro-text.cpp: refused [made-text]
// CHECK-DAG: {{^ +}}2 twice{{$}}
// CHECK-DAG: {{^ +}}1 rest{{$}}
// CHECK-NOT: text
#include <cstdio>
#include <loopscope/annotate.h>

#define CHECK_TRUE(x) do { if (!(x)) std::puts("fail"); std::puts(#x); } while (0)
#define OUTER(x) CHECK_TRUE(x)
#define SHOW(...) std::puts(#__VA_ARGS__); __VA_ARGS__
#define TWICE(x) x x
#define NAME(a, b) a ## b
#define REST(format, ...) std::printf(format, ## __VA_ARGS__)

int main() {
  CHECK_TRUE([] { [[loopscope::phase("text 1")]] return true; }());
  OUTER([] { LOOPSCOPE_PHASE("text 2") return true; }());
  SHOW([[loopscope::phase("text 3")]] std::puts("hi");)
  SHOW({ [[loopscope::phase("text 4")]] int a = 3; std::printf("%d\n", a); })
  CHECK_TRUE([] { struct Local { static int f() { return 1; } }; return Local::f(); }());
  std::NAME(pu, ts)("name");
  TWICE([[loopscope::phase("twice")]] std::puts("twice");)
  REST("%d\n", [] { [[loopscope::phase("rest")]] return 3; }());
}
