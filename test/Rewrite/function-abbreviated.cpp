// Function templates whose parameters are `auto` are annotated like others.
// RUN: %compare %s %t --std=c++20 | %trace
#include "work.h"
#include <loopscope/annotate.h>

template <class X>
concept Number = requires(X x) { x + 1; };

[[loopscope::phase("plain")]] void plain(auto x) { value("plain", x); }
LOOPSCOPE_PHASE("constrained") void constrained(const Number auto &x) { value("constrained", x); }
[[loopscope::phase("pack")]] void pack(auto... x) { (value("pack", x), ...); }
struct S {
  [[loopscope::phase("member")]] void member(auto x) { value("member", x); }
};
void inside(auto x) {
  [[loopscope::phase("inside")]] value("inside", x);
}

int main() {
  plain(1);
  constrained(2);
  pack(3, 4);
  S().member(5);
  inside(6);
}
// TRACE: plain(plain)
// TRACE: constrained(constrained)
// TRACE: pack(pack pack)
// TRACE: member(member)
// TRACE: inside(inside)
