// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans by the lines of their sites, samples by the lines of their innermost
// frames.

#include "Analysis/Samples/SourceLines.h"

#include "Analysis/Samples/FunctionRows.h"
#include "Analysis/Tree/GpuSums.h"
#include "Analysis/Tree/PathTree.h"
#include "Support/Order.h"
#include "Support/Suggest.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

using namespace loopscope;

namespace {
using Place = std::pair<std::string, uint32_t>;

// A line in which samples were taken.
struct SampledLine {
  Place Where;
  uint32_t Node;
  uint64_t Count;
};

std::vector<SampledLine> sampledLines(const Run &R) {
  Symbols Names;
  std::vector<SampledLine> Result;
  for (const StackSample &S : R.Stacks.Samples) {
    SourceFrame Frame = framesOf(R.Stacks, S, Names).front().Source;
    std::string Path;
    if (!Frame.LineFile.empty() && Frame.Line != 0)
      Path = std::filesystem::path(Frame.LineFile).lexically_normal().string();
    Result.push_back({{Path, Frame.Line}, S.Node, S.Count});
  }
  return Result;
}

// Which nodes are the phase WHICH or below it. All if WHICH is empty.
std::vector<bool> nodesIn(const Run &R, const std::string &Which) {
  std::vector<bool> Result(R.Nodes.size());
  for (size_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    Result[I] = Which.empty() || treeName(R, N) == Which ||
                (N.Parent != None && Result[N.Parent]);
  }
  return Result;
}

bool isPhase(const Run &R, const std::string &Name) {
  return std::any_of(R.Nodes.begin(), R.Nodes.end(), [&](const Node &N) {
    return N.Parent != None && treeName(R, N) == Name;
  });
}

using Files = std::map<std::string, SourceFile>;

// Whether N is a step of its loop, or a part of one: at the loop's place.
bool isPartOfLoopLine(const Run &R, const Node &N) {
  return N.Kind >= LOOPSCOPE_KIND_STEP && N.Kind <= LOOPSCOPE_KIND_BATCH &&
         N.Parent != None && R.Nodes[N.Parent].Site == N.Site;
}

void addSpans(const Run &R, const ProgramSources &By,
              const std::vector<bool> &Wanted, Files &Into) {
  GpuByNode Gpu(R);
  std::map<Place, GpuSums> Launched;
  std::map<Place, int64_t> Longest;
  // Parents come before children.
  std::vector<std::set<Place>> Around(R.Nodes.size());
  for (uint32_t I = 0; I < R.Nodes.size(); ++I) {
    const Node &N = R.Nodes[I];
    if (N.Parent != None)
      Around[I] = Around[N.Parent];
    // Calls of MPI have a communicator and no line.
    if (N.Site == None || R.Sites[N.Site].File.empty() ||
        R.Sites[N.Site].Line == 0 || N.IsCut)
      continue;
    Place At = {By.pathOf(R.Sites[N.Site].File), R.Sites[N.Site].Line};
    bool IsOutermost = Around[I].insert(At).second;
    if (!Wanted[I])
      continue;
    bool IsPart = isPartOfLoopLine(R, N);
    // Of a step alone, without its loop, the loop's line says nothing.
    if (IsPart && (N.Kind == LOOPSCOPE_KIND_BATCH || !Longest.contains(At)))
      continue;
    LineFigures &Line = Into[At.first].Lines[At.second];
    Line.SelfNs = saturatingAdd(Line.SelfNs, N.SelfNs);
    if (IsPart)
      continue;
    Line.HasSpans = true;
    Line.Calls += N.Spans.count();
    auto [Most, IsFirst] = Longest.try_emplace(At, N.InclusiveNs);
    if (IsFirst || N.InclusiveNs > Most->second) {
      Most->second = N.InclusiveNs;
      Line.Node = I;
    }
    if (!IsOutermost)
      continue;
    Line.TimeNs = saturatingAdd(Line.TimeNs, N.InclusiveNs);
    if (Gpu.hasData())
      Launched[At].add(Gpu.inclusive(I));
  }
  for (const auto &[At, Sums] : Launched)
    Into[At.first].Lines[At.second].GpuNs = Gpu.busyNs(Sums);
}

// Adds the samples of the nodes that are WANTED, all if ALL.
void addSamples(const std::vector<SampledLine> &Sampled,
                const std::vector<bool> &Wanted, bool All, Files &Into) {
  std::map<std::pair<Place, uint32_t>, uint64_t> ByNode;
  std::map<Place, uint64_t> Most;
  for (const SampledLine &Each : Sampled) {
    bool IsWanted = All || (Each.Node != None && Wanted[Each.Node]);
    if (!IsWanted || Each.Where.first.empty())
      continue;
    LineFigures &Line = Into[Each.Where.first].Lines[Each.Where.second];
    Line.Samples += Each.Count;
    uint64_t Here = ByNode[{Each.Where, Each.Node}] += Each.Count;
    if (!Line.HasSpans && Each.Node != None && Here > Most[Each.Where]) {
      Most[Each.Where] = Here;
      Line.Node = Each.Node;
    }
  }
}

// Whether PATH is WHICH or ends with it.
bool isFile(const std::string &Path, const std::string &Which) {
  std::string Normal = std::filesystem::path(Which).lexically_normal().string();
  return Path == Normal || Path.ends_with('/' + Normal);
}
} // namespace

