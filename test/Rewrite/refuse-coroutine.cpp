// A coroutine may resume on another thread: refused.
// RUN: %refuse %s %t -std=c++20 | %diagnostics
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
void g();
[[loopscope::phase("x")]] Task f() { co_return; }
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::phase' can't be instrumented here: a coroutine can be suspended and resumed on another thread; annotate a function that it calls
Task h() {
  [[loopscope::phase("y")]] g();
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' can't be instrumented here: a coroutine
  co_await std::suspend_never();
}
