/* A library with one phase and another in it, with keys: NAME is the phase's
 * name, WORK the function. */
#include "survive.h"

int WORK(void);
int WORK(void) {
  static int calls;
  ++calls;
  KEYED(1, NAME, calls % 3);
  KEYED(2, "in it", calls % 2 ? NAME : "even");
  return 1;
}
