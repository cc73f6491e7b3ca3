// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// GPU data integrity, in words and as numbers.

#include "Report/Views/GpuFooter.h"

#include "Report/Print/Cells.h"
#include "Report/Views/Footer.h"
#include "Support/Numbers.h"

#include <loopscope/run_settings.h>

#include <fmt/format.h>

#include <array>

using namespace loopscope;

namespace {
std::string time(int64_t Ns) {
  return Ns == 0 ? "0 s" : readableDuration(toSeconds(Ns));
}

std::string shareOfWall(int64_t Ns, const Run &R) {
  return R.WallNs <= 0 ? ""
                       : fmt::format(" ({:.2g}% of wall time)",
                                     static_cast<double>(Ns) /
                                         static_cast<double>(R.WallNs) * 100);
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

std::string ownMemory(const Run &R) {
  uint64_t Device = R.Given.of(LOOPSCOPE_SETTING_CUPTI_DEVICE_BYTES);
  uint64_t Host = R.Given.of(LOOPSCOPE_SETTING_CUPTI_HOST_BYTES);
  if (Device == 0 && Host == 0)
    return "";
  return fmt::format("; its buffers take at most {} {} for each context",
                     siBytes(Device + Host),
                     Device != 0 ? "of the GPU's memory"
                                 : "of pinned host memory");
}

// CUPTI's own time is spent on its threads and on launching ones; the file has
// what CUPTI reports about it.
std::string cuptiCostLine(const Run &R) {
  const GpuData &G = R.Gpu;
  static constexpr std::array<const char *, 4> Kinds = {
      "flushing buffers", "instrumenting", "loading lazily", "else"};
  std::string Overheads;
  for (size_t I = 0; I < Kinds.size(); ++I)
    if (G.OverheadNs[I] > 0)
      Overheads += fmt::format("{}{} {}", Overheads.empty() ? "" : ", ",
                               time(G.OverheadNs[I]), Kinds[I]);
  std::string Cost = G.CostNs == 0 ? "callbacks not measured"
                                   : time(G.CostNs) + shareOfWall(G.CostNs, R) +
                                         " in callbacks";
  return fmt::format(
      "GPU collection's own cost: {}, {}{}{}.", Cost,
      counted(G.Launches, "launch call"),
      Overheads.empty() ? "" : fmt::format("; CUPTI reports {}", Overheads),
      ownMemory(R));
}

// Programs may load CUDA while they run.
std::string lateLine(const GpuData &G) {
  return fmt::format(
      "GPU data begins {} after the run's start, when CUDA was found to be "
      "loaded: anything launched earlier is missing here.",
      time(G.StartNs));
}

// What NVIDIA and its users say of single versions.
struct KnownFault {
  uint32_t Version; // of CUPTI
  bool IfRecordsLack;
  const char *What;
};
constexpr KnownFault KnownFaults[] = {
    {22, true,
     "CUPTI of CUDA 12.4 is known to record no kernels on some systems; set "
     "LOOPSCOPE_CUPTI to one of CUDA 12.6 or newer."},
    {130400, false,
     "CUPTI 13.4.0 is known to take more and more CPU time, and to give "
     "kernels of a library that was loaded again their old names; 13.4.1 "
     "doesn't."}};

void addKnownFaults(const GpuData &G, Section &S) {
  for (const KnownFault &Each : KnownFaults)
    if (Each.Version == G.CuptiVersion &&
        (!Each.IfRecordsLack || G.Launches > G.Records))
      S.Footer.emplace_back(Each.What);
}

uint64_t addedUp(const GpuData &G) {
  uint64_t Sum = 0;
  for (const GpuWork &W : G.Work)
    Sum += W.Count;
  return Sum;
}
} // namespace

void loopscope::describeGpu(const Run &R, Section &S) {
  const GpuData &G = R.Gpu;
  for (auto &[Key, Value] : std::vector<std::pair<const char *, Cell>>{
           {"gpu_state", count(static_cast<uint64_t>(G.State))},
           {"gpu_launches", count(G.Launches)},
           {"gpu_records", count(G.Records)},
           {"gpu_work", count(addedUp(G))},
           {"gpu_callbacks_s", duration(G.CostNs)},
           {"cupti_flush_s", duration(G.OverheadNs[0])},
           {"cupti_instrumentation_s", duration(G.OverheadNs[1])},
           {"cupti_resource_s", duration(G.OverheadNs[2])},
           {"cupti_other_s", duration(G.OverheadNs[3])}})
    S.Integrity.emplace_back(Key, std::move(Value));
  S.Facts.emplace_back("gpu_note", G.Note.empty() ? absent() : text(G.Note));
  if (std::string Line = stateLine(G); !Line.empty())
    S.Footer.push_back(std::move(Line));
  if (G.State == LOOPSCOPE_GPU_ON || G.State == LOOPSCOPE_GPU_STOPPED)
    S.Footer.push_back(cuptiCostLine(R));
  if (G.StartNs > 0)
    S.Footer.push_back(lateLine(G));
  describeLosses(R.Lost, LossOf::Gpu, S);
  // A graph's launch is one call with many records, so only missing records
  // show.
  if (G.State != LOOPSCOPE_GPU_UNUSED && G.Launches > G.Records)
    S.Footer.push_back(
        fmt::format("{} launch calls but only {} of device work: the work of "
                    "the others is missing here.",
                    G.Launches, counted(G.Records, "record")));
  addKnownFaults(G, S);
}
