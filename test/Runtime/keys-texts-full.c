// Once a profile has as many texts as it takes, later texts share a row, and phases with other labels still have all their spans and
// exact numbers. Labels have a limit of their own, beyond which they are left out.
// RUN: rm -f %t.loopscope && %build_c -pthread
// RUN: env LOOPSCOPE=report=none,cpu=off,keys=4096,output=%t.loopscope %t
// RUN: loopscope report %t.loopscope --view tree --by key --format csv --columns name,calls,label,key | grep -v -e 'text.[ab] ' -e profiler | FileCheck %s --match-full-lines
// RUN: loopscope report %t.loopscope --view tree | FileCheck %s --check-prefix=FOOTER
// FOOTER: {{^}}{{[0-9]+}} spans: with a key beyond the most that a profile keeps apart, {{.*}}
// FOOTER-NOT: {{not recorded|raise keys=}}
// RUN: rm %t.loopscope
// CHECK-DAG: "main","late",7000,,
// CHECK-DAG: "main","late[0]",1000,"late label","0"
// CHECK-DAG: "main","late[1]",1000,"late label","1"
// CHECK-DAG: "main","late[2]",1000,"late label","2"
// CHECK-DAG: "main","late[3]",1000,"late label","3"
// CHECK-DAG: "main","late[4]",1000,"late label","4"
// CHECK-DAG: "main","late[5]",1000,"late label","5"
// CHECK-DAG: "main","late[6]",1000,"late label","6"
// CHECK-DAG: "main","labelled[0]",1,"label 0","0"
// CHECK-DAG: "main","labelled[4092]",1,"label 4092","4092"
// CHECK-DAG: "main","labelled[4093]",1,"","4093"
// CHECK-DAG: "main","labelled[4199]",1,"","4199"
// CHECK-DAG: "others","text[(other)]",{{[0-9]+}},"text","(other)"
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

// The parents, and the texts of each: together more than a profile has.
enum { PARENTS = 4, TEXTS = 3200 };

static void *fill(void *from) {
  for (int parent = 0; parent < PARENTS; ++parent) {
    __LOOPSCOPE_KEYED_SITE(1, PHASE, "parent", __LINE__, "fill", "parent");
    __LOOPSCOPE_KEYED(1, 0, parent);
    for (int i = 0; i < TEXTS; ++i) {
      char text[32];
      snprintf(text, sizeof text, "%s %d", (const char *)from, parent * TEXTS + i);
      __LOOPSCOPE_KEYED_SITE(2, PHASE, "text", __LINE__, "fill", "text");
      __LOOPSCOPE_KEYED(2, 0, text);
    }
  }
  return NULL;
}

// Three labels are in use already. A call path has 4096 keys.
static void use_labels(void) {
  static loopscope_keyed_site sites[4200];
  static char labels[4200][16];
  for (int i = 0; i < 4200; ++i) {
    __LOOPSCOPE_KEYED_SITE(5, PHASE, "half", __LINE__, "use_labels", "parent");
    __LOOPSCOPE_KEYED(5, 0, i / 2100);
    snprintf(labels[i], sizeof labels[i], "label %d", i);
    const loopscope_keyed_site site = LOOPSCOPE_KEYED_SITE(LOOPSCOPE_KIND_PHASE, "labelled", 1, "use_labels", labels[i]);
    memcpy(&sites[i], &site, sizeof site);
    loopscope_leave(loopscope_enter_key(&sites[i], i));
  }
}

int main(void) {
  {
    __LOOPSCOPE_SPAN(4, PHASE, "first", __LINE__, "main");
  }
  pthread_t a, b;
  pthread_create(&a, NULL, fill, "a");
  pthread_create(&b, NULL, fill, "b");
  pthread_join(a, NULL);
  pthread_join(b, NULL);
  for (int i = 0; i < 7000; ++i) {
    __LOOPSCOPE_KEYED_SITE(3, PHASE, "late", __LINE__, "main", "late label");
    __LOOPSCOPE_KEYED(3, 0, i % 7);
  }
  use_labels();
  return 0;
}
