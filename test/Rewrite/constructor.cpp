// A constructor's body is timed, not its initialisers; a destructor's body, not its members.
// RUN: %compare %s %t | %trace
// RUN: %text
#include "work.h"

struct Part {
  Part() { work("member"); }
  ~Part() { work("gone"); }
};

struct Net {
  [[loopscope::phase("make")]] Net(int x) : size(value("init", x)) { work("body"); }
  // CHECK: Net(int x) : size(value("init", x)) {__LOOPSCOPE_SPAN(1, PHASE, "make", [[@LINE-1]], "Net::Net"); work("body"); }
  [[loopscope::phase("end")]] ~Net() { work("body"); }
  // CHECK: ~Net() {__LOOPSCOPE_SPAN(2, PHASE, "end", [[@LINE-1]], "Net::~Net"); work("body"); }
  Part part;
  int size;
};

int main() { Net n(1); return n.size; }
// TRACE: member
// TRACE: init
// TRACE: make(body)
// TRACE: end(body)
// TRACE: gone
// TRACE: exit code 1
