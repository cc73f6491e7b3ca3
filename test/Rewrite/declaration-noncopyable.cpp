// A value that can't be copied or moved is constructed in place, as in the original.
// RUN: %compare %s %t --std=c++17,c++20 | %trace
#include "work.h"
#include <memory>
#include <mutex>

struct Fixed {
  explicit Fixed(int x) : v(value("make", x)), self(this) {}
  Fixed(const Fixed &) = delete;
  int v;
  const Fixed *self;
};
static Fixed make() { return Fixed(2); }

int main() {
  [[loopscope::phase("fixed")]] auto f = make();
  work("-");
  [[loopscope::phase("unique")]] std::unique_ptr<int> p = std::make_unique<int>(value("u", 1));
  work("-");
  static std::mutex m;
  [[loopscope::phase("lock")]] auto lock = std::lock_guard<std::mutex>(m);
  work("-");
  return f.self == &f ? f.v + *p : 9;
}
// TRACE: fixed(make)
// TRACE: -
// TRACE: unique(u)
// TRACE: -
// TRACE: lock()
// TRACE: -
// TRACE: exit code 3
