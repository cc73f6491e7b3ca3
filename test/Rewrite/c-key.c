/* C: keys are integers, enumerations, bit-fields, and texts, in arrays too. */
/* RUN: %compare %s %t --std=c99,c11,c17 --quiet-raw=no | %trace */
/* RUN: %ctext */
#include "work.h"
#include <loopscope/annotate.h>

enum kind { A, B };
struct bits {
  unsigned three : 3;
};

LOOPSCOPE_PHASE("block") LOOPSCOPE_KEY_NAMED("layer", "l") static void block(short l) { work(l > 0 ? "p" : "n"); }
/* CHECK: {{.*}} static void block(short l) {__LOOPSCOPE_KEYED_SITE(1, PHASE, "block", [[@LINE-1]], "block", "layer"); __LOOPSCOPE_KEYED(1, 0, l); work(l > 0 ? "p" : "n"); } */

int main(void) {
  char buffer[8] = "buffer";
  const char *text = "text";
  struct bits bits = {5};
  enum kind kind = B;
  unsigned long big = ~0UL;
  (void)buffer, (void)text, (void)bits, (void)kind, (void)big;
  block(-3);
  block(4);
  LOOPSCOPE_PHASE("buffer") LOOPSCOPE_KEY("buffer") work("a");
  LOOPSCOPE_KEY("text") LOOPSCOPE_PHASE("text") work("b");
  LOOPSCOPE_PHASE("bits") LOOPSCOPE_KEY("bits.three") work("c");
  LOOPSCOPE_WAIT("kind") LOOPSCOPE_KEY("kind") work("d");
  LOOPSCOPE_PHASE("big") LOOPSCOPE_KEY("big") work("e");
  return 0;
}
/* TRACE: block[layer=-3](n) */
/* TRACE: block[layer=4](p) */
/* TRACE: buffer[buffer="buffer"](a) */
/* TRACE: text[text="text"](b) */
/* TRACE: ~bits[bits.three=5](c) */
/* TRACE: ~kind[{0=A,1=B}kind=1](d) */
/* TRACE: ~big[big=18446744073709551615u](e) */
