// A reference keeps its temporary alive as in the original, and binds the same object.
// RUN: %compare %s %t --std=c++11,c++14,c++17,c++20 | %trace
#include "work.h"

struct Tensor {
  ~Tensor() { work("gone"); }
  int v = 4;
};
static Tensor global;
static Tensor make() { work("make"); return {}; }
static Tensor &same() { work("same"); return global; }

int main() {
  {
    [[loopscope::phase("const")]] const Tensor &t = make();
    work("use");
    [[loopscope::phase("rvalue")]] auto &&u = make();
    work(t.v == u.v ? "alive" : "dead");
  }
  [[loopscope::phase("lvalue")]] Tensor &r = same();
  return &r == &global ? 0 : 1;
}
// TRACE: const(make)
// TRACE: use
// TRACE: rvalue(make)
// TRACE: alive
// TRACE: gone
// TRACE: gone
// TRACE: lvalue(same)
// TRACE: gone
