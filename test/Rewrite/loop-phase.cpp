// A batch loop can be a phase or a stage as well; a step's body may be one statement of any kind.
// RUN: %compare %s %t | %trace
#include "work.h"
#include <initializer_list>

int main() {
  [[loopscope::predict, loopscope::valid]] for (int i = 0; i < 1; ++i)
    [[loopscope::phase("p")]] try { work("a"); } catch (...) {}
  [[loopscope::train]] for (int i = 0; i < 2; ++i)
    switch (i) { case 0: work("b"); }
  [[loopscope::train, loopscope::phase("inside")]] for (int i = 0; i < 1; ++i)
    for (int j : {1, 2}) value("c", j);
}
// TRACE: predict(valid(step(~p(a))))
// TRACE: train(step(b) step())
// TRACE: ~inside(train(step(c c)))
