// A statement that lacks its semicolon is told from one whose semicolon is in a macro.
// RUN: %refuse %s %t | %diagnostics
void step();
#define END ;
#define ALL step();
#define ONCE(CALL) CALL;
void train(int n) {
  [[loopscope::phase("macro's")]] step() END
  // CHECK: :[[@LINE-1]]:5: error: 'loopscope::phase' covers code that begins or ends inside a macro; {{.*}} [in-macro]
  [[loopscope::phase("macro's own")]] ALL
  ONCE([[loopscope::phase("argument")]] step());
  // CHECK: :[[@LINE-1]]:10: error: 'loopscope::phase' {{.*}} [in-macro]
  for (int i = 0; i < n; ++i) {
    [[loopscope::phase("last")]] step()
    // CHECK: :[[@LINE-1]]:7: error: 'loopscope::phase' covers a statement without its ';' [no-semicolon]
    // CHECK: :[[@LINE-2]]:40: error: expected ';' after expression
  }
}
// CHECK: {{.*}}can't be instrumented: its annotated code doesn't parse; nothing was written
