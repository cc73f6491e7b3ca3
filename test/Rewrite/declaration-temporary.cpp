// A phase on a declaration ends after the destruction of its temporaries or before, never in the initialiser.
// RUN: %compare %s %t | %trace
#include "work.h"

struct Temporary {
  ~Temporary() { work("gone"); }
  int get() const { return value("get", 2); }
};

int main() {
  [[loopscope::phase("x")]] int x = Temporary().get();
  work("-");
  return x;
}
// TRACE: x(get gone)
// TRACE: -
// TRACE: exit code 2
