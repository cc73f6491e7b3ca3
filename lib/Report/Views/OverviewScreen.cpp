// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The overview's short form.

#include "Report/Views/OverviewScreen.h"

#include "Analysis/Verdict/Verdict.h"
#include "Report/Print/Cells.h"
#include "Report/Views/BuildSection.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <utility>

namespace loopscope {
namespace {

// Shares below this are left out.
constexpr double LeastShare = 0.01;

// A use of time, and what it is a part of.
struct Use {
  const char *What;
  int64_t Ns;
  int64_t Whole;
};

// The uses that are worth a row.
std::vector<Use> worthARow(std::vector<Use> Uses) {
  std::erase_if(Uses, [](const Use &Each) {
    return part(Each.Ns, Each.Whole) < LeastShare;
  });
  return Uses;
}

// A finding as a sentence, without repeating figures that its text has.
std::string sentence(const Advice &Each) {
  bool NamesRows =
      Each.SavesNs < 0 && Each.Text.find(Each.Rows) != std::string::npos;
  return fmt::format("{} [{}]", NamesRows ? Each.Text : Each.line(), Each.Rule);
}

// The heading, and the sentence for when nothing was found.
Table adviceHeading(const Figures &Of, const std::vector<Advice> &Findings) {
  Table Out;
  Out.Id = "recommendations";
  Out.Title = "What to do";
  if (Findings.empty())
    Out.Notes.push_back(whyNoAdvice(Of));
  return Out;
}

std::string gpuNote(const RunInfo &About, const GpuUse &Gpu) {
  std::string Line =
      fmt::format("GPU {}: kernels {:.1f}%", gpuName(About, Gpu.Device),
                  Gpu.Utilization * 100);
  if (Gpu.SmEfficiency >= 0)
    Line += fmt::format(", SM efficiency {:.1f}%", Gpu.SmEfficiency * 100);
  if (Gpu.Occupancy >= 0)
    Line += fmt::format(", occupancy {:.1f}%", Gpu.Occupancy);
  return Line +
         (Gpu.SmEfficiency >= 0 || Gpu.Occupancy >= 0 ? " (est.)." : ".");
}

} // namespace

// A step's roles depend on the outermost phases, which cover the inner ones.
WithTimeline overviewTimeline(const ViewOptions & /*Options*/) {
  return WithTimeline::Outermost;
}

FigureParts overviewParts(const ViewOptions &Options) {
  bool IsDocument = Options.Output == Format::TensorBoardJson;
  return {.SelfHostTime = false,
          .Limits = IsDocument ? StepLimits::DeviceWork : StepLimits::Marks,
          .Time = !IsDocument,
          .Held = false};
}

std::string gpuName(const RunInfo &About, int64_t Device) {
  std::string Name = fmt::format("{}", Device);
  for (const DeviceProperties &Known : About.Properties)
    if (Known.Id == Device && !Known.Name.empty())
      Name += " " + Known.Name;
  return Name;
}

Table totalsScreen(const Figures &Of, std::string Head) {
  const StepTime F = Of.Time.value_or(StepTime{});
  std::vector<Use> Host, Gpu;
  if (F.HasSteps)
    Host.push_back({F.inputWords(), F.InputNs, F.HostNs});
  if (F.HasWaits) {
    Host.push_back({"waiting inside the process", F.WaitNs, F.HostNs});
    Host.push_back({"useful", F.UsefulNs, F.HostNs});
  }
  if (F.HasGpu) {
    Host.push_back({"launch calls", F.LaunchNs, F.HostNs});
    Host.push_back({"waiting for the GPU", F.BlockedNs, F.HostNs});
    Host.push_back({"other CUDA calls", F.OtherNs, F.HostNs});
    Gpu.push_back({"kernels", F.KernelNs, F.DeviceNs});
    if (F.HasCommunication)
      Gpu.push_back({"communication", F.CommunicationNs, F.DeviceNs});
    Gpu.push_back({"copies and memsets", F.CopyNs, F.DeviceNs});
    Gpu.push_back({"idle", F.idleNs(), F.DeviceNs});
  }
  Host = worthARow(std::move(Host));
  Gpu = worthARow(std::move(Gpu));

  Table Out;
  Out.Id = "totals";
  Out.Preamble = {std::move(Head)};
  // The header is the whole of which the rows are parts.
  Out.Columns = {
      {"what", F.HasSteps ? "All steps" : "The whole run", Style::Text},
      {"time_s", readableDuration(static_cast<double>(F.HostNs) / NsPerSecond),
       Style::Time},
      {"percent", "100.00%", Style::Percent2, 1}};
  if (!Gpu.empty()) {
    Out.Columns.push_back({"gpu_what", "GPU", Style::Text});
    Out.Columns.push_back({"gpu_time_s", "Time", Style::Time});
    Out.Columns.push_back({"gpu_percent", "Share", Style::Percent2, 1});
  }
  auto Add = [](Row &To, const std::vector<Use> &Uses, size_t At) {
    if (At < Uses.size())
      To.Cells.insert(To.Cells.end(),
                      {text(Uses[At].What), duration(Uses[At].Ns),
                       share(Uses[At].Ns, Uses[At].Whole)});
    else
      To.Cells.insert(To.Cells.end(), {text(""), absent(""), absent("")});
  };
  for (size_t At = 0; At < std::max(Host.size(), Gpu.size()); ++At) {
    Row Next;
    Add(Next, Host, At);
    if (!Gpu.empty())
      Add(Next, Gpu, At);
    Out.Rows.push_back(std::move(Next));
  }
  Out.Notes.insert(Out.Notes.end(), Of.UnevenSteps.begin(),
                   Of.UnevenSteps.end());
  Out.Notes.push_back(Of.StepsNote);
  return Out;
}

std::vector<std::string> gpuNotes(const Figures &Of, const char *All) {
  const std::vector<GpuUse> &Gpus = Of.Steps.Gpus;
  std::vector<std::string> Notes;
  if (Gpus.size() <= 2) {
    for (const GpuUse &Each : Gpus)
      Notes.push_back(gpuNote(Of.About, Each));
    return Notes;
  }
  auto [Least, Most] = std::minmax_element(
      Gpus.begin(), Gpus.end(), [](const GpuUse &A, const GpuUse &B) {
        return A.Utilization < B.Utilization;
      });
  Notes.push_back(fmt::format(
      "{} GPUs: kernels {:.1f}% (GPU {}) to {:.1f}% (GPU {}) of the time; "
      "{} lists them.",
      Gpus.size(), Least->Utilization * 100, Least->Device,
      Most->Utilization * 100, Most->Device, All));
  return Notes;
}

std::string verdictHead(const Figures &Of, bool IsShort) {
  Verdict Found = Of.Time ? verdictOf(*Of.Time) : Verdict();
  if (IsShort)
    Found.More.clear();
  std::string Line = verdictText(Of.About, Found);
  if (Line.empty())
    Line = fmt::format("There is no verdict, because the {} has no {} and no "
                       "GPU work.",
                       Of.About.By->KeepsEvents ? "trace" : "run",
                       Of.About.By->RunsPython ? "step" : "training loop");
  // The largest part of the run comes first. One paragraph takes fewer lines
  // than two.
  return Of.OutsideNote + (Of.OutsideNote.empty() ? "" : " ") + Line;
}

std::string whyNoAdvice(const Figures &Of) {
  return Of.Time && !Of.Time->Doubt.empty()
             ? "There is no advice on a trace that contradicts itself."
             : "No advice follows from what was recorded.";
}

Table adviceList(const Figures &Of) {
  std::vector<Advice> Findings = advise(Of);
  Table Out = adviceHeading(Of, Findings);
  for (const Advice &Each : Findings)
    Out.Notes.push_back(
        fmt::format("{}. {}", Out.Notes.size() + 1, sentence(Each)));
  return Out;
}

Table adviceScreen(const Figures &Of, size_t Shown, const char *Explained) {
  std::vector<Advice> Findings = advise(Of);
  if (Findings.size() <= Shown + 1)
    return adviceList(Of);
  Table Out = adviceHeading(Of, Findings);
  for (size_t At = 0; At < Shown; ++At)
    Out.Notes.push_back(fmt::format("{}. {}", At + 1, sentence(Findings[At])));
  // A rule may apply to several GPUs.
  std::vector<std::string> Others;
  for (size_t At = Shown; At < Findings.size(); ++At)
    if (std::find(Others.begin(), Others.end(), Findings[At].Rule) ==
        Others.end())
      Others.push_back(Findings[At].Rule);
  Out.Notes.push_back(fmt::format("Also: {}; {} explains them.",
                                  fmt::join(Others, ", "), Explained));
  return Out;
}

} // namespace loopscope
