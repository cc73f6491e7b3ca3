// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Device work by stream.

#include "Analysis/Device/GpuTimeline.h"

#include "Analysis/Device/GpuRows.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace loopscope;

std::vector<DeviceTrack> loopscope::deviceTracks(const Run &R) {
  std::map<std::pair<uint32_t, uint32_t>, DeviceTrack> Tracks;
  for (uint32_t I = 0; I < R.Gpu.Events.size(); ++I) {
    const GpuEvent &E = R.Gpu.Events[I];
    if (!E.isDeviceWork())
      continue;
    DeviceTrack &To = Tracks[{E.Device, E.Stream}];
    if (To.Events.empty()) {
      To.Device = E.Device;
      To.Stream = E.Stream;
      const GpuDevice &Device = R.Gpu.Devices[E.Device];
      To.Name =
          fmt::format("{}{}GPU {} stream {}", Device.Process,
                      Device.Process.empty() ? "" : " ", Device.Id, E.Stream);
    }
    To.Events.push_back(I);
  }
  std::vector<DeviceTrack> Result;
  for (auto &[Key, Track] : Tracks)
    Result.push_back(std::move(Track));
  return Result;
}

void loopscope::addDeviceTracks(StepTimeline &To, const Run &R) {
  if (To.Steps.empty())
    return;
  int64_t From = To.Steps.front().StartNs;
  for (const DeviceTrack &Track : deviceTracks(R)) {
    std::vector<TimelinePiece> Pieces;
    int64_t Done = 0; // work of one stream that overlaps is one after the other
    for (uint32_t Event : Track.Events) {
      const GpuEvent &E = R.Gpu.Events[Event];
      int64_t Start = std::max(E.StartNs, Done);
      if (E.EndNs <= Start || E.EndNs <= From)
        continue;
      Done = E.EndNs;
      std::string Phase = phaseOf(R, E.Node);
      if (!Pieces.empty() && Pieces.back().EndNs == Start &&
          Pieces.back().Name == Phase)
        Pieces.back().EndNs = E.EndNs;
      else
        Pieces.push_back({std::move(Phase), PieceKind::Work, Start, E.EndNs});
    }
    addTrack(To, Track.Name, std::move(Pieces));
  }
}
