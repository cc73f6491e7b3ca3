// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The profiler's own cost, the end of the run and data integrity, in words and
// as numbers.

#include "Report/Views/Footer.h"

#include "Analysis/Samples/SampledProgram.h"
#include "Analysis/Samples/SwitchedOff.h"
#include "Analysis/Tree/PathTree.h"
#include "Report/Print/Cells.h"
#include "Report/Views/EarlyEnds.h"
#include "Report/Views/FactLines.h"
#include "Report/Views/GpuFooter.h"
#include "Report/Views/PartLines.h"
#include "Run/Model/NumberedNames.h"
#include "Support/Numbers.h"
#include "Support/Order.h"
#include "Support/Printable.h"

#include <loopscope/named_losses.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>

using namespace loopscope;

namespace {
struct Totals {
  uint64_t Spans = 0;
  int64_t OwnNs = 0;         ///< what the profiler cost
  int64_t InterruptedNs = 0; ///< of other threads, while it measured
};

// Steps, draws and batches share one pair of hooks per step.
Totals sumUp(const Run &R) {
  Totals Result;
  for (const Node &N : R.Nodes) {
    Result.OwnNs = saturatingAdd(Result.OwnNs, N.costNs());
    Result.InterruptedNs =
        saturatingAdd(Result.InterruptedNs, N.HookNs - N.costNs());
    bool InStep =
        N.Parent != None && R.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP;
    if (N.Kind != LOOPSCOPE_KIND_STEP &&
        !(N.Kind == LOOPSCOPE_KIND_DRAW && InStep))
      Result.Spans += N.Spans.count();
  }
  return Result;
}

std::string costText(int64_t Ns) {
  return Ns == 0 ? "0 s" : readableDuration(toSeconds(Ns));
}

// Percentages for which two significant digits aren't enough.
constexpr double TwoDigits = 99.5;

// Own cost from which times are misleading: the same limit that marks functions
// with `~`.
constexpr double MisleadingPercent = 10;

std::string costLine(const Run &R) {
  Totals T = sumUp(R);
  // Nobody measures what samples cost, and without spans that is all.
  if (hasSamplesOnly(R)) {
    uint64_t Samples = 0;
    for (const StackSample &Each : R.Stacks.Samples)
      Samples += Each.Count;
    return fmt::format("Profiler's own cost: not measured, {}.",
                       counted(Samples, "sample"));
  }
  if (R.HookInsideNs + R.HookOutsideNs <= 0)
    return fmt::format("Profiler's own cost: not measured, {}.",
                       counted(T.Spans, "span"));
  double Percent = R.WallNs > 0 ? static_cast<double>(T.OwnNs) /
                                      static_cast<double>(R.WallNs) * 100
                                : 0;
  std::string Share;
  if (R.WallNs > 0)
    Share = Percent < TwoDigits
                ? fmt::format(" ({:.2g}% of wall time)", Percent)
                : fmt::format(" ({:.0f}% of wall time)", Percent);
  double SpanNs = R.HookInsideNs + R.HookOutsideNs;
  // First visits, callbacks, readings of processor times.
  double Beside =
      static_cast<double>(T.OwnNs) - SpanNs * static_cast<double>(T.Spans);
  std::string Rest;
  if (Beside > static_cast<double>(T.OwnNs) / 2)
    Rest = fmt::format(" and {} beside them",
                       costText(static_cast<int64_t>(Beside)));
  std::string Line = fmt::format(
      "Profiler's own cost: {}{}, {} at {:.1f} ns{}.", costText(T.OwnNs), Share,
      counted(T.Spans, "span"), SpanNs, Rest);
  if (Percent < MisleadingPercent)
    return Line;
  bool Functions =
      std::any_of(R.Nodes.begin(), R.Nodes.end(), [](const Node &N) {
        return N.Kind == LOOPSCOPE_KIND_FUNCTION && N.Spans.count() != 0;
      });
  return Line + (Functions ? " Totals include it: leave out small functions "
                             "with --min-size=N."
                           : " Totals include it: mark fewer, longer phases.");
}

/// Time from which it is worth a line, as a part of the run.
constexpr int64_t WorthALine = 1000;

/// Rows (profiler) have more than the profiler cost where others interrupted
/// it.
std::optional<std::string> interruptedLine(const Run &R) {
  Totals T = sumUp(R);
  if (T.InterruptedNs <= R.WallNs / WorthALine)
    return std::nullopt;
  return fmt::format(
      "Other threads ran for {} while the profiler read the thread's CPU time: "
      "rows (profiler) include that. LOOPSCOPE=cpu=off reads none.",
      costText(T.InterruptedNs));
}

// Ranges are only in their own table.
std::string rangesLine(const Run &R) {
  uint64_t Count = 0, Open = 0;
  std::vector<std::string> OpenNames;
  for (const RangeSum &Each : R.Ranges) {
    Count += Each.Count + Each.Open;
    Open += Each.Open;
    if (Each.Open != 0)
      OpenNames.push_back(Each.Name);
  }
  std::string Never;
  if (Open != 0)
    Never = fmt::format(", {} of them not ended ({})", Open,
                        someOf(std::move(OpenNames)));
  return fmt::format("Ranges that need not nest: {} of {}{}, in no phase's "
                     "time; --view ranges has them.",
                     Count, counted(R.Ranges.size(), "name"), Never);
}

// Ranges whose end came more than once.
std::optional<std::string> endedAgainLine(const Run &R) {
  uint64_t Ends = 0;
  std::vector<std::string> Names;
  for (const RangeSum &Each : R.Ranges)
    if (Each.EndedAgain != 0) {
      Ends += Each.EndedAgain;
      Names.push_back(Each.Name);
    }
  if (Ends == 0)
    return std::nullopt;
  return fmt::format("{} of ranges ignored, because the range had ended "
                     "before: {}.",
                     counted(Ends, "end"), someOf(std::move(Names)));
}

std::string samplerLine(const Run &R) {
  const DeviceData &D = R.Devices;
  std::string Share = R.WallNs > 0
                          ? fmt::format(" ({:.2g}% of a core)",
                                        static_cast<double>(D.CostNs) /
                                            static_cast<double>(R.WallNs) * 100)
                          : "";
  return fmt::format(
      "Device sampler: {}, requested every {} ms; {} of CPU time{}.",
      counted(D.Rounds, "sample"), D.IntervalMs, costText(D.CostNs), Share);
}

std::string signalName(int Number) {
  const char *Short = sigabbrev_np(Number);
  return Short ? fmt::format("SIG{}", Short) : fmt::format("{}", Number);
}

std::string openPaths(const Run &R) {
  std::string Result;
  for (const Thread &T : R.Threads) {
    if (T.Root == None)
      continue;
    std::string Way;
    uint32_t At = T.Root;
    for (bool Found = true; Found;) {
      Found = false;
      for (uint32_t Child : R.Nodes[At].Children)
        if (R.Nodes[Child].Open && !R.Nodes[Child].IsCut) {
          Way += (Way.empty() ? "" : " > ") + treeName(R, R.Nodes[Child]);
          At = Child;
          Found = true;
          break;
        }
    }
    if (!Way.empty())
      Result += (Result.empty() ? "" : "; ") + Way;
  }
  return Result;
}

void describeEnd(const Run &R, std::vector<std::string> &Footer) {
  if (R.Ended == End::Signal)
    Footer.push_back(
        fmt::format("The run was ended by {}.", signalName(R.EndCode)));
  else if (R.IsCopy && R.Ended == End::Running)
    Footer.push_back("These are the rank's figures when it called "
                     "MPI_Finalize; anything later is in its own profile.");
  else if (R.Ended == End::Running)
    Footer.push_back("The run has not ended: it is still going, or it was "
                     "killed. Times end at its last sign of life.");
  else if (R.Ended == End::Gone)
    Footer.push_back("The run did not end by exit(): it was killed, a signal "
                     "ended it, or it called _exit(); loopscope run would "
                     "know. Times end at its last sign of life.");
  else if (R.EndCode != 0)
    Footer.push_back(fmt::format("The run exited with code {}.", R.EndCode));
  if (R.Lost.OpenSpans != 0)
    Footer.push_back(fmt::format(
        "{} not finished; totals include the time so far: {}.",
        R.Lost.OpenSpans == 1 ? "1 span was"
                              : fmt::format("{} spans were", R.Lost.OpenSpans),
        openPaths(R)));
}

// The functions about which not everything is known, most calls first.
std::string switchedOffLine(const Run &R) {
  std::vector<SwitchedOff> All = switchedOff(R);
  uint64_t Off = R.Lost.named(LOOPSCOPE_COUNT_FUNCTIONS_OFF);
  const char *Their = Off == 1 ? "its" : "their";
  if (All.empty())
    return fmt::format("{} had hooks that were off when this process was "
                       "forked: nothing is known of {} calls, and {} time is "
                       "in {} callers'.",
                       counted(Off, "function"), Their, Their, Their);
  std::vector<std::string> Names;
  for (const SwitchedOff &Each : All)
    Names.push_back(R.Sites[Each.Site].Name);
  return fmt::format(
      "Hooks of {} were switched off during the run, because they cost more "
      "than a tenth of the function's own time: {}. Calls and times count "
      "until then; later time is in their callers' own times. "
      "LOOPSCOPE=functions=all keeps such hooks.",
      counted(All.size(), "function"), someOf(std::move(Names)));
}

std::string smallFunctionsLine(const Integrity &Lost) {
  std::vector<std::string> Names;
  for (const auto &[Place, Name] : Lost.SmallFunctions)
    Names.push_back(Name);
  size_t Count = Names.size();
  bool IsOne = Count == 1;
  return fmt::format(
      "{} {} no hook, because the profile of --functions-from shows {} to be "
      "small: {}. What {} is in {} callers' own times.",
      counted(Count, "function"), IsOne ? "has" : "have", IsOne ? "it" : "them",
      someOf(std::move(Names)), IsOne ? "it takes" : "they take",
      IsOne ? "its" : "their");
}

// What isn't counted, in words.
void describeRepairs(const Run &R, std::vector<std::string> &Footer) {
  const Integrity &L = R.Lost;
  if (L.named(LOOPSCOPE_COUNT_FUNCTIONS_OFF) != 0)
    Footer.push_back(switchedOffLine(R));
  if (!L.SmallFunctions.empty())
    Footer.push_back(smallFunctionsLine(L));
  if (L.Anonymous)
    Footer.push_back("The profile was kept in memory, at least in part: what "
                     "didn't fit into the file is missing here.");
  if (L.ClockWentBack)
    Footer.push_back("The clock went backwards during the run; the wall time "
                     "is that of its phases.");
  if (L.TscDistrusted)
    Footer.push_back("The time stamp counter isn't reliable here; times come "
                     "from CLOCK_MONOTONIC, and hooks cost more.");
  if (!L.MissingFiles.empty())
    Footer.push_back(
        fmt::format("Built without hooks, not in these tables: {}.",
                    fmt::join(L.MissingFiles, ", ")));
}
} // namespace

