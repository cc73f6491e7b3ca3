// GPU data integrity, in words and as numbers.
#include "Report/GpuFooter.h"

#include "Report/Cells.h"
#include "Report/Footer.h"
#include "Report/Numbers.h"

#include <fmt/format.h>

#include <array>

using namespace loopscope;

namespace {
std::string time(int64_t Ns) {
  return Ns == 0 ? "0 s" : siDuration(static_cast<double>(Ns) / NsPerSecond);
}

std::string shareOfWall(int64_t Ns, const Profile &P) {
  return P.WallNs <= 0 ? ""
                       : fmt::format(" ({:.2g} % of wall time)",
                                     static_cast<double>(Ns) /
                                         static_cast<double>(P.WallNs) * 100);
}

std::string stateLine(const GpuData &G) {
  std::string Why = G.Note.empty() ? "no reason was noted" : G.Note;
  switch (G.State) {
  case LOOPSCOPE_GPU_MISSING:
    return fmt::format("No GPU data: {}.", Why);
  case LOOPSCOPE_GPU_STOPPED:
    return fmt::format("GPU data ends {} after the run's start: {}.",
                       G.EndNs < 0 ? "some time" : time(G.EndNs), Why);
  default:
    return G.Note.empty() ? "" : fmt::format("GPU data: {}.", G.Note);
  }
}

// CUPTI's own time happens on its threads and on launching ones; the file has
// what it says of itself.
std::string costLine(const Profile &P) {
  const GpuData &G = P.Gpu;
  static constexpr std::array<const char *, 4> Kinds = {
      "flushing buffers", "instrumenting", "loading lazily", "else"};
  std::string Overheads;
  for (size_t I = 0; I < Kinds.size(); ++I)
    if (G.OverheadNs[I] > 0)
      Overheads += fmt::format("{}{} {}", Overheads.empty() ? "" : ", ",
                               time(G.OverheadNs[I]), Kinds[I]);
  std::string Cost = G.CostNs == 0 ? "callbacks not measured"
                                   : time(G.CostNs) + shareOfWall(G.CostNs, P) +
                                         " in callbacks";
  return fmt::format(
      "GPU collection's own cost: {}, {}{}.", Cost,
      counted(G.Launches, "launch call"),
      Overheads.empty() ? "" : fmt::format("; CUPTI reports {}", Overheads));
}

// Programs may load CUDA while they run.
std::string lateLine(const GpuData &G) {
  return fmt::format("GPU data begins {} after the run's start, when CUDA was "
                     "found to be loaded: what was launched before is not "
                     "here.",
                     time(G.StartNs));
}

uint64_t addedUp(const GpuData &G) {
  uint64_t Sum = 0;
  for (const GpuWork &W : G.Work)
    Sum += W.Count;
  return Sum;
}

void describeIntegrity(const Profile &P, std::vector<std::string> &Footer) {
  const Integrity &L = P.Lost;
  const Loss Losses[] = {
      {L.GpuDropped, "GPU record", "dropped by CUPTI; not in these tables"},
      {L.GpuBuffersRefused, "buffer",
       "refused to CUPTI over the memory limit; records may be missing"},
      {L.GpuLost, "piece", "of device work not recorded: out of memory"},
      {L.GpuOutside, "piece",
       "of device work with impossible times (outside the run, or an end "
       "before its start), left out"},
      {L.GpuUnresolved, "piece",
       "of device work whose launch is unknown, charged to no phase"},
      {L.GpuNoTime, "piece",
       "of device work without a time stamp, in counts and in no time"},
      {L.GpuLate, "piece",
       "of device work that arrived too late for GPU and idle times; in "
       "kernels' and copies' own times"},
      {L.GpuForeign, "launch",
       "by threads without a phase of their own, charged to the main "
       "thread's phase"},
      {L.GpuMemoryLate, "memory record",
       "too late or without a time: memory peaks may be off"},
      {L.GpuEventsDropped, "GPU timeline event",
       "overwritten by newer ones; raise cap= to keep more"},
      {L.TornGpu, "GPU record",
       "being written while the profile was read, numbers may be off by a "
       "little"}};
  describeLosses(Losses, Footer);
  // A graph's launch is one call of many records, so only a lack shows.
  if (P.Gpu.State != LOOPSCOPE_GPU_UNUSED && P.Gpu.Launches > P.Gpu.Records)
    Footer.push_back(fmt::format(
        "{} launch calls and only {} of device work: work of the rest is not "
        "here.",
        P.Gpu.Launches, counted(P.Gpu.Records, "record")));
}
} // namespace

void loopscope::describeGpu(const Profile &P, Section &S) {
  const GpuData &G = P.Gpu;
  const Integrity &L = P.Lost;
  for (auto &[Key, Value] : std::vector<std::pair<const char *, Cell>>{
           {"gpu_state", count(static_cast<uint64_t>(G.State))},
           {"gpu_launches", count(G.Launches)},
           {"gpu_records", count(G.Records)},
           {"gpu_work", count(addedUp(G))},
           {"gpu_callbacks_s", duration(G.CostNs)},
           {"cupti_flush_s", duration(G.OverheadNs[0])},
           {"cupti_instrumentation_s", duration(G.OverheadNs[1])},
           {"cupti_resource_s", duration(G.OverheadNs[2])},
           {"cupti_other_s", duration(G.OverheadNs[3])},
           {"gpu_dropped", count(L.GpuDropped)},
           {"gpu_buffers_refused", count(L.GpuBuffersRefused)},
           {"gpu_lost", count(L.GpuLost)},
           {"gpu_outside", count(L.GpuOutside)},
           {"gpu_unresolved", count(L.GpuUnresolved)},
           {"gpu_no_time", count(L.GpuNoTime)},
           {"gpu_late", count(L.GpuLate)},
           {"gpu_foreign", count(L.GpuForeign)},
           {"gpu_memory_late", count(L.GpuMemoryLate)},
           {"gpu_events_dropped", count(L.GpuEventsDropped)},
           {"torn_gpu_records", count(L.TornGpu)}})
    S.Integrity.emplace_back(Key, std::move(Value));
  S.Facts.emplace_back("gpu_note", G.Note.empty() ? absent() : text(G.Note));
  if (std::string Line = stateLine(G); !Line.empty())
    S.Footer.push_back(std::move(Line));
  if (G.State == LOOPSCOPE_GPU_ON || G.State == LOOPSCOPE_GPU_STOPPED)
    S.Footer.push_back(costLine(P));
  if (G.StartNs > 0)
    S.Footer.push_back(lateLine(G));
  describeIntegrity(P, S.Footer);
}
