// An annotation on a function template doesn't apply to its explicit specializations, which have their own.
// RUN: %compare %s %t --std=c++11,c++17 | %trace
#include "work.h"

template <class T> [[loopscope::phase("primary")]] void run(T);
template <> void run<int>(int) { work("int"); }
template <> [[loopscope::phase("char")]] void run<char>(char) { work("char"); }
template <> [[loopscope::phase("long")]] void run<long>(long);
template <> void run<long>(long) { work("long"); }
template <class T> void run(T) { work("any"); }

int main() {
  run(1);
  run('c');
  run(2L);
  run(0.5);
}
// TRACE: int
// TRACE: char(char)
// TRACE: long(long)
// TRACE: primary(any)