std::string loopscope::numberedNamesLine(const Run &R) {
  NumberedNames Found = numberedNames(R);
  if (Found.Names == 0)
    return "";
  return fmt::format(
      "{} that differ by a number alone are keys of {}; --by key has a row for "
      "each, and --no-keys keeps the names.",
      counted(Found.Names, "name"), someOf(std::move(Found.Phases)));
}

std::string loopscope::someOf(std::vector<std::string> Names) {
  constexpr size_t Named = 5;
  size_t More = Names.size() > Named ? Names.size() - Named : 0;
  Names.resize(Names.size() - More);
  if (More != 0)
    Names.push_back(fmt::format("{} more", More));
  return fmt::format("{}", fmt::join(Names, ", "));
}

void loopscope::describeLosses(const Integrity &Lost, LossOf Of, Section &S) {
  for (const LossKind &Each : lossKinds()) {
    if (Each.Of != Of)
      continue;
    uint64_t Count = Each.count(Lost);
    S.Integrity.emplace_back(Each.Key, count(Count));
    if (Count != 0 && Each.Noun)
      S.Footer.push_back(
          fmt::format("{}: {}.", counted(Count, Each.Noun), Each.What));
  }
}

static void describeCuts(const Integrity &Lost, Section &S) {
  LargestCuts All = Lost.DeviceCuts;
  All.add(Lost.HostCuts);
  std::vector<std::string> Names;
  for (const LargestCuts::Cut &Each : All.list())
    Names.push_back(fmt::format("{} ({})", printable(Each.Name),
                                readableDuration(toSeconds(Each.Ns))));
  if (!Names.empty())
    S.Footer.push_back(fmt::format("Most time was cut or left out of {}.",
                                   fmt::join(Names, ", ")));
}

