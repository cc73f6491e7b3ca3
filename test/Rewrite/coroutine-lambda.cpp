// A lambda inside a coroutine is instrumented if it isn't a coroutine itself.
// RUN: %compare %s %t --std=c++20 --no-warnings | %trace
#include "work.h"
#include <coroutine>
struct Task {
  struct promise_type {
    Task get_return_object() { return {}; }
    std::suspend_never initial_suspend() { return {}; }
    std::suspend_never final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() {}
  };
};
static Task run() {
  auto f = [] { [[loopscope::phase("l")]] work("a"); };
  f();
  co_return;
}
int main() { run(); }
// TRACE: l(a)
