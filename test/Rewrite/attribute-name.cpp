// A phase's name may contain quotes, backslashes, spaces, percent signs and UTF-8.
// RUN: loopscope-rewrite %s -o %t.cpp -- -std=c++17
// RUN: %text
// RUN: %clangxx -fsyntax-only -std=c++17 -Wall -Werror %runtime_include %t.cpp
// RUN: %gxx -fsyntax-only -std=c++17 -Wall -Werror %runtime_include %t.cpp

void f();
int main() {
  [[loopscope::phase("say \"hi\"")]] f();
  // CHECK: {__LOOPSCOPE_SPAN(1, PHASE, "say \"hi\"", [[@LINE-1]], "main"); f();}
  f();
  [[loopscope::phase("C:\\data\t100%")]] f();
  // CHECK: {__LOOPSCOPE_SPAN(2, PHASE, "C:\\data\t100%", [[@LINE-1]], "main"); f();}
  f();
  [[loopscope::phase("Rückwärts ∇ 1f")]] f();
  // CHECK: {__LOOPSCOPE_SPAN(3, PHASE, "{{.*}}", [[@LINE-1]], "main"); f();}
  f();
  [[loopscope::phase(R"(raw \n "q")")]] f();
  // CHECK: {__LOOPSCOPE_SPAN(4, PHASE, "raw \\n \"q\"", [[@LINE-1]], "main"); f();}
  f();
  [[loopscope::phase("a/*b*/??/[aten]")]] f();
  // CHECK: {__LOOPSCOPE_SPAN(5, PHASE, "a/*b*/{{.*}}/[aten]", [[@LINE-1]], "main"); f();}
}
