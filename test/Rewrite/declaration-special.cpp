// Initialisers whose meaning a comma would change: string, null, overload set, decltype(auto).
// RUN: %compare %s %t --std=c++14,c++17,c++20 | %trace
#include "work.h"

static int over(int x) { return value("int", x); }
int over(double);
int over(double) { return value("double", 9); }
static int global = 2;
static int &ref() { work("r"); return global; }
struct FromNull { FromNull(int *) {} };
template <typename T> static int id(T) { return value("id", 1); }

int main() {
  [[loopscope::phase("string")]] const char text[] = "abc";
  [[loopscope::phase("null")]] int *null = 0;
  [[loopscope::phase("overload")]] int (*f)(int) = over;
  [[loopscope::phase("template")]] int (*g)(int) = id;
  [[loopscope::phase("decltype")]] decltype(auto) d = ref();
  [[loopscope::phase("class")]] FromNull from = 0;
  [[loopscope::phase("lambda")]] auto l = [](int x) { return value("l", x); };
  d = 4;
  (void)from;
  return f(1) + g(1) + l(1) + global + (null ? 8 : 0) + static_cast<int>(sizeof text) - 4;
}
// TRACE: string()
// TRACE: ~null()
// TRACE: ~overload()
// TRACE: ~template()
// TRACE: ~decltype(r)
// TRACE: ~class()
// TRACE: ~lambda()
// TRACE: int
// TRACE: id
// TRACE: l
// TRACE: exit code 7
