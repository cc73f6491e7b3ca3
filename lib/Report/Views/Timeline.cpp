// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The timeline view: the last steps as bars; for programs, one row per piece.

#include "Analysis/Device/GpuTimeline.h"
#include "Analysis/Steps/StepTimeline.h"
#include "Report/Print/Cells.h"
#include "Report/Views/TableOptions.h"
#include "Report/Views/View.h"
#include "Support/Numbers.h"
#include "Support/Order.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <map>
#include <optional>
#include <regex>

using namespace loopscope;

namespace {
constexpr size_t StepsUnlessAsked = 10;
// How many other threads and devices to show below each step.
constexpr size_t MostTracks = 8;

// Stands for what --filter leaves out of a step's own track.
constexpr const char *AllElse = "(all else)";

bool isData(Format How) { return How == Format::Csv || How == Format::Json; }

// Assigns each name a symbol: a letter of its own as long as there are any
// left.
class KeyTable {
public:
  explicit KeyTable(std::vector<BarKey> &Keys) : Keys(Keys) {}
  size_t keyOf(const TimelinePiece &Piece);

private:
  char symbolFor(const std::string &Name) const;
  bool isTaken(char C) const {
    return std::any_of(Keys.begin(), Keys.end(),
                       [&](const BarKey &Each) { return Each.Symbol == C; });
  }

