// The draw of a range-for is making the range, and comparing, advancing and reading the iterator.
// RUN: %compare %s %t --std=c++11,c++17 | %trace
#include "work.h"

struct Loader {
  explicit Loader(int n) : size(value("make", n)) {}
  ~Loader() { work("gone"); }
  struct iterator {
    int at;
    bool operator!=(const iterator &o) const { return value("ne", at) != o.at; }
    iterator &operator++() { at += value("inc", 1); return *this; }
    int operator*() const { return value("load", at); }
  };
  iterator begin() const { return {value("begin", 0)}; }
  iterator end() const { return {size}; }
  int size;
};

int main() {
  [[loopscope::train("batch + 1")]] for (const auto &batch : Loader(1)) {
    value("body", batch);
  }
}
// TRACE: train(make begin ne load step(samples=1 body) inc ne gone)
