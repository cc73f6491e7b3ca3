// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The node that stands for a missing child.

#include "node_links.h"

using namespace loopscope::runtime;

Node loopscope::runtime::NoChild;
