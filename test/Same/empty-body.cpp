// A phase on an empty body is refused: a block around it would suppress -Wempty-body.
// RUN: %same %s | FileCheck %s
// CHECK: empty-body.cpp: refused [empty-statement]
#include <loopscope/annotate.h>

int main(int argc, char **) {
  if (argc > 1) LOOPSCOPE_PHASE("if");
  while (argc > 2) LOOPSCOPE_PHASE("while");
}
