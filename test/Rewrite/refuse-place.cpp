// Annotations on things that aren't executed are errors that name the thing.
// RUN: %refuse %s %t | %diagnostics
[[loopscope::phase("x")]] int global = 0;
// CHECK: {{.*}}:[[@LINE-1]]:3: error: 'loopscope::phase' means nothing on a variable outside a function; it goes on a function definition, a statement or a local declaration
struct [[loopscope::phase("x")]] S {
  // CHECK: {{.*}}:[[@LINE-1]]:10: error: 'loopscope::phase' means nothing on a class
  [[loopscope::phase("x")]] int member;
  // CHECK: {{.*}}:[[@LINE-1]]:5: error: 'loopscope::phase' means nothing on a data member
};
enum class [[loopscope::fit]] E { A };
// CHECK: {{.*}}:[[@LINE-1]]:14: error: 'loopscope::fit' means nothing on an enumeration
namespace [[loopscope::phase("x")]] n {}
// CHECK: {{.*}}:[[@LINE-1]]:13: error: 'loopscope::phase' means nothing on a namespace
typedef int I [[loopscope::phase("x")]];
// CHECK: {{.*}}:[[@LINE-1]]:17: error: 'loopscope::phase' means nothing on a type name
void f([[loopscope::phase("x")]] int parameter);
// CHECK: {{.*}}:[[@LINE-1]]:10: error: 'loopscope::phase' means nothing on a parameter
