/* Stands for a program of the user's that is named loopscope. */
#include <stdio.h>
#include <unistd.h>

int main(void) {
  fprintf(stderr, "the user's program runs as %d\n", (int)geteuid());
}
