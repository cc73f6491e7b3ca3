// loopscope_fact takes values of all types in C++11 and newer, and in C99 and newer without a warning.
// RUN: rm -f %t.loopscope && %gxx -std=c++11 -Wall -Wextra -Wpedantic -Werror %runtime_include %s -o %t %runtime_lib
// RUN: %gxx -std=c++20 -fno-exceptions -fno-rtti -Wall -Wextra -Wpedantic -Werror -fsyntax-only %runtime_include %s
// RUN: env LOOPSCOPE=report=none,commit=off,output=%t.loopscope %t
// RUN: loopscope report %t.loopscope | FileCheck %s
// CHECK: {{^}}Facts: int -1, long -2, unsigned 3, size 4, bool false, char 65, enum 5, float 0.25, double 1e-09, literal text, string own.{{$}}
// RUN: split-file %s %t.d && for std in c99 c11 c2x; do %gcc -std=$std -Wall -Wextra -Wpedantic -Werror -fsyntax-only %runtime_include %t.d/facts.c || exit 1; done
#include <loopscope/loopscope.h>

#include <string>

enum Colour { Red = 5 };

int main() {
  { LOOPSCOPE_SCOPE("work"); }
  loopscope_fact("int", -1);
  loopscope_fact("long", -2L);
  loopscope_fact("unsigned", 3U);
  loopscope_fact("size", sizeof(int));
  loopscope_fact("bool", false);
  loopscope_fact("char", 'A');
  loopscope_fact("enum", Red);
  loopscope_fact("float", 0.25F);
  loopscope_fact("double", 1e-9);
  loopscope_fact("literal", "text");
  loopscope_fact("string", std::string("own"));
}
#if 0
//--- facts.c
#include <loopscope/loopscope.h>

void tell(const char *text, unsigned long long size, short small, long double large) {
  loopscope_fact("literal", "text");
  loopscope_fact("text", text);
  loopscope_fact("size", size);
  loopscope_fact("small", small);
  loopscope_fact("large", large);
}
//--- end
#endif
