// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Recognizes our own traces.

#include "Run/Model/OwnExport.h"

#include <algorithm>
#include <utility>

namespace loopscope {

static constexpr std::pair<std::string_view, loopscope_kind> OwnAnnotations[] =
    {{"fit", LOOPSCOPE_KIND_FIT},     {"validate", LOOPSCOPE_KIND_VALIDATE},
     {"test", LOOPSCOPE_KIND_TEST},   {"predict", LOOPSCOPE_KIND_PREDICT},
     {"epoch", LOOPSCOPE_KIND_EPOCH}, {"train", LOOPSCOPE_KIND_TRAIN},
     {"valid", LOOPSCOPE_KIND_VALID}, {"batch", LOOPSCOPE_KIND_BATCH}};

bool isOwnExport(const EventStream &Trace) {
  return std::any_of(
      Trace.Events.begin(), Trace.Events.end(),
      [&](const TraceEvent &Event) { return Trace.name(Event) == OwnDraw; });
}

loopscope_kind ownKind(std::string_view Name) {
  for (const auto &[Known, Kind] : OwnAnnotations)
    if (Known == Name)
      return Kind;
  return LOOPSCOPE_KIND_PHASE;
}

} // namespace loopscope
