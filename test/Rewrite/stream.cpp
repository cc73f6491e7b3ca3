// A whole << expression is one statement.
// RUN: %compare %s %t | %trace
#include "work.h"
#include <iostream>

int main() {
  [[loopscope::phase("log")]] std::cout << "loss " << value("a", 4) << ' ' << value("b", 2)
                                        << std::endl;
}
// TRACE: log(a b)
