/* 400 steps of 2 ms; every 50th prints a line and a half. */
#include <loopscope/hooks.h>
#include <stdio.h>
#include <unistd.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 8, "main");
  for (int i = 0; i < 400; ++i) {
    __LOOPSCOPE_STEP(2, 1);
    __LOOPSCOPE_SAMPLES(2, 32);
    usleep(2000);
    if (i % 50 == 49) {
      printf("epoch %d done\nand ", i / 50 + 1);
      fflush(stdout);
      usleep(250000);
      puts("half a line");
    }
  }
}
