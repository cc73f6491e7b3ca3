// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Stands in for the reader, and for everything else that needs its libraries,
// if one of them wasn't found.

#include "Run/Kineto/Deflate.h"
#include "Run/Kineto/KinetoReader.h"

namespace loopscope {

Result<Run> readKinetoTrace(const std::string &Path,
                            const TraceLimits & /*Limits*/) {
  return Error{"cannot read '" + Path +
               "': this loopscope was built without " LOOPSCOPE_KINETO_MISSING
               ", which PyTorch traces need"};
}

Result<Run> readKinetoBytes(std::string_view /*Bytes*/,
                            const TraceLimits &Limits) {
  return readKinetoTrace("memory", Limits);
}

Result<std::string> gzipBytes(const std::string & /*Bytes*/) {
  return Error{"this loopscope was built without " LOOPSCOPE_KINETO_MISSING
               " and can't write gzip; name the file without .gz"};
}

} // namespace loopscope
