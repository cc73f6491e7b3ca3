// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline: events that threads record about their spans, kept in a ring.

#ifndef LOOPSCOPE_TIMELINE_EXTENSION_H
#define LOOPSCOPE_TIMELINE_EXTENSION_H

#include "tree/extension.h"

namespace loopscope::runtime {

extern const Extension TimelineExtension;

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TIMELINE_EXTENSION_H
