// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// libFuzzer entry for the profile reader and the views of profiles: any bytes
// give an error, or a profile whose nodes all add up, which the views and
// printers accept.

#include "PrintViews.h"
#include "Run/Combine/Merge.h"
#include "Run/Read/ProfileReader.h"

#include <cstdlib>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

using namespace loopscope;

namespace {
// A node's time is its own, that of hooks, what is excluded, and its
// children's.
void checkSums(const Run &R) {
  for (const Node &N : R.Nodes) {
    int64_t Inside =
        saturatingAdd(saturatingAdd(N.SelfNs, N.HookNs), N.ExcludedNs);
    for (uint32_t Child : N.Children)
      Inside = saturatingAdd(Inside, R.Nodes[Child].InclusiveNs);
    if (Inside != N.InclusiveNs || N.SelfNs < 0)
      std::abort();
    N.Spans.percentileNs(0.99);
  }
}

// Spans lie within their parents, so that bars and exports nest.
void checkTimeline(const Run &R) {
  for (const std::vector<TimelineSpan> &Track : R.Timeline)
    for (const TimelineSpan &S : Track)
      if (S.StartNs < 0 || S.EndNs < S.StartNs || S.Node >= R.Nodes.size())
        std::abort();
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // Aligned like a mapped file.
  std::vector<std::byte> Bytes(reinterpret_cast<const std::byte *>(Data),
                               reinterpret_cast<const std::byte *>(Data) +
                                   Size);
  size_t Choice = std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(Data), Size});
  constexpr WithTimeline Parts[] = {WithTimeline::Yes, WithTimeline::Outermost,
                                    WithTimeline::lastSteps(3),
                                    WithTimeline::lastSteps(1000)};
  WithTimeline Events = Parts[Choice / 4 % 4];
  Result<Run> R = readProfile(Bytes, "fuzzed", Events);
  if (!R)
    return 0;
  checkSums(*R);
  checkTimeline(*R);
  if (Choice / 16 % 4 == 0)
    checkSums(mergeProfiles({*R, *R}));
  printView(std::move(*R), Choice / 64);
  return 0;
}
