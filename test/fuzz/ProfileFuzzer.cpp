// libFuzzer entry of the profile reader: whatever the bytes, it returns a
// profile whose every node adds up, or an error.
#include "Profile/Merge.h"
#include "Profile/ProfileReader.h"

#include <cstdlib>
#include <span>
#include <vector>

using namespace loopscope;

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // Aligned, as a mapped file is.
  std::vector<std::byte> Bytes(reinterpret_cast<const std::byte *>(Data),
                               reinterpret_cast<const std::byte *>(Data) +
                                   Size);
  Result<Profile> P = readProfile(Bytes, "fuzzed", WithTimeline::Yes);
  if (!P)
    return 0;
  for (const Node &N : P->Nodes) {
    int64_t Inside = N.SelfNs + N.HookNs;
    for (uint32_t Child : N.Children)
      Inside = saturatingAdd(Inside, P->Nodes[Child].InclusiveNs);
    if (Inside != N.InclusiveNs || N.SelfNs < 0)
      std::abort();
    N.Spans.percentileNs(0.99);
  }
  mergeProfiles({*P, *P});
  return 0;
}
