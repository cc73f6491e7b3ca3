// Steps of phases that sleep, compute and touch fresh memory, from the program's
// arguments: "PHASE:s|c|f:MILLISECONDS" each; prints each one's actual time, and the
// number of faults.
#include "truth.h"

struct part {
  int Phase;
  char What;
  double Amount, Own;
};

static size_t Faults;

static double work(const struct part *P) {
  double Wall = seconds(CLOCK_MONOTONIC);
  double Cpu = seconds(CLOCK_THREAD_CPUTIME_ID);
  if (P->What == 's') {
    nap(P->Amount);
    return seconds(CLOCK_MONOTONIC) - Wall;
  }
  if (P->What == 'c')
    compute(P->Amount);
  else {
    size_t Pages = (size_t)(P->Amount * 600);
    fault(Pages);
    Faults += Pages;
  }
  return seconds(CLOCK_THREAD_CPUTIME_ID) - Cpu;
}

#define PART(NUMBER, NAME)                                                     \
  do {                                                                         \
    PHASE(NUMBER, NAME);                                                       \
    for (int K = 0; K < Count; ++K)                                            \
      if (Parts[K].Phase == NUMBER)                                            \
        Parts[K].Own += work(&Parts[K]);                                       \
  } while (0)

int main(int Count, char **Texts) {
  struct part Parts[16];
  Count = Count - 1 < 16 ? Count - 1 : 16;
  for (int K = 0; K < Count; ++K) {
    Parts[K].Own = 0;
    if (sscanf(Texts[K + 1], "%d:%c:%lf", &Parts[K].Phase, &Parts[K].What,
               &Parts[K].Amount) != 3)
      return 1;
  }
  LOOP();
  for (int I = 0; I < 15; ++I) {
    STEP();
    PART(10, forward);
    PART(11, backward);
    PART(12, update);
    PART(13, save);
  }
  for (int K = 0; K < Count; ++K)
    printf("part %d %c %.6f\n", Parts[K].Phase, Parts[K].What, Parts[K].Own);
  printf("faults %zu\n", Faults);
  return finish();
}
