// Stands in for the reader where a library that it needs was not found.
#include "Profile/KinetoReader.h"

namespace loopscope {

Result<KinetoTrace> readKinetoTrace(const std::string &Path,
                                    const TraceLimits & /*Limits*/) {
  return Error{"cannot read '" + Path +
               "': this loopscope was built without " LOOPSCOPE_KINETO_MISSING
               ", which PyTorch traces need"};
}

Result<KinetoTrace> readKinetoBytes(std::string_view /*Bytes*/,
                                    const TraceLimits &Limits) {
  return readKinetoTrace("memory", Limits);
}

} // namespace loopscope