  std::vector<BarKey> &Keys;
  std::map<std::pair<PieceKind, std::string>, size_t> Known;
};

char KeyTable::symbolFor(const std::string &Name) const {
  auto IsFree = [&](char C) {
    return std::isalnum(static_cast<unsigned char>(C)) != 0 && C > 0 &&
           !isTaken(C);
  };
  for (char C : Name)
    if (IsFree(C))
      return C;
  for (char C = '0'; C <= 'z'; ++C)
    if (IsFree(C))
      return C;
  return '?';
}

size_t KeyTable::keyOf(const TimelinePiece &Piece) {
  auto [Found, IsNew] =
      Known.try_emplace({Piece.Kind, Piece.Name}, Keys.size());
  if (!IsNew)
    return Found->second;
  switch (Piece.Kind) {
  case PieceKind::Draw:
    Keys.push_back({symbolFor(Piece.Name), Fill::Light,
                    Piece.Name + " (waiting for data)"});
    break;
  case PieceKind::Wait:
    Keys.push_back(
        {symbolFor(Piece.Name), Fill::Light, Piece.Name + " (waiting)"});
    break;
  case PieceKind::Work:
    Keys.push_back({symbolFor(Piece.Name), Fill::Solid, Piece.Name});
    break;
  case PieceKind::Rest:
    Keys.push_back(
        {'\0', Fill::Dots, Piece.Name == AllElse ? "all else" : "in no phase"});
    break;
  }
  return Found->second;
}

Bar barOf(const TimelineTrack &Track, const TimelineStep &Step, int64_t WholeNs,
          KeyTable &Keys) {
  Bar Result;
  auto Share = [&](int64_t At) {
    return static_cast<double>(At - Step.StartNs) /
           static_cast<double>(std::max<int64_t>(WholeNs, 1));
  };
  for (const TimelinePiece &Each : Track.Pieces)
    Result.Segments.push_back(
        {Keys.keyOf(Each), Share(Each.StartNs), Share(Each.EndNs)});
  return Result;
}

// The busiest tracks besides those of the steps.
std::vector<std::string> busiestTracks(const StepTimeline &T, size_t &Hidden) {
  std::map<std::string, int64_t> Busy;
  std::vector<std::string> Names; // in order of appearance
  for (const TimelineStep &S : T.Steps)
    for (size_t I = 1; I < S.Tracks.size(); ++I) {
      auto [Found, IsNew] = Busy.try_emplace(S.Tracks[I].Name, 0);
      Found->second = saturatingAdd(Found->second, S.Tracks[I].busyNs());
      if (IsNew)
        Names.push_back(S.Tracks[I].Name);
    }
  sortLargestFirst(Names, [&](const std::string &A) { return Busy[A]; });
  Hidden = Names.size() - std::min(Names.size(), MostTracks);
  Names.resize(Names.size() - Hidden);
  return Names;
}

std::string titleOf(const StepTimeline &T) {
  size_t All = T.Steps.size() + T.HiddenSteps;
  std::string Whose = T.Process.empty() ? "" : " of " + T.Process;
  if (T.HiddenSteps != 0)
    return fmt::format("Timeline of the last {} of {} steps{}", T.Steps.size(),
                       All, Whose);
  return All == 1 ? "Timeline of the step" + Whose
                  : fmt::format("Timeline of all {} steps{}", All, Whose);
}

Table drawn(const StepTimeline &T) {
  Table Result;
  Result.Id = "steps";
  Result.Title = titleOf(T);
  int64_t Longest = 0;
  for (const TimelineStep &S : T.Steps)
    Longest = std::max(Longest, S.EndNs - S.StartNs);
  Result.Columns = {
      {"step", "Step", Style::Text},
      {"duration_s", "Time", Style::Time},
      {"bar",
       "0\t" + readableDuration(static_cast<double>(Longest) / NsPerSecond),
       Style::Bar}};
  size_t HiddenTracks = 0;
  std::vector<std::string> Shown = busiestTracks(T, HiddenTracks);
  KeyTable Keys(Result.Keys);
  for (const TimelineStep &S : T.Steps) {
    std::string Name = fmt::format("{}{}{}", T.SeveralLoops ? S.Loop + " " : "",
                                   S.Number, S.Open ? " (open)" : "");
    for (const TimelineTrack &Track : S.Tracks) {
      bool IsOwn = &Track == &S.Tracks.front();
      if (!IsOwn &&
          std::find(Shown.begin(), Shown.end(), Track.Name) == Shown.end())
        continue;
      Row Next;
      Next.Depth = IsOwn ? 0 : 1;
      Next.Cells = {text(IsOwn ? Name : Track.Name),
                    duration(IsOwn ? S.EndNs - S.StartNs : Track.busyNs()),
                    {barOf(Track, S, Longest, Keys), {}}};
      Result.Rows.push_back(std::move(Next));
    }
  }
  if (HiddenTracks != 0)
    Result.Notes.push_back(fmt::format(
        "{} did less and {} not shown; --format csv has all.",
        counted(HiddenTracks, "thread"), HiddenTracks == 1 ? "is" : "are"));
  return Result;
}

// Keeps the pieces whose name matches; on a step's own thread, others become
// rest. Removes tracks that have none left.
void keepPieces(StepTimeline &To, const std::regex &Expression) {
  auto Matches = [&](const TimelinePiece &Each) {
    return Each.Kind != PieceKind::Rest &&
           std::regex_search(Each.Name, Expression);
  };
  for (TimelineStep &S : To.Steps) {
    for (TimelineTrack &Track : S.Tracks)
      if (&Track != &S.Tracks.front())
        std::erase_if(Track.Pieces, [&](const TimelinePiece &Each) {
          return !Matches(Each);
        });
    std::vector<TimelinePiece> Own;
    for (TimelinePiece &Each : S.Tracks.front().Pieces) {
      if (Matches(Each))
        Own.push_back(std::move(Each));
      else if (!Own.empty() && Own.back().Kind == PieceKind::Rest)
        Own.back().EndNs = Each.EndNs;
      else
        Own.push_back({AllElse, PieceKind::Rest, Each.StartNs, Each.EndNs});
    }
    S.Tracks.front().Pieces = std::move(Own);
    std::erase_if(S.Tracks, [&](const TimelineTrack &Track) {
      return Track.Pieces.empty();
    });
  }
}

Table listed(const StepTimeline &T) {
  Table Result;
  Result.Id = "steps";
  Result.Title = titleOf(T);
  Result.Columns = {
      {"loop", "Loop", Style::Text},          {"step", "Step", Style::Integer},
      {"track", "Track", Style::Text},        {"phase", "Phase", Style::Text},
      {"kind", "Kind", Style::Text},          {"start_s", "Start", Style::Time},
      {"duration_s", "Duration", Style::Time}};
  auto KindOf = [](PieceKind Kind) {
    return Kind == PieceKind::Draw   ? "draw"
           : Kind == PieceKind::Wait ? "wait"
           : Kind == PieceKind::Work ? "work"
                                     : "rest";
  };
  for (const TimelineStep &S : T.Steps)
    for (const TimelineTrack &Track : S.Tracks)
      for (const TimelinePiece &Each : Track.Pieces) {
        Row Next;
        Next.Cells = {text(S.Loop),
                      {S.Number, {}},
                      text(Track.Name),
                      text(Each.Name),
                      text(KindOf(Each.Kind)),
                      duration(Each.StartNs),
                      duration(Each.EndNs - Each.StartNs)};
        Result.Rows.push_back(std::move(Next));
      }
  return Result;
}

// How many steps to show; 0: all.
size_t shownSteps(const ViewOptions &Options) {
  return Options.Rows.value_or(isData(Options.Output) ? 0 : StepsUnlessAsked);
}

// Only the last steps, unless finding them takes reading everything.
WithTimeline reads(const ViewOptions &Options) {
  size_t Steps = shownSteps(Options);
  return Steps == 0 || Options.Merged || !Options.Thread.empty() ||
                 !Options.Stage.empty()
             ? WithTimeline::Yes
             : WithTimeline::lastSteps(Steps);
}

Result<std::vector<Table>> buildTimeline(const Run &R,
                                         const ViewOptions &Options) {
  StepTimeline T = lastSteps(R, shownSteps(Options));
  addDeviceTracks(T, R);
  if (T.Steps.empty())
    return noSteps(R);
  // In csv and json, a row is a piece and is filtered like any row.
  if (!Options.Filter.empty() && !isData(Options.Output)) {
    std::optional<std::regex> Expression = filterExpression(Options.Filter);
    if (!Expression)
      return Error{fmt::format("{}: {}", R.Path, badFilter(Options.Filter))};
    keepPieces(T, *Expression);
  }
  return std::vector<Table>{isData(Options.Output) ? listed(T) : drawn(T)};
}
} // namespace

namespace loopscope {
extern const View TimelineView = {
    .Name = "timeline",
    .Help = "the last steps as bars (LOOPSCOPE=trace)",
    .OfRun = buildTimeline,
    // In csv and json, where --rows counts steps.
    .Shape = {.NameColumn = 3,
              .Cuts = false,
              .CutsItself = true,
              .DataOnly = true},
    .OnTimeline = true,
    .Reads = reads,
    .OnPage = false,
};
} // namespace loopscope
