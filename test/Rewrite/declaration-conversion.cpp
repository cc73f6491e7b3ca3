// Implicit conversions of the initialiser give the same value, and still no warnings.
// RUN: %compare %s %t --std=c++11,c++17,c++20 | %trace
#include "work.h"
#include <string>

enum Colour { Red, Green };
struct Base { int x = 1; };
struct Derived : Base {};
static Derived d;
static Derived *find() { work("f"); return &d; }
static Colour colour() { work("c"); return Green; }
struct Flag { explicit operator bool() const { return value("b", 1) != 0; } operator int() const { return value("i", 7); } };

int main() {
  [[loopscope::phase("double")]] double x = value("a", 3);
  [[loopscope::phase("base")]] const Base *b = find();
  [[loopscope::phase("enum")]] int e = colour();
  [[loopscope::phase("user")]] int u = Flag();
  [[loopscope::phase("char")]] std::string s = value("s", 1) ? "yes" : "no";
  [[loopscope::phase("bool")]] bool t = find() != nullptr;
  return static_cast<int>(x) + b->x + e + u + static_cast<int>(s.size()) + t;
}
// TRACE: double(a)
// TRACE: ~base(f)
// TRACE: ~enum(c)
// TRACE: ~user(i)
// TRACE: ~char(s)
// TRACE: ~bool(f)
// TRACE: exit code 16
