// With the plugin clang knows the attributes, checks them, and compiles the same code.
// RUN: %clangxx -std=c++17 -Wall -Werror -fplugin=%build_root/lib/libloopscope-attributes.so -S -emit-llvm -o - %s | FileCheck %s --implicit-check-not=annotation
// RUN: not %clangxx -std=c++17 -fplugin=%build_root/lib/libloopscope-attributes.so -fsyntax-only -DWRONG %s 2>&1 | FileCheck %s --check-prefix=WRONG
void g();
// CHECK: define {{.*}} @main
int main() {
  [[loopscope::epoch]] for (int i = 0; i < 2; ++i) {
    [[loopscope::phase("a")]] int x = i;
    [[loopscope::phase("b")]] g();
    static_cast<void>(x);
  }
#ifdef WRONG
  [[loopscope::train]] g();
  // WRONG: plugin.cpp:[[@LINE-1]]:5: error: 'loopscope::train' goes before a loop: for, range-for, while or do; this is not a loop
#endif
}
