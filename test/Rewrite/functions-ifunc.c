// The loader calls resolvers of ifuncs before a program can run hooks: neither they nor the functions they call get one.
// RUN: loopscope-rewrite --functions --summary %s -o %t.c -- 2>&1 | FileCheck %s --check-prefix=SUMMARY
// RUN: FileCheck %s --match-full-lines --input-file=%t.c
// RUN: %gcc -fsyntax-only -Wall -Werror %runtime_include %t.c
// SUMMARY: functions: 3 instrumented, 2 left out (ifunc resolver 2)
static int counted;
static int has_wide(void) { for (int i = 0; i < 3; ++i) counted += i; return counted > 2; }
// CHECK: static int has_wide(void) { for {{.*}}
static int wide(int n) { int s = 0; while (n--) s += n; return s; }
// CHECK: static int wide(int n) {__LOOPSCOPE_SPAN(1, {{.*}}
static int narrow(int n) { int s = 0; while (n--) s += n; return s; }
// CHECK: static int narrow(int n) {__LOOPSCOPE_SPAN(2, {{.*}}
static int (*choose(void))(int) { for (int i = 0; i < 2; ++i) counted -= i; return has_wide() ? wide : narrow; }
// CHECK: static int (*choose(void))(int) { for {{.*}}
int sum(int n) __attribute__((ifunc("choose")));
int main(void) { for (int i = 0; i < 2; ++i) counted += sum(i); return counted > 9; }
// CHECK: int main(void) {__LOOPSCOPE_SPAN(3, {{.*}}
