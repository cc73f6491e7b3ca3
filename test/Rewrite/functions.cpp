// Function mode times every function except small, constexpr and ignored ones. A
// function that is a phase is also a function in that phase.
// RUN: loopscope-rewrite --functions %s -o %t.cpp -- -std=c++17 -I %S/Inputs
// RUN: %text
// RUN: %clangxx -std=c++17 -fsyntax-only -Wall -Wextra -Werror %runtime_include -I %S/Inputs %t.cpp
// RUN: %gxx -std=c++17 -fsyntax-only -Wall -Wextra -Werror %runtime_include -I %S/Inputs %t.cpp
#include <vector>
#include "work.h"

struct Net {
  int size() const { return size_; }
  // CHECK: int size() const { return size_; }
  int &operator[](int i) { work("a"); work("b"); work("c"); return data[static_cast<unsigned>(i)]; }
  // CHECK: int &operator[](int i) { work("a"); {{.*}}
  template <typename T> T sum(T start) { for (int i = 0; i < size(); ++i) start += data[static_cast<unsigned>(i)]; return start; }
  // CHECK: template <typename T> T sum(T start) {__LOOPSCOPE_SPAN(1, FUNCTION, "Net::sum", [[@LINE-1]], "Net::sum"); for (int i = 0; i < size(); ++i) {{.*}}
  int size_ = 0;
  std::vector<int> data;
};

constexpr int square(int x) { for (int i = 0; i < x; ++i) ++x; return x; }
// CHECK: constexpr int square(int x) { {{.*}}
[[loopscope::ignore]] static void left() { for (int i = 0; i < 9; ++i) work("a"); }
// CHECK: static void left() { for (int i = 0; i < 9; ++i) work("a"); }
[[loopscope::phase("p")]] static void phase() { for (int i = 0; i < 9; ++i) work("a"); }
// CHECK: static void phase() {__LOOPSCOPE_SPAN(2, PHASE, "p", [[@LINE-1]], "phase"); __LOOPSCOPE_SPAN_NEXT(3, FUNCTION, "phase", [[@LINE-1]], "phase"); for (int i = 0; i < 9; ++i) work("a"); }

int main() {
  // CHECK: int main() {__LOOPSCOPE_SPAN(4, FUNCTION, "main", [[@LINE-1]], "main");
  Net net;
  left();
  phase();
  return net.sum(0) + square(net[0]);
}
