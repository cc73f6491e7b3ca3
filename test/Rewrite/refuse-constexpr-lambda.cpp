// A lambda that a constant expression calls can't hold a hook, wherever it is called.
// RUN: %refuse %s %t -std=c++20 | %diagnostics
constexpr auto twice = [](int x) {
  [[loopscope::phase("x")]] return 2 * x;
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' can't be instrumented here: {{.*}}
};
static_assert(twice(2) == 4);

int main() {
  auto inner = [](int x) constexpr {
    [[loopscope::phase("y")]] return x;
    // CHECK: {{.*}}:[[@LINE-1]]:7: error: 'loopscope::phase' can't be instrumented here: {{.*}}
  };
  return inner(0);
}
