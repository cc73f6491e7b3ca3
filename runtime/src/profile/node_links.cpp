// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes outside the profile.

#include "node_links.h"

using namespace loopscope::runtime;

NodesOutside<1 + DeadDepth> loopscope::runtime::OutsideNodes;
