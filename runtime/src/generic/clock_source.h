// For processors without a counter that we read directly: there is none, and
// the runtime uses clock_gettime. One of several files of this name; the build
// picks one by its include path.
#pragma once

#include <stdint.h>

namespace loopscope::runtime {

/// Never called: counterIsSteady() says no.
inline uint64_t readCounter() { return 0; }

} // namespace loopscope::runtime
