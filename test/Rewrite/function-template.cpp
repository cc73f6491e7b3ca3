// A template is edited once; each instantiation has its site.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

template <typename T> [[loopscope::phase("t")]] T twice(T x) {
  // CHECK: template <typename T> T twice(T x) {__LOOPSCOPE_SPAN(1, PHASE, "t", [[@LINE-1]], "twice");
  [[loopscope::phase("inner")]] T y = static_cast<T>(value("w", 1));
  return x + y;
}
template <> [[loopscope::phase("special")]] char twice(char x) { return x; }

template <typename T> struct Box {
  [[loopscope::phase("get")]] T get() { return static_cast<T>(value("g", 1)); }
  T member() { [[loopscope::phase("st")]] { work("m"); } return T(); }
};

template <typename T> [[loopscope::phase("never")]] void unused(T x) { x.nothing(); }

int main() {
  twice(1), twice(2L), twice('c');
  Box<int>().get(), Box<double>().get();
  Box<float>().member();
}
// TRACE: t(~inner(w))
// TRACE: t(~inner(w))
// TRACE: special()
// TRACE: get(g)
// TRACE: get(g)
// TRACE: st(m)
