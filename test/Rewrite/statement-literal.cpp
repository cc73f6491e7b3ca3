// A statement may end with a string or a character: its semicolon belongs to it.
// RUN: %compare %s %t | %trace
#include "work.h"
#include <loopscope/annotate.h>

static const char *text = "";
static char letter = 'a';

static const char *give(bool first) {
  if (first)
    [[loopscope::phase("if")]] text = "one";
  else
    LOOPSCOPE_PHASE("else") letter = '\'';
  [[loopscope::phase("return")]] return "two";
}
static void raise() { LOOPSCOPE_PHASE("throw") throw 'c'; }

int main() {
  [[loopscope::phase("raw")]] text = R"(;})" /* ; */ ;
  LOOPSCOPE_PHASE("joined") text = "a" "b";
  give(true);
  give(false);
  try {
    raise();
  } catch (char) {
    work("caught");
  }
  return text[0] == 'o' && letter == '\'' ? 0 : 1;
}
// TRACE: raw()
// TRACE: ~joined()
// TRACE: if()
// TRACE: return()
// TRACE: else()
// TRACE: return()
// TRACE: throw()
// TRACE: caught
