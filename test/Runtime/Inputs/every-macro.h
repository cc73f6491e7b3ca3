/* Uses everything that the public headers offer, in C and C++. */
#include <loopscope/annotate.h>
#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

LOOPSCOPE_FIT
int everything(int n);

LOOPSCOPE_FIT
int everything(int n) {
  __LOOPSCOPE_SPAN(1, FIT, "fit", 1, "everything");
  int i, sum = 0;
  LOOPSCOPE_EPOCH
  for (i = 0; i < n; ++i) {
    __LOOPSCOPE_SPAN(2, TRAIN, "train", 2, "everything");
    __LOOPSCOPE_ITERATIONS(2, n);
    LOOPSCOPE_TRAIN("n") LOOPSCOPE_ITERATIONS("n")
    while (sum < n) {
      __LOOPSCOPE_STEP(3, 2);
      __LOOPSCOPE_SAMPLES(3, n);
      __LOOPSCOPE_STEP_AMOUNT(3, flops, 2.5 * n);
      LOOPSCOPE_PHASE("p") LOOPSCOPE_FLOPS("n") sum += i;
      __LOOPSCOPE_SPAN(4, DRAW, "draw", 3, "everything");
      __LOOPSCOPE_END(4);
      __LOOPSCOPE_SPAN_NEXT(5, PHASE, "q", 4, "everything");
      __LOOPSCOPE_AMOUNT(5, flops, n);
      LOOPSCOPE_DRAW ++sum;
      LOOPSCOPE_WAIT("pop") ++sum;
      LOOPSCOPE_WAIT() ++sum;
      __LOOPSCOPE_SPAN(7, WAIT, "wait", 5, "everything");
      LOOPSCOPE_COLLECTIVE("reduce") ++sum;
      LOOPSCOPE_COLLECTIVE_BYTES("gather", "n") ++sum;
      __LOOPSCOPE_SPAN(8, COLLECTIVE, "reduce", 6, "everything");
      __LOOPSCOPE_BYTES(8, n);
      LOOPSCOPE_PHASE("layer") LOOPSCOPE_KEY("sum") ++sum;
      LOOPSCOPE_WAIT("layer") LOOPSCOPE_KEY_NAMED("of", "sum") ++sum;
      __LOOPSCOPE_KEYED_SITE(9, PHASE, "layer", 7, "everything", "of");
      __LOOPSCOPE_KEYED(9, 0, sum);
      __LOOPSCOPE_KEYED_SITE(10, WAIT, "layer", 7, "everything", "of");
      __LOOPSCOPE_KEYED(10, 1, "text");
    }
  }
  {
    static const loopscope_site site =
        LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "by hand", __LINE__, "everything");
    loopscope_token token = loopscope_enter(&site);
    loopscope_leave(token);
  }
  {
    static const loopscope_keyed_site site = LOOPSCOPE_KEYED_SITE(
        LOOPSCOPE_KIND_PHASE, "by hand", __LINE__, "everything", "of");
    loopscope_leave(loopscope_enter_key(&site, n));
    loopscope_leave(loopscope_enter_text(&site, "text"));
  }
#ifdef __cplusplus
  LOOPSCOPE_SCOPE("rest");
  __LOOPSCOPE_SPAN(6, PHASE, "value", 5, "everything");
  int value = sum;
  __LOOPSCOPE_END(6);
  return value;
#else
  return sum;
#endif
}
