// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The links of no thread.

#include "thread_links.h"

using namespace loopscope::runtime;

ThreadLinks loopscope::runtime::NoLinks;