// Those with most events by name.
static void describeCategories(const std::map<std::string, uint64_t> &Unknown,
                               Section &S) {
  constexpr size_t Most = 3;
  std::vector<std::pair<std::string, uint64_t>> All(Unknown.begin(),
                                                    Unknown.end());
  sortLargestFirst(All, &std::pair<std::string, uint64_t>::second);
  for (size_t I = 0; I < std::min(Most, All.size()); ++I)
    S.Footer.push_back(fmt::format(
        "{} of category {} {} understood.", counted(All[I].second, "event"),
        All[I].first, All[I].second == 1 ? "isn't" : "aren't"));
  if (All.size() > Most)
    S.Footer.push_back(fmt::format("Nor are those of {} more categor{}.",
                                   All.size() - Most,
                                   All.size() - Most == 1 ? "y" : "ies"));
}

void loopscope::describeTrace(const RunInfo &About, Section &S) {
  S.File = About.Path;
  S.Rank = About.Rank;
  if (About.Rank >= 0)
    S.Label = fmt::format("rank {}", About.Rank);
  auto Known = [](int64_t Value) {
    return Value < 0 ? absent() : Cell{Value, {}};
  };
  S.Facts = {{"schema_version", Known(About.SchemaVersion)},
             {"events", count(About.EventCount)},
             {"rank", Known(About.Rank)},
             {"world_size", Known(About.WorldSize)}};
  if (About.Cycles > 1)
    S.Footer.push_back(
        fmt::format("Recorded in {} spans of a process, each in a file of its "
                    "own; the time between them isn't counted.",
                    About.Cycles));
  describeLosses(About.Lost, LossOf::Trace, S);
  describeCuts(About.Lost, S);
  describeCategories(About.Lost.UnknownCategories, S);
  if (About.Lost.Torn || !About.Lost.DamagedInput.empty())
    S.Problem = fmt::format(
        "{}: ends before the trace does{}{}; the report shows what is there",
        About.Path, About.Lost.DamagedInput.empty() ? "" : ": ",
        About.Lost.DamagedInput);
}

