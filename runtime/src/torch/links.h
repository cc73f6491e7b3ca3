// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Backward operators and the forward ones that they belong to. LibTorch gives
// both the same sequence number (facts.h). As LibTorch's own profiler does, the
// last forward operator of a number counts, which is the one that made the node
// of the backward graph.

#ifndef LOOPSCOPE_TORCH_LINKS_H
#define LOOPSCOPE_TORCH_LINKS_H

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

/// Registers the counter. When the extension starts.
void registerLinks();

/// The operator FUNCTION has become a span of SITE of the calling thread, if
/// there was room for it. SITE null: it is none itself, but may lie in one.
void linkOperator(const void *Function, const loopscope_site *Site);

/// For a forked child: no operators were seen.
void resetLinksAfterFork();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TORCH_LINKS_H
