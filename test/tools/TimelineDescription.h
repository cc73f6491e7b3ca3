// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline of a profile's description (ProfileDescription.h): the spans
// given by the key "at" of call paths.

#ifndef LOOPSCOPE_TEST_TOOLS_TIMELINEDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_TIMELINEDESCRIPTION_H

#include "GpuDescription.h"

#include <loopscope/profile_format.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

/// Collects the spans of one description.
class TimelineDescription {
public:
  /// Adds the spans of LIST, "START+DURATION,START", to call path NODE.
  void add(uint32_t Node, const std::string &List, const DescriptionContext &C);
  /// The spans as events, in blocks sorted by their first event's time.
  std::vector<loopscope_event_block>
  blocks(const std::vector<loopscope_profile_node> &Nodes,
         size_t Threads) const;

private:
  struct Span {
    uint32_t Node;
    uint64_t Start, End; // ticks; End 0: open
  };
  std::vector<Span> Spans;
};

#endif // LOOPSCOPE_TEST_TOOLS_TIMELINEDESCRIPTION_H
