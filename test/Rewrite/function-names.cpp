// A site has the qualified name of its enclosing function.
// RUN: loopscope-rewrite %s -o %t.cpp -- -std=c++17
// RUN: %text

namespace {
[[loopscope::phase("x")]] void hidden() {}
// CHECK: void hidden() {__LOOPSCOPE_SPAN(1, PHASE, "x", [[@LINE-1]], "(anonymous namespace)::hidden");}
} // namespace

template <typename T> struct Net {
  struct Inner {
    [[loopscope::phase("x")]] bool operator==(const Inner &) const { return true; }
    // CHECK: bool operator==(const Inner &) const {__LOOPSCOPE_SPAN(2, PHASE, "x", [[@LINE-1]], "Net::Inner::operator=="); return true; }
  };
  [[loopscope::phase("x")]] operator T() { return {}; }
  // CHECK: operator T() {__LOOPSCOPE_SPAN(3, PHASE, "x", [[@LINE-1]], "Net::operator T"); return {}; }
};

extern "C" [[loopscope::phase("x")]] void c() {}
// CHECK: extern "C" void c() {__LOOPSCOPE_SPAN(4, PHASE, "x", [[@LINE-1]], "c");}
inline namespace v1 {
[[loopscope::phase("x")]] inline void f() { auto g = [] { [[loopscope::phase("y")]] hidden(); }; g(); }
// CHECK: inline void f() {__LOOPSCOPE_SPAN(5, PHASE, "x", [[@LINE-1]], "v1::f"); auto g = [] { {__LOOPSCOPE_SPAN(6, PHASE, "y", [[@LINE-1]], "v1::f::(lambda)"); hidden();} }; g(); }
}
