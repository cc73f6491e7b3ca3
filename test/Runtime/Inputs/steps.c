/* 300 steps of 32 samples, 1 ms each, with one phase. */
#include <loopscope/hooks.h>
#include <unistd.h>

int main(void) {
  __LOOPSCOPE_SPAN(1, TRAIN, "train", 6, "main");
  for (int i = 0; i < 300; ++i) {
    __LOOPSCOPE_STEP(2, 1);
    __LOOPSCOPE_SAMPLES(2, 32);
    __LOOPSCOPE_SPAN(3, PHASE, "say \"work\"", 10, "main");
    usleep(1000);
  }
}
