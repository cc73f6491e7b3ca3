// Phases on other threads are separate roots; a static site serves all threads.
// RUN: %compare %s %t --shuffled | %trace
#include "work.h"
#include <thread>

[[loopscope::phase("t")]] static void run() {
  [[loopscope::phase("in")]] work("w");
}

int main() {
  [[loopscope::phase("main")]] {
    std::thread a(run), b(run);
    a.join();
    b.join();
  }
  run();
}
// TRACE: main()
// TRACE: t(~in(w))
// TRACE: thread: t(~in(w))
// TRACE: thread: t(~in(w))
