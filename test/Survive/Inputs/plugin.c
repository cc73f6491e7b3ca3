/* A library with one phase: NAME is its name, WORK the function. */
#include "survive.h"

int WORK(void);
int WORK(void) {
  PHASE(1, NAME);
  return 1;
}
