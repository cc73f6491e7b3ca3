/* The hooks of these tests' programs: the rewriter's macros, or nothing in the plain build used for
 * comparison. */
#ifndef SURVIVE_H
#define SURVIVE_H

#ifdef PLAIN
#define PHASE(ID, NAME)
#define END(ID)
#else
#include <loopscope/hooks.h>
/* Times the rest of the block, or up to END(ID). */
#define PHASE(ID, NAME) __LOOPSCOPE_SPAN(ID, PHASE, NAME, __LINE__, "survive")
#define END(ID) __LOOPSCOPE_END(ID)
#endif

#endif
