// Methods are timed where they are defined, inside or outside the class.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

struct Net {
  [[loopscope::phase("in")]] void in() { work("a"); }
  // CHECK: void in() {__LOOPSCOPE_SPAN(1, PHASE, "in", [[@LINE-1]], "Net::in"); work("a"); }
  void out() const;
  [[loopscope::phase("virtual")]] virtual void over() { work("base"); }
  virtual ~Net() = default;
};

[[loopscope::phase("out")]] void Net::out() const { work("b"); }
// CHECK: void Net::out() const {__LOOPSCOPE_SPAN(3, PHASE, "out", [[@LINE-1]], "Net::out"); work("b"); }

struct Sub : Net {
  void over() override { work("sub"); }
};

int main() {
  Sub n;
  n.in();
  n.out();
  n.over();
  n.Net::over();
}
// TRACE: in(a)
// TRACE: out(b)
// TRACE: sub
// TRACE: virtual(base)
