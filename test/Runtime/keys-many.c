// A million different keys cost no more memory than some hundreds, and none of their spans is lost: numbers are in ranges, texts
// share a row. Off, no key is evaluated.
// RUN: rm -f %t.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,output=%t.loopscope %t
// RUN: loopscope report %t.loopscope --view tree --by key --format csv --columns name,calls | grep number | FileCheck %s --match-full-lines
// CHECK: "main","number",1000000
// CHECK-NEXT: "main","number[0]",1
// CHECK-NEXT: "main","number[1]",1
// CHECK: "main","number[255]",1
// CHECK-NEXT: "main","number[256..511]",256
// CHECK: "main","number[262144..524287]",262144
// CHECK-NEXT: "main","number[524288..1048575]",475712
// RUN: loopscope report %t.loopscope --view tree --by key --format csv --columns name,calls | grep text | FileCheck %s --check-prefix=TEXT --match-full-lines
// TEXT: "main","text",1000000
// TEXT-NEXT: "main","text[text 0]",1
// TEXT: "main","text[text 255]",1
// TEXT: "main","text[(other)]",999744
// RUN: loopscope report %t.loopscope --view tree | FileCheck %s --check-prefix=FOOTER
// FOOTER: {{^}}1999488 spans: with a key beyond the first ones {{.*}}
// Some 530 call paths of 4 KiB, in chunks of up to 1024, and the history.
// RUN: %python -c "import os, sys; print('small' if os.path.getsize(sys.argv[1]) < 6 << 20 else 'large')" %t.loopscope | FileCheck %s --check-prefix=SIZE
// SIZE: {{^}}small{{$}}
// RUN: env LOOPSCOPE=off %t off | FileCheck %s --check-prefix=OFF
// OFF: {{^}}0 evaluated{{$}}
#include <loopscope/hooks.h>
#include <stdio.h>

static int evaluated;

static int key(void) { return ++evaluated; }

int main(int argc, char **argv) {
  (void)argv;
  if (argc > 1) {
    for (int i = 0; i < 10; ++i) {
      __LOOPSCOPE_KEYED_SITE(1, PHASE, "off", __LINE__, "main", "key");
      __LOOPSCOPE_KEYED(1, 0, key());
    }
    printf("%d evaluated\n", evaluated);
    return 0;
  }
  for (unsigned i = 0; i < 1000000; ++i) {
    char text[32];
    snprintf(text, sizeof text, "text %u", i);
    {
      __LOOPSCOPE_KEYED_SITE(2, PHASE, "number", __LINE__, "main", "i");
      __LOOPSCOPE_KEYED(2, 0, i);
    }
    __LOOPSCOPE_KEYED_SITE(3, PHASE, "text", __LINE__, "main", "text");
    __LOOPSCOPE_KEYED(3, 0, text);
  }
  return 0;
}
