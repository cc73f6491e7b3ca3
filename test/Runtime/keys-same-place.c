// A phase with a key and one without are apart, also where their name, line and function are the same. So are a text that is missing, an
// empty one, and one that says "(null)" only by its length; negative characters are in ranges of negative numbers.
// RUN: rm -f %t.loopscope && %build_c
// RUN: env LOOPSCOPE=report=none,keys=2,output=%t.loopscope %t
// RUN: loopscope report %t.loopscope --view tree --by key --format csv --columns name,calls,key | FileCheck %s --match-full-lines
// CHECK-DAG: "main","keyed first",7,
// CHECK-DAG: "main","keyed first[1]",4,"1"
// CHECK-DAG: "main","plain first",7,
// CHECK-DAG: "main","plain first[1]",4,"1"
// CHECK-DAG: "main","text",4,
// CHECK-DAG: "main","text[]",3,""
// CHECK-DAG: "main","text[(null)]",1,"(null)"
// CHECK-DAG: "main","char",5,
// CHECK-DAG: "main","char[-31..-16]",1,"'-31..-16"
// CHECK-DAG: "main","char[-15..-8]",1,"'-15..-8"
// CHECK-DAG: "main","char[-7..-4]",1,"'-7..-4"
// CHECK-DAG: "main","char['a']",1,"'a'"
// CHECK-DAG: "main","char['b']",1,"'b'"
#include <loopscope/hooks.h>
#include <stdint.h>
#include <stddef.h>
#include <loopscope/profile_format.h>

#define KEYED(ID, NAME, LINE) \
  { \
    __LOOPSCOPE_KEYED_SITE(ID, PHASE, NAME, LINE, "main", "key"); \
    __LOOPSCOPE_KEYED(ID, 0, 1); \
  }
#define PLAIN(ID, NAME, LINE) \
  { __LOOPSCOPE_SPAN(ID, PHASE, NAME, LINE, "main"); }

static void text(const char *bytes, size_t length) {
  __LOOPSCOPE_KEYED_SITE(1, PHASE, "text", __LINE__, "text", "text");
  __loopscope_leave(__loopscope_enter_text(&__loopscope_site_1, bytes, length));
}

static void character(signed char value) {
  __LOOPSCOPE_KEYED_SITE(1, PHASE, "char", __LINE__, "character", "char");
  __loopscope_leave(__loopscope_enter_key(&__loopscope_site_1, (uint64_t)(int64_t)value, LOOPSCOPE_KEY_CHAR));
}

int main(void) {
  for (int i = 0; i < 4; ++i) {
    KEYED(1, "keyed first", 90)
    if (i > 0)
      PLAIN(2, "keyed first", 90)
  }
  for (int i = 0; i < 4; ++i) {
    if (i > 0)
      PLAIN(3, "plain first", 91)
    KEYED(4, "plain first", 91)
  }
  text(NULL, 0);
  text("", 0);
  text("", ~(size_t)0);
  text(NULL, ~(size_t)0);
  for (const char *at = "ab\xf0\xf4\xfc"; *at != 0; ++at)
    character((signed char)*at);
  return 0;
}
