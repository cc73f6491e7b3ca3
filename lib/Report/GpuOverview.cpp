// The overview of a profile. With a timeline, the arithmetic is that of Kineto
// traces (KinetoSteps); without one, what the sums say exactly.
#include "Profile/KinetoLinks.h"
#include "Profile/KinetoSteps.h"
#include "Report/Cells.h"
#include "Report/GpuSums.h"
#include "Report/GpuViews.h"
#include "Report/Overview.h"
#include "Report/ProfileTrace.h"
#include "Report/Verdict.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
double share(double Part, int64_t Whole) {
  return Whole > 0 ? std::min(1.0, Part / static_cast<double>(Whole)) : 0;
}

// How busy each device was between its first work and its last.
std::vector<GpuUse> gpuUse(const Profile &P) {
  std::vector<GpuUse> Result;
  for (uint32_t I = 0; I < P.Gpu.Devices.size(); ++I) {
    const GpuDevice &D = P.Gpu.Devices[I];
    if (D.spanNs() == 0)
      continue;
    GpuUse Use;
    Use.Device = deviceNumber(P, I);
    Use.Utilization = share(static_cast<double>(D.KernelNs), D.spanNs());
    if (D.Multiprocessors > 0)
      Use.SmEfficiency = share(D.MultiprocessorNs, D.spanNs());
    double Known = 0, Occupied = 0;
    for (const GpuWork &W : P.Gpu.Work)
      if (W.Device == I) {
        Known += W.OccupancyKnownNs;
        Occupied += W.OccupancyNs;
      }
    if (Known > 0)
      Use.Occupancy = Occupied / Known * 100;
    Result.push_back(Use);
  }
  return Result;
}

// The sums of a whole run, as far as recommendations read them.
StepAnalysis analysisOfSums(const Profile &P, const RunFigures &F) {
  StepAnalysis Result;
  if (F.HasSteps) {
    Result.AverageStep = static_cast<double>(F.SpanNs);
    Result.AverageRoles[static_cast<size_t>(Role::DataLoader)] =
        static_cast<double>(F.DrawNs);
  }
  Result.Gpus = gpuUse(P);
  Result.UsesGpu = F.HasGpu;
  Result.LaunchedKernels = F.Kernels;
  Result.ShortKernels = F.ShortKernels;
  return Result;
}

// Steps of several processes ran at the same time, so that the time of one
// can't be split by what all of them did.
bool isMerged(const Profile &P) {
  return !P.Threads.empty() && !P.Threads.front().Process.empty();
}

bool hasSteps(const Profile &P) {
  if (isMerged(P))
    return false;
  for (const std::vector<TimelineSpan> &Track : P.Timeline)
    for (const TimelineSpan &Span : Track)
      if (Span.Step >= 0)
        return true;
  return false;
}

// What is known without a timeline: figures that overlap, so that they are no
// parts of a whole.
Table totalsTable(const Profile &P, const RunFigures &F) {
  Table Out;
  Out.Id = "totals";
  Out.Title = F.HasSteps ? "All steps" : "The whole run";
  Out.Preamble = {verdict(F)};
  if (Out.Preamble.front().empty())
    Out.Preamble = {"Verdict: unknown, the run has no training loop and no GPU "
                    "work."};
  Out.Columns = {{"what", "Time in", Style::Text},
                 {"time_s", "Time", Style::Duration},
                 {"percent", "Share", Style::Percent2}};
  auto Add = [&](const char *What, int64_t Ns, int64_t Whole) {
    Row Next;
    Next.Cells = {text(What), duration(Ns), loopscope::share(Ns, Whole)};
    Out.Rows.push_back(std::move(Next));
  };
  Add(F.HasSteps ? "all steps" : "run", F.SpanNs, F.SpanNs);
  Out.Rows.back().IsTotal = true;
  if (F.HasSteps)
    Add("waiting for data", F.DrawNs, F.SpanNs);
  if (F.HasGpu) {
    Add("launch calls", F.LaunchNs, F.SpanNs);
    Add("blocked in synchronisation", F.BlockedNs, F.SpanNs);
    Add("other CUDA calls", F.OtherNs, F.SpanNs);
    Add("GPU: kernels", F.KernelNs, F.DeviceSpanNs);
    Add("GPU: copies and sets alone",
        std::max<int64_t>(0, F.BusyNs - F.KernelNs), F.DeviceSpanNs);
    Add("GPU: idle", std::max<int64_t>(0, F.DeviceSpanNs - F.BusyNs),
        F.DeviceSpanNs);
    Out.Notes.push_back("Host and GPU work at the same time, so host rows and "
                        "GPU rows overlap.");
  }
  Out.Notes.push_back(
      P.Mode != LOOPSCOPE_MODE_TRACE
          ? "LOOPSCOPE=trace gives the split by step."
      : isMerged(P) ? "The split by step is of one process: leave --merge "
                      "out."
                    : "The timeline holds no step, so there is no split "
                      "by step.");
  return Out;
}

struct Found {
  std::vector<Table> Tables; ///< but the recommendations'
  std::vector<Advice> Findings;
};

Found lookInto(const Profile &P) {
  RunFigures F = runFigures(P);
  std::vector<KernelRow> Kernels = addUpKernels(P, false);
  std::vector<OperatorRow> Operators; // none that tensor cores could run
  Found Result;
  if (!hasSteps(P)) {
    KinetoTrace Facts;
    Facts.Properties = deviceProperties(P);
    Facts.PeakMemory = peakMemory(P);
    StepAnalysis Analysis = analysisOfSums(P, F);
    Result.Tables = {totalsTable(P, F)};
    if (!Analysis.Gpus.empty())
      Result.Tables.push_back(gpuTable(Facts, Analysis));
    Result.Findings =
        advise(Facts, Analysis, Operators, Kernels, Framework::None);
    return Result;
  }
  ProfileTrace Traced = traceOfProfile(P);
  StepAnalysis Analysis = analyzeSteps(Traced.Trace, KinetoLinks(Traced.Trace));
  Result.Tables = stepTables(Traced.Trace, Analysis, verdict(F));
  Result.Findings =
      advise(Traced.Trace, Analysis, Operators, Kernels, Framework::None);
  return Result;
}
} // namespace

std::vector<Table> loopscope::buildProfileOverview(const Profile &P) {
  Found Result = lookInto(P);
  Result.Tables.push_back(adviceTable(Result.Findings));
  return std::move(Result.Tables);
}

std::vector<std::string> loopscope::recommendations(const Profile &P) {
  std::vector<std::string> Result;
  for (Advice &Each : lookInto(P).Findings)
    Result.push_back(std::move(Each.Text));
  return Result;
}
