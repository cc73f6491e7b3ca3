/* The hooks of these tests' programs: the rewriter's macros, or nothing in the plain build used for
 * comparison. */
#ifndef SURVIVE_H
#define SURVIVE_H

#ifdef PLAIN
#define PHASE(ID, NAME)
#define KEYED(ID, NAME, KEY)
#define END(ID)
#define ENOUGH(TIME) ((TIME) / 10)
#else
#include <loopscope/hooks.h>
/* Times the rest of the block, or up to END(ID). */
#define PHASE(ID, NAME) __LOOPSCOPE_SPAN(ID, PHASE, NAME, __LINE__, "survive")
/* The same with a key. */
#define KEYED(ID, NAME, KEY)                                                    \
  __LOOPSCOPE_KEYED_SITE(ID, PHASE, NAME, __LINE__, "survive", "key");         \
  __LOOPSCOPE_KEYED(ID, 0, KEY)
#define END(ID) __LOOPSCOPE_END(ID)
/* A time that is enough for samples and races. The plain build has neither. */
#define ENOUGH(TIME) (TIME)
#endif

#endif
