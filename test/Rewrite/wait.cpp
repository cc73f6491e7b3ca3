// A wait can be wherever a phase can, with or without a name.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
// RUN: %text
#include "work.h"

struct Queue {
  [[loopscope::wait("pop")]] int pop() { return value("p", 2); }
  // CHECK: int pop() {__LOOPSCOPE_SPAN(1, WAIT, "pop", [[@LINE-1]], "Queue::pop"); return value("p", 2); }
};

[[loopscope::wait]] static void barrier() { work("b"); }
// CHECK: static void barrier() {__LOOPSCOPE_SPAN(2, WAIT, "wait", [[@LINE-1]], "barrier"); work("b"); }

int main() {
  Queue queue;
  [[loopscope::wait("join")]] work("a");
  // CHECK: {__LOOPSCOPE_SPAN(3, WAIT, "join", [[@LINE-1]], "main"); work("a");}
  [[loopscope::wait]] int n = queue.pop();
  // CHECK: __LOOPSCOPE_SPAN_NEXT(4, WAIT, "wait", [[@LINE-1]], "main"); int n = queue.pop(); __LOOPSCOPE_END(4);
  [[loopscope::wait()]] while (n > 0) {
    // CHECK: {__LOOPSCOPE_SPAN_NEXT(5, WAIT, "wait", [[@LINE-1]], "main"); while (n > 0) {
    --n;
  }
  // CHECK: }}
  [[loopscope::train]] for (int i = 0; i < 1; ++i) {
    [[loopscope::phase("step"), loopscope::wait("get")]] barrier();
    // CHECK: {__LOOPSCOPE_SPAN_NEXT(8, PHASE, "step", [[@LINE-1]], "main"); {__LOOPSCOPE_SPAN_NEXT(9, WAIT, "get", [[@LINE-1]], "main"); barrier();}}
  }
  auto lambda = [&] { [[loopscope::wait("in")]] { work("l"); } };
  lambda();
}
// TRACE: join(a)
// TRACE: ~wait(pop(p))
// TRACE: ~wait()
// TRACE: train(step(~step(~get(wait(b)))))
// TRACE: in(l)
