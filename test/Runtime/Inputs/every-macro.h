/* Uses everything that the public headers offer, in C and C++. */
#include <loopscope/annotate.h>
#include <loopscope/hooks.h>

LOOPSCOPE_FIT
int everything(int n);

LOOPSCOPE_FIT
int everything(int n) {
  LOOPSCOPE_SPAN_(1, FIT, "fit", 1, "everything");
  int i, sum = 0;
  LOOPSCOPE_EPOCH
  for (i = 0; i < n; ++i) {
    LOOPSCOPE_SPAN_(2, TRAIN, "train", 2, "everything");
    LOOPSCOPE_TRAIN("n")
    while (sum < n) {
      LOOPSCOPE_STEP_(3, 2);
      LOOPSCOPE_SAMPLES_(3, n);
      LOOPSCOPE_PHASE("p") sum += i;
      LOOPSCOPE_SPAN_(4, DRAW, "draw", 3, "everything");
      LOOPSCOPE_END_(4);
      LOOPSCOPE_SPAN_NEXT_(5, PHASE, "q", 4, "everything");
      LOOPSCOPE_DRAW ++sum;
    }
  }
  {
    static const loopscope_site site =
        LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "by hand", __LINE__, "everything");
    loopscope_token token = loopscope_enter(&site);
    loopscope_leave(token);
  }
#ifdef __cplusplus
  LOOPSCOPE_SCOPE("rest");
  LOOPSCOPE_SITE_(6, PHASE, "value", 5, "everything");
  int value = (LOOPSCOPE_COMMA_(6), sum);
  return value;
#else
  return sum;
#endif
}
