// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Samples -> rows, by the innermost function.

#include "Analysis/Samples/FunctionRows.h"

#include "Analysis/Device/GpuRows.h"
#include "Analysis/Thresholds.h"
#include "Run/Combine/SelectThread.h"
#include "Support/Paths.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <tuple>

using namespace loopscope;

namespace {
constexpr double Quantile = 1.959964; // of a normal distribution, 95 %

// The stage and phase of a sample taken while nothing was open.
constexpr const char *NoPhase = "(no phase)";

std::string libraryName(const CodeObject &O) {
  return std::string(fileName(O.Path));
}

using Key = std::tuple<loopscope_kind, std::string, std::string, std::string,
                       std::string, std::string, uint32_t>;

struct Counts {
  std::map<Key, uint64_t> Rows;
  std::map<std::pair<loopscope_kind, std::string>, uint64_t> Phases;
};

Counts countRows(const Run &R, const Stages &All, Symbols &Names,
                 FunctionsResult &Into) {
  Counts Result;
  std::set<uint32_t> Used;
  for (const StackSample &S : R.Stacks.Samples) {
    CodeAddress At = S.Frames.front();
    bool IsInFile = At.Object != None;
    SampleFrame Frame = framesOf(R.Stacks, S, Names).front();
    std::string Library;
    if (IsInFile) {
      Library = libraryName(R.Stacks.Objects[At.Object]);
      Used.insert(At.Object);
    }
    Into.Samples += S.Count;
    Into.Foreign += S.IsForeign ? S.Count : 0;
    Into.OutsideFiles += IsInFile ? 0 : S.Count;
    Into.Unnamed += IsInFile && Frame.Source.Function.empty() ? S.Count : 0;
    loopscope_kind Stage = S.Node != None ? All.Of[S.Node]
                           : All.Implicit ? LOOPSCOPE_KIND_FIT
                                          : LOOPSCOPE_KIND_ROOT;
    std::string Phase = S.Node == None ? NoPhase : phaseOf(R, S.Node);
    Result.Phases[{Stage, Phase}] += S.Count;
    Result.Rows[{Stage, Phase, sampleThread(R, S),
                 frameName(Frame.Source, IsInFile), Library, Frame.Source.File,
                 Frame.Source.FirstLine}] += S.Count;
  }
  Into.Lost = lostFiles(R.Stacks, Used, Names);
  return Result;
}
} // namespace

SampleShare loopscope::sampleShare(uint64_t Count, uint64_t Of) {
  if (Of == 0)
    return {};
  auto N = static_cast<double>(Of);
  double Share = static_cast<double>(Count) / N;
  double Square = Quantile * Quantile;
  double Middle = (Share + Square / (2 * N)) / (1 + Square / N);
  double Half = Quantile / (1 + Square / N) *
                std::sqrt(Share * (1 - Share) / N + Square / (4 * N * N));
  // Rounding must not push the share itself out of its interval.
  return {Share * 100, std::clamp(Middle - Half, 0.0, Share) * 100,
          std::clamp(Middle + Half, Share, 1.0) * 100};
}

std::string loopscope::sampleThread(const Run &R, const StackSample &S) {
  constexpr const char *Mark = "(no span)";
  if (S.Thread == None)
    return Mark;
  const Thread &T = R.Threads[S.Thread];
  std::string Name = T.Process.empty() ? "" : T.Process + " ";
  Name += threadName(T);
  return S.IsForeign ? Name + ' ' + Mark : Name;
}

std::string loopscope::frameName(const SourceFrame &Frame, bool IsInFile) {
  if (!IsInFile)
    return "(code of no file)";
  return Frame.Function.empty() ? "(no symbol)" : Frame.Function;
}

std::vector<SampleFrame> loopscope::framesOf(const StackData &Stacks,
                                             const StackSample &S,
                                             Symbols &Names) {
  std::vector<SampleFrame> Result;
  for (const CodeAddress &At : S.Frames) {
    if (At.Object == None) {
      Result.push_back({SourceFrame(), None});
      continue;
    }
    const CodeObject &O = Stacks.Objects[At.Object];
    for (SourceFrame &Each : Names.framesAt(O.Path, O.BuildId, At.Address))
      Result.push_back({std::move(Each), At.Object});
  }
  return Result;
}

bool loopscope::areTimesRandom(const StackData &Of, uint64_t Samples) {
  return Of.EveryNs == 0 && static_cast<double>(Of.AtTicks) <=
                                FewAtTicks * static_cast<double>(Samples);
}

FunctionsResult loopscope::functionsOf(const Run &R) {
  FunctionsResult Result;
  loopscope::Stages All = findStages(R);
  Symbols Names;
  Counts Found = countRows(R, All, Names, Result);
  Result.HasIntervals = areTimesRandom(R.Stacks, Result.Samples);
  for (const Stage &S : All.List)
    Result.Stages.push_back({S, {}});
  auto RowsOf = [&](loopscope_kind Kind) -> std::vector<FunctionRow> & {
    for (StageFunctions &Each : Result.Stages)
      if (Each.Of.Kind == Kind)
        return Each.Rows;
    return Result.Stages.emplace_back(StageFunctions{makeStage(Kind, 0), {}})
        .Rows;
  };
  for (const auto &[K, Count] : Found.Rows) {
    const auto &[Kind, Phase, Thread, Function, Library, File, Line] = K;
    SampleShare Share = sampleShare(Count, Found.Phases[{Kind, Phase}]);
    Share.HasInterval = Result.HasIntervals;
    RowsOf(Kind).push_back(
        {Phase, Thread, Function, Library, File, Line, Count, Share});
  }
  for (StageFunctions &Each : Result.Stages)
    std::stable_sort(Each.Rows.begin(), Each.Rows.end(),
                     [&](const FunctionRow &A, const FunctionRow &B) {
                       uint64_t OfA = Found.Phases[{Each.Of.Kind, A.Phase}];
                       uint64_t OfB = Found.Phases[{Each.Of.Kind, B.Phase}];
                       if (OfA != OfB)
                         return OfA > OfB;
                       if (A.Phase != B.Phase)
                         return A.Phase < B.Phase;
                       return A.Count > B.Count;
                     });
  return Result;
}
