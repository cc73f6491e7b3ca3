// Own cost, end of the run and data integrity, in words and as numbers.
#include "Report/Footer.h"

#include "Report/Cells.h"
#include "Report/GpuFooter.h"
#include "Report/Numbers.h"
#include "Report/PathTree.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

using namespace loopscope;

namespace {
struct Totals {
  uint64_t Spans = 0;
  int64_t HookNs = 0;
};

// Steps, draws and batches share one pair of hooks per step.
Totals sumUp(const Profile &P) {
  Totals Result;
  for (const Node &N : P.Nodes) {
    Result.HookNs = saturatingAdd(Result.HookNs, N.HookNs);
    bool InStep =
        N.Parent != None && P.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_STEP;
    if (N.Kind != LOOPSCOPE_KIND_STEP &&
        !(N.Kind == LOOPSCOPE_KIND_DRAW && InStep))
      Result.Spans += N.Spans.count();
  }
  return Result;
}

std::string costText(int64_t Ns) {
  return Ns == 0 ? "0 s" : siDuration(static_cast<double>(Ns) / NsPerSecond);
}

// Percent that two significant digits don't hold.
constexpr double TwoDigits = 99.5;

// Own cost from which the times mislead: what `~` marks of a function.
constexpr double MisleadingPercent = 10;

std::string costLine(const Profile &P) {
  Totals T = sumUp(P);
  if (P.HookInsideNs + P.HookOutsideNs <= 0)
    return fmt::format("Profiler's own cost: not measured, {}.",
                       counted(T.Spans, "span"));
  double Percent = P.WallNs > 0 ? static_cast<double>(T.HookNs) /
                                      static_cast<double>(P.WallNs) * 100
                                : 0;
  std::string Share;
  if (P.WallNs > 0)
    Share = Percent < TwoDigits
                ? fmt::format(" ({:.2g} % of wall time)", Percent)
                : fmt::format(" ({:.0f} % of wall time)", Percent);
  std::string Line = fmt::format(
      "Profiler's own cost: {}{}, {} at {:.1f} ns.", costText(T.HookNs), Share,
      counted(T.Spans, "span"), P.HookInsideNs + P.HookOutsideNs);
  if (Percent < MisleadingPercent)
    return Line;
  bool Functions =
      std::any_of(P.Nodes.begin(), P.Nodes.end(), [](const Node &N) {
        return N.Kind == LOOPSCOPE_KIND_FUNCTION && N.Spans.count() != 0;
      });
  return Line + (Functions ? " Totals hold it: leave small functions out with "
                             "--min-size=N."
                           : " Totals hold it: mark fewer, longer phases.");
}

std::string samplerLine(const Profile &P) {
  const DeviceData &D = P.Devices;
  std::string Share = P.WallNs > 0
                          ? fmt::format(" ({:.2g} % of a core)",
                                        static_cast<double>(D.CostNs) /
                                            static_cast<double>(P.WallNs) * 100)
                          : "";
  return fmt::format("Device sampler: {} every {} ms, {} of processor time{}.",
                     counted(D.Rounds, "sample"), D.IntervalMs,
                     costText(D.CostNs), Share);
}

std::string signalName(int Number) {
  const char *Short = sigabbrev_np(Number);
  return Short ? fmt::format("SIG{}", Short) : fmt::format("{}", Number);
}

std::string openPaths(const Profile &P) {
  std::string Result;
  for (const Thread &T : P.Threads) {
    if (T.Root == None)
      continue;
    std::string Way;
    uint32_t At = T.Root;
    for (bool Found = true; Found;) {
      Found = false;
      for (uint32_t Child : P.Nodes[At].Children)
        if (P.Nodes[Child].Open) {
          Way += (Way.empty() ? "" : " > ") + treeName(P, P.Nodes[Child]);
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

void describeEnd(const Profile &P, std::vector<std::string> &Footer) {
  if (P.Ended == End::Signal)
    Footer.push_back(
        fmt::format("The run was ended by {}.", signalName(P.EndCode)));
  else if (P.Ended == End::Running)
    Footer.push_back("The run has not ended: it is still going, or it was "
                     "killed. Times are up to its last sign of life.");
  else if (P.EndCode != 0)
    Footer.push_back(fmt::format("The run exited with code {}.", P.EndCode));
  if (P.Lost.OpenSpans != 0)
    Footer.push_back(fmt::format(
        "{} not finished, time so far is in the totals: {}.",
        P.Lost.OpenSpans == 1 ? "1 span was"
                              : fmt::format("{} spans were", P.Lost.OpenSpans),
        openPaths(P)));
}

void describeIntegrity(const Profile &P, std::vector<std::string> &Footer) {
  const Integrity &L = P.Lost;
  const Loss Losses[] = {
      {L.SpansLost, "span", "not recorded: out of memory for call paths"},
      {L.DepthFolded, "span",
       "nested too deep: their time is in the ancestor's self time"},
      {L.ClockClamped, "span",
       "by the clock ended before the start; counted with no time"},
      {L.Popped, "span",
       "closed by the end of a span around them (longjmp, "
       "pthread_exit)"},
      {L.StrayEnds, "end", "without an open span, ignored"},
      {L.Reentrant, "span",
       "not recorded: begun in a signal handler while a hook was running"},
      {L.BadSamples, "sample count", "negative, taken as 0"},
      {L.StepsExcluded, "step",
       "outside the window (window=): their time is in the totals of the loop, "
       "in no call, mean or phase"},
      {L.EventsDropped, "timeline event",
       "overwritten by newer ones; raise cap= to keep more"},
      {L.ThreadsLost, "thread", "not recorded"},
      {L.NvtxLeftOut, "NVTX start/end range",
       "left out: such ranges need not nest, and phases do"},
      {L.NvtxUnnamed, "NVTX range",
       "under \"(other ranges)\": too many different names"},
      {L.TornNodes, "call path",
       "being written while the profile was read, numbers may be off by one "
       "span"},
      {L.BadRecords, "record", "damaged and left out or repaired"},
      {L.BytesMissing, "byte", "missing at the end of the file"}};
  describeLosses(Losses, Footer);
  if (L.Anonymous)
    Footer.push_back("The profile was (partly) kept in anonymous memory: what "
                     "did not fit into the file is not here.");
  if (L.ClockWentBack)
    Footer.push_back("The clock went back during the run: its wall time is "
                     "taken to be that of its phases.");
  if (L.TscDistrusted)
    Footer.push_back("The time stamp counter was not trusted; times are from "
                     "CLOCK_MONOTONIC and the hooks cost more.");
  if (!L.MissingFiles.empty()) {
    std::string Names;
    for (const std::string &Name : L.MissingFiles)
      Names += (Names.empty() ? "" : ", ") + Name;
    Footer.push_back(
        fmt::format("Built without hooks, not in these tables: {}.", Names));
  }
}
} // namespace

void loopscope::describeLosses(std::span<const Loss> Losses,
                               std::vector<std::string> &Footer) {
  for (const Loss &Each : Losses)
    if (Each.Count != 0)
      Footer.push_back(
          fmt::format("{}: {}.", counted(Each.Count, Each.Noun), Each.What));
}

void loopscope::describeRun(const Profile &P, Section &S) {
  S.File = P.Path;
  S.Label = P.Rank >= 0 ? fmt::format("rank {}", P.Rank) : "";
  const char *Ended = P.Ended == End::Exited   ? "exited"
                      : P.Ended == End::Signal ? "signal"
                                               : "running";
  S.Facts = {
      {"program", text(P.Program)},
      {"command_line", text(P.CommandLine)},
      {"host", text(P.Host)},
      {"pid", {static_cast<int64_t>(P.Pid), {}}},
      {"rank", P.Rank < 0 ? absent() : Cell{static_cast<int64_t>(P.Rank), {}}},
      {"start_s", duration(P.StartRealtimeNs)},
      {"wall_s", duration(P.WallNs)},
      {"ended", text(Ended)},
      {"end_code", {static_cast<int64_t>(P.EndCode), {}}},
      {"warmup_steps", count(P.WarmupSteps)},
      {"sampler_interval_s", P.Devices.IntervalMs == 0
                                 ? absent()
                                 : seconds(P.Devices.IntervalMs / 1e3)}};
  Totals T = sumUp(P);
  const Integrity &L = P.Lost;
  S.Integrity = {{"spans", count(T.Spans)},
                 {"profiler_s", duration(T.HookNs)},
                 {"span_cost_s",
                  seconds((P.HookInsideNs + P.HookOutsideNs) / NsPerSecond)},
                 {"spans_open", count(L.OpenSpans)},
                 {"spans_lost", count(L.SpansLost)},
                 {"spans_too_deep", count(L.DepthFolded)},
                 {"spans_clamped", count(L.ClockClamped)},
                 {"spans_popped", count(L.Popped)},
                 {"spans_reentrant", count(L.Reentrant)},
                 {"stray_ends", count(L.StrayEnds)},
                 {"bad_samples", count(L.BadSamples)},
                 {"steps_excluded", count(L.StepsExcluded)},
                 {"events_dropped", count(L.EventsDropped)},
                 {"threads_lost", count(L.ThreadsLost)},
                 {"sampler_rounds", count(P.Devices.Rounds)},
                 {"sampler_cpu_s", duration(P.Devices.CostNs)},
                 {"nvtx_left_out", count(L.NvtxLeftOut)},
                 {"nvtx_over_limit", count(L.NvtxUnnamed)},
                 {"torn_nodes", count(L.TornNodes)},
                 {"bad_records", count(L.BadRecords)},
                 {"bytes_missing", count(L.BytesMissing)},
                 {"anonymous_memory", count(L.Anonymous)},
                 {"tsc_distrusted", count(L.TscDistrusted)},
                 {"clock_went_back", count(L.ClockWentBack)},
                 {"files_without_hooks", count(L.MissingFiles.size())}};
  S.Footer.push_back(costLine(P));
  if (P.Devices.Rounds != 0)
    S.Footer.push_back(samplerLine(P));
  describeEnd(P, S.Footer);
  describeIntegrity(P, S.Footer);
  describeGpu(P, S);
}
