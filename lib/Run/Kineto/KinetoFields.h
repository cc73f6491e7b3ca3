// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One event's fields, passed from the walk that finds them (KinetoParser.cpp)
// to the code that reads them (KinetoEvents.cpp).

#ifndef LOOPSCOPE_RUN_KINETO_KINETOFIELDS_H
#define LOOPSCOPE_RUN_KINETO_KINETOFIELDS_H

#include "Run/Kineto/KinetoParser.h"

#include <cstdint>
#include <string_view>

namespace loopscope {

/// The fields of one event as they are in the file; empty if absent. They point
/// into the window and are valid as long as it is.
struct KinetoParser::Fields {
  std::string_view Phase, Category, Name, Pid, Tid, Time, Duration;
  std::string_view ExternalId, Correlation, Device, BlocksPerSm, Occupancy;
  std::string_view TotalAllocated, TotalReserved, DeviceId, DeviceType, Bytes;
  std::string_view Collective, Elements, ElementType, Group, GroupRanks,
      GroupSize, Sequence;
  TokenRange Shapes, Types; // of the inputs
  bool HasStack = false;
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_KINETOFIELDS_H
