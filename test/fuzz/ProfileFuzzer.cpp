// libFuzzer entry of the profile reader and the views of profiles: whatever the
// bytes, they give a profile whose every node adds up, or an error; and the
// views and printers take what the reader gives. One view for each input, by
// its bytes: all of them would take most of the time.
#include "Profile/Merge.h"
#include "Profile/ProfileReader.h"
#include "Report/Printers.h"
#include "Report/TableOptions.h"
#include "Report/ViewNames.h"
#include "Report/Views.h"

#include <cstdlib>
#include <functional>
#include <string_view>
#include <vector>

using namespace loopscope;

namespace {
void checkSums(const Profile &P) {
  for (const Node &N : P.Nodes) {
    int64_t Inside = saturatingAdd(N.SelfNs, N.HookNs);
    for (uint32_t Child : N.Children)
      Inside = saturatingAdd(Inside, P.Nodes[Child].InclusiveNs);
    if (Inside != N.InclusiveNs || N.SelfNs < 0)
      std::abort();
    N.Spans.percentileNs(0.99);
  }
}

// Spans lie within those around them, so that bars and exports nest.
void checkTimeline(const Profile &P) {
  for (const std::vector<TimelineSpan> &Track : P.Timeline)
    for (const TimelineSpan &S : Track)
      if (S.StartNs < 0 || S.EndNs < S.StartNs || S.Node >= P.Nodes.size())
        std::abort();
}

void printView(const Profile &P, size_t Choice) {
  ViewOptions Options;
  Options.Stats = true;
  View Which = viewNames()[Choice % viewNames().size()].second;
  Result<Section> S = buildSection(P, Which, Options);
  if (S)
    S = applyOptions(std::move(*S), Which, Options);
  if (!S)
    return;
  print({*S}, Format::Text, Terminal{80});
  print({*S}, Format::Json, Terminal{});
}
} // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *Data, size_t Size) {
  // Aligned, as a mapped file is.
  std::vector<std::byte> Bytes(reinterpret_cast<const std::byte *>(Data),
                               reinterpret_cast<const std::byte *>(Data) +
                                   Size);
  Result<Profile> P = readProfile(Bytes, "fuzzed", WithTimeline::Yes);
  if (!P)
    return 0;
  checkSums(*P);
  checkTimeline(*P);
  size_t Choice = std::hash<std::string_view>()(
      {reinterpret_cast<const char *>(Data), Size});
  if (Choice / 8 % 4 == 0) {
    *P = mergeProfiles({*P, *P});
    checkSums(*P);
  }
  printView(*P, Choice);
  return 0;
}