void loopscope::describeRun(const Run &R, const RunInfo &About, Section &S) {
  if (!R.By->KnowsProgram) {
    describeTrace(About, S);
    if (std::string Line = numberedNamesLine(R); !Line.empty())
      S.Footer.push_back(std::move(Line));
    return;
  }
  S.File = R.Path;
  S.Rank = R.Rank;
  S.Label = R.Rank >= 0 ? fmt::format("rank {}", R.Rank) : "";
  if (R.Lost.BytesMissing != 0)
    S.Problem = fmt::format("{}: is truncated: {} bytes are missing; the "
                            "report shows what is there",
                            R.Path, R.Lost.BytesMissing);
  const char *Ended = R.Ended == End::Exited   ? "exited"
                      : R.Ended == End::Signal ? "signal"
                      : R.Ended == End::Gone   ? "gone"
                      : R.Ended == End::Reset  ? "reset"
                                               : "running";
  S.Facts = {{"program", text(R.Program)},
             {"command_line", text(R.CommandLine)},
             {"host", text(R.Host)},
             {"pid", {static_cast<int64_t>(R.Pid), {}}},
             {"rank", R.Rank < 0 ? absent() : Cell{R.Rank, {}}},
             {"start_s", duration(R.StartRealtimeNs)},
             {"wall_s", duration(R.WallNs)},
             {"ended", text(Ended)},
             {"end_code", {static_cast<int64_t>(R.EndCode), {}}},
             {"warmup_steps", count(R.WarmupSteps)},
             {"sampler_interval_s", R.Devices.IntervalMs == 0
                                        ? absent()
                                        : seconds(R.Devices.IntervalMs / 1e3)}};
  if (R.Parts.Number != 0)
    S.Facts.emplace_back("part", count(R.Parts.Number));
  describeFacts(R, S);
  Totals T = sumUp(R);
  const Integrity &L = R.Lost;
  S.Integrity = {{"spans", count(T.Spans)},
                 {"profiler_s", duration(T.OwnNs)},
                 {"interrupted_s", duration(T.InterruptedNs)},
                 {"span_cost_s",
                  seconds((R.HookInsideNs + R.HookOutsideNs) / NsPerSecond)}};
  S.Footer.push_back(costLine(R));
  if (std::optional<std::string> Line = interruptedLine(R))
    S.Footer.push_back(std::move(*Line));
  if (R.Devices.Rounds != 0)
    S.Footer.push_back(samplerLine(R));
  if (!R.Ranges.empty())
    S.Footer.push_back(rangesLine(R));
  if (std::optional<std::string> Again = endedAgainLine(R))
    S.Footer.push_back(std::move(*Again));
  for (std::string &Line : R.Given.lines())
    S.Footer.push_back(std::move(Line));
  for (std::string &Line : partLines(R))
    S.Footer.push_back(std::move(Line));
  describeEnd(R, S.Footer);
  for (std::string &Line : earlyEndLines(R))
    S.Footer.push_back(std::move(Line));
  describeLosses(L, LossOf::Run, S);
  for (auto &[Key, Value] : std::vector<std::pair<const char *, Cell>>{
           {"sampler_rounds", count(R.Devices.Rounds)},
           {"sampler_cpu_s", duration(R.Devices.CostNs)},
           {"anonymous_memory", count(L.Anonymous)},
           {"tsc_distrusted", count(L.TscDistrusted)},
           {"clock_went_back", count(L.ClockWentBack)},
           {"files_without_hooks", count(L.MissingFiles.size())},
           {"functions_left_out", count(L.SmallFunctions.size())}})
    S.Integrity.emplace_back(Key, std::move(Value));
  describeRepairs(R, S.Footer);
  describeGpu(R, S);
}
