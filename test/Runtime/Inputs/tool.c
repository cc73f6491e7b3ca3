/* Stands for a program of the user's that is called loopscope. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  fprintf(stderr, "the user's program runs as %d\n", (int)geteuid());
}
