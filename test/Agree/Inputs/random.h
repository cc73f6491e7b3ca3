/* The marks of these tests' programs, as the rewriter writes them. */
#ifndef AGREE_RANDOM_H
#define AGREE_RANDOM_H

#include <loopscope/hooks.h>

#define SPAN(ID, KIND, NAME) __LOOPSCOPE_SPAN(ID, KIND, NAME, __LINE__, "agree")
#define STEP(ID, LOOP, SAMPLES)                                                                    \
  __LOOPSCOPE_STEP(ID, LOOP);                                                                      \
  __LOOPSCOPE_SAMPLES(ID, SAMPLES)

#endif
