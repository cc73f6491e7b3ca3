// __TIMESTAMP__ is the source's time, not that of its copy.
// RUN: rm -f %t.cpp && touch -d "2020-02-03 04:05:06" %t.cpp && cat %s >> %t.cpp && touch -d "2020-02-03 04:05:06" %t.cpp
// RUN: %same --levels=-O0 %t.cpp | FileCheck %s
// RUN: loopscope-launch g++ -Wno-attributes %t.cpp -o %t.exe && env LOOPSCOPE=off %t.exe | FileCheck %s --check-prefix=TIME
// CHECK: timestamp.cpp.tmp.cpp: same
// TIME: Mon Feb  3 04:05:06 2020{{$}}
#include <cstdio>

int main() {
  [[loopscope::phase("x")]] std::puts(__TIMESTAMP__);
}