double loopscope::heatOf(const LineFigures &Line, const SourceFigures &Of) {
  auto Part = [](double Some, double All) { return All > 0 ? Some / All : 0; };
  return std::max(
      Part(static_cast<double>(Line.Samples), static_cast<double>(Of.Samples)),
      Part(static_cast<double>(Line.SelfNs), static_cast<double>(Of.WallNs)));
}

// "did you mean 'forward'? Or " if a phase has nearly that name; else empty.
static std::string nearPhase(const Run &R, const std::string &Word) {
  std::vector<std::string> Names;
  for (const Site &Each : R.Sites)
    Names.push_back(Each.Name);
  std::string Near = suggestionFor(Word, Names);
  return Near.empty() ? Near : Near + " Or ";
}

Result<SourceFigures> loopscope::sourceFigures(const Run &R,
                                               const std::string &Which) {
  std::vector<SampledLine> Sampled = sampledLines(R);
  std::set<std::string> Whole;
  for (const SampledLine &Each : Sampled)
    Whole.insert(Each.Where.first);
  ProgramSources By(R, std::move(Whole));
  std::string Phase = isPhase(R, Which) ? Which : "";
  std::vector<bool> Wanted = nodesIn(R, Phase);
  SourceFigures Result;
  Result.WallNs = R.WallNs;
  Result.HasGpu = GpuByNode(R).hasData();
  Files Found;
  addSpans(R, By, Wanted, Found);
  addSamples(Sampled, Wanted, Phase.empty(), Found);
  for (const SampledLine &Each : Sampled)
    Result.Samples += Each.Count;
  Result.Program = By.state();
  for (const Site &Each : R.Sites)
    if (std::string Path = By.pathOf(Each.File); Path != Each.File)
      Result.PathOfName[Each.File] = std::move(Path);
  for (auto &[Path, File] : Found) {
    if (Phase.empty() && !Which.empty() && !isFile(Path, Which))
      continue;
    File.Path = Path;
    File.Hashes = By.hashesAt(Path);
    for (const auto &[Number, Line] : File.Lines) {
      File.TimeNs = std::max(File.TimeNs, Line.TimeNs);
      File.Samples += Line.Samples;
    }
    Result.Files.push_back(std::move(File));
  }
  if (Result.Files.empty())
    return Error{Which.empty()
                     ? fmt::format("{}: has no source location", R.Path)
                     : fmt::format("{}: there is no phase and no file '{}'; {}"
                                   "leave it out to see all",
                                   R.Path, Which, nearPhase(R, Which))};
  std::stable_sort(Result.Files.begin(), Result.Files.end(),
                   [](const SourceFile &A, const SourceFile &B) {
                     return A.Samples != B.Samples ? A.Samples > B.Samples
                                                   : A.TimeNs > B.TimeNs;
                   });
  return Result;
}

std::vector<SourceExcerpt> loopscope::excerptsOf(const SourceFile &File,
                                                 const SourceFigures &Of,
                                                 uint32_t Context,
                                                 uint32_t LineCount) {
  std::vector<SourceExcerpt> Result;
  for (const auto &[Number, Line] : File.Lines) {
    uint32_t First = Number > Context ? Number - Context : 1;
    uint32_t Last = Number + std::min(Context, UINT32_MAX - Number);
    // For a file that can't be read, the lines that have figures are shown.
    Last =
        LineCount == 0 ? Number : std::min(Last, std::max(LineCount, Number));
    First = LineCount == 0 ? Number : First;
    double Heat = heatOf(Line, Of);
    if (!Result.empty() && LineCount != 0 && First <= Result.back().Last + 1) {
      Result.back().Last = Last;
      Result.back().Heat = std::max(Result.back().Heat, Heat);
    } else {
      Result.push_back({First, Last, Heat});
    }
  }
  sortLargestFirst(Result, &SourceExcerpt::Heat);
  return Result;
}
