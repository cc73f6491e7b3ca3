/* 300 steps of 32 samples, 1 ms each, with one phase. */
#include <loopscope/hooks.h>
#include <unistd.h>

int main(void) {
  LOOPSCOPE_SPAN_(1, TRAIN, "train", 6, "main");
  for (int i = 0; i < 300; ++i) {
    LOOPSCOPE_STEP_(2, 1);
    LOOPSCOPE_SAMPLES_(2, 32);
    LOOPSCOPE_SPAN_(3, PHASE, "say \"work\"", 10, "main");
    usleep(1000);
  }
}
