// A declaration that is the statement of a label or an if is timed, too.
// RUN: %compare %s %t --std=c++17 | %trace
#include "work.h"

int main() {
  if (value("a", 1))
    [[loopscope::phase("alone")]] [[maybe_unused]] int x = value("b", 2);
  switch (1) {
  case 1: {
    [[loopscope::phase("case")]] int y = value("c", 3);
    return y;
  }
  }
}
// TRACE: a
// TRACE: alone(b)
// TRACE: case(c)
// TRACE: exit code 3
