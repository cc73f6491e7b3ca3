// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// gzip for files that we write.

#ifndef LOOPSCOPE_RUN_KINETO_DEFLATE_H
#define LOOPSCOPE_RUN_KINETO_DEFLATE_H

#include "Support/Result.h"

#include <string>

namespace loopscope {

/// \p Bytes as one gzip member, or why this build can't make one.
Result<std::string> gzipBytes(const std::string &Bytes);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_DEFLATE_H
