// Draws can be anywhere in a step, several times, or outside a step.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

int main() {
  [[loopscope::draw]] int next = value("first", 0);
  // CHECK: __LOOPSCOPE_SPAN(1, DRAW, "draw", [[@LINE-1]], "main"); int next = value("first", 0); __LOOPSCOPE_END(1);
  while (next < 0) next = 0;
  [[loopscope::train]] while (next < 2) {
    [[loopscope::draw]] work("wait");
    // CHECK: {__LOOPSCOPE_SPAN(4, DRAW, "draw", [[@LINE-1]], "main"); work("wait");}
    [[loopscope::phase("p")]] {
      work("f");
      [[loopscope::draw]] { work("more"); }
    }
    [[loopscope::draw]] next = value("end", next + 1);
  }
}
// TRACE: draw(first)
// TRACE: train(step(draw(wait) ~p(f draw(more)) draw(end)) step(draw(wait) ~p(f draw(more)) draw(end)))
