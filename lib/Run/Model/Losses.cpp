// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of losses.

#include "Run/Model/Losses.h"

#include "Run/Model/Run.h"
#include "Support/Order.h"

#include <loopscope/named_losses.h>
#include <loopscope/profile_counters.h>

#include <algorithm>
#include <iterator>

using namespace loopscope;

namespace {
constexpr LossKind named(const char *Key, const char *Noun, const char *What,
                         loopscope_named_loss Which) {
  return {LossOf::Run, Key, Noun, What, -1, nullptr, static_cast<int>(Which)};
}

constexpr LossKind LossKinds[] = {
    {LossOf::Run, "spans_open", nullptr, nullptr, -1, &Integrity::OpenSpans},
    {LossOf::Run, "spans_lost", "span",
     "not recorded: out of memory for call paths", LOOPSCOPE_COUNT_NODES_LOST},
    {LossOf::Run, "spans_too_deep", "span",
     "nested too deep: their time is in the ancestor's self time",
     LOOPSCOPE_COUNT_DEPTH_FOLDED},
    {LossOf::Run, "spans_clamped", "span",
     "ended before the start, by the clock; counted with no time",
     LOOPSCOPE_COUNT_CLOCK_CLAMPED},
    {LossOf::Run, "spans_popped", nullptr, nullptr, LOOPSCOPE_COUNT_POPPED},
    {LossOf::Run, "late_ends", nullptr, nullptr, LOOPSCOPE_COUNT_LATE_END},
    {LossOf::Run, "ends_on_other_threads", nullptr, nullptr,
     LOOPSCOPE_COUNT_OTHER_THREAD},
    {LossOf::Run, "spans_reentrant", "span",
     "not recorded: begun while another hook of the thread was busy, in a "
     "function that it called (malloc) or a handler of a fault",
     LOOPSCOPE_COUNT_REENTRANT},
    {LossOf::Run, "spans_torn", "span",
     "only partly counted: a jump out of a signal handler left them while they "
     "were being recorded",
     LOOPSCOPE_COUNT_TORN},
    {LossOf::Run, "stray_ends", "end", "without an open span, ignored",
     LOOPSCOPE_COUNT_STRAY_END},
    {LossOf::Run, "bad_samples", "count",
     "of samples, bytes or iterations, negative, taken as 0",
     LOOPSCOPE_COUNT_BAD_SAMPLES},
    {LossOf::Run, "steps_excluded", "step",
     "outside the window (window=, gpu=profiler) or in a pause "
     "(loopscope_pause): their time is in the totals of the loop, in no call "
     "or mean",
     LOOPSCOPE_COUNT_STEPS_EXCLUDED},
    {LossOf::Run, "events_dropped", "timeline event",
     "overwritten by newer ones; raise cap= to keep more",
     LOOPSCOPE_COUNT_EVENTS_DROPPED},
    {LossOf::Run, "threads_lost", "thread", "not recorded",
     LOOPSCOPE_COUNT_THREADS_LOST},
    {LossOf::Run, "nvtx_left_out", "NVTX start/end range",
     "left out: no memory for it, or too many are open",
     LOOPSCOPE_COUNT_NVTX_LEFT_OUT},
    {LossOf::Run, "nvtx_over_limit", "NVTX range",
     "under \"(other ranges)\": too many different names",
     LOOPSCOPE_COUNT_NVTX_UNNAMED}
#define LOOPSCOPE_LIST_LOSS_(IDENTIFIER, KEY, NAME, NOUN, WHAT)                \
  , named(NAME, NOUN, WHAT, LOOPSCOPE_COUNT_##IDENTIFIER)
    LOOPSCOPE_NAMED_LOSSES(LOOPSCOPE_LIST_LOSS_),
#undef LOOPSCOPE_LIST_LOSS_
    {LossOf::Run, "torn_nodes", "call path",
     "being written while the profile was read, numbers may be off by one "
     "span",
     -1, &Integrity::TornNodes},
    {LossOf::Run, "bad_records", "record", "damaged and left out or repaired",
     -1, &Integrity::BadRecords},
    {LossOf::Run, "bytes_missing", "byte", "missing at the end of the file", -1,
     &Integrity::BytesMissing},
    {LossOf::Run, "keys_in_ranges", "span",
     "with a key beyond the first ones of its call path, in the row of a range "
     "of numbers or of all other texts; raise keys= to keep more apart",
     -1, &Integrity::KeysInRanges},
    {LossOf::Run, "keys_over_limit", "span",
     "with a key beyond the most that a profile keeps apart, in the row of a "
     "range of numbers or of all other texts",
     -1, &Integrity::KeysOverLimit},

    {LossOf::Gpu, "gpu_dropped", "GPU record",
     "dropped by CUPTI; not in these tables", LOOPSCOPE_COUNT_GPU_DROPPED},
    {LossOf::Gpu, "gpu_unreadable", "buffer",
     "of GPU records cut off at one that CUPTI can't read, of work in flight "
     "at the end: it and those after it are in no table",
     LOOPSCOPE_COUNT_GPU_UNREADABLE},
    {LossOf::Gpu, "gpu_buffers_unread", "buffer",
     "of GPU records that came back after collection had stopped: not read, "
     "in no table",
     LOOPSCOPE_COUNT_GPU_BUFFERS_UNREAD},
    {LossOf::Gpu, "gpu_buffers_refused", "buffer",
     "of GPU records beyond the memory limit: not kept, in no table",
     LOOPSCOPE_COUNT_GPU_BUFFERS_REFUSED},
    {LossOf::Gpu, "gpu_lost", "piece",
     "of device work not recorded: out of memory", LOOPSCOPE_COUNT_GPU_LOST},
    {LossOf::Gpu, "gpu_outside", "piece",
     "of device work with impossible times (outside the run, or an end before "
     "its start), left out",
     LOOPSCOPE_COUNT_GPU_OUTSIDE},
    {LossOf::Gpu, "gpu_unresolved", "piece",
     "of device work whose launch is unknown, charged to no phase",
     LOOPSCOPE_COUNT_GPU_UNRESOLVED},
    {LossOf::Gpu, "gpu_no_time", "piece",
     "of device work without a time stamp, in counts and in no time",
     LOOPSCOPE_COUNT_GPU_NO_TIME},
    {LossOf::Gpu, "gpu_unnamed", "kernel",
     "named \"(kernel of an unloaded module)\", because their records came "
     "after their module was unloaded",
     LOOPSCOPE_COUNT_GPU_UNNAMED},
    {LossOf::Gpu, "gpu_late", "piece",
     "of device work that arrived too late: its first part is missing from "
     "GPU, wait and idle times, but not from kernels' and copies' own times",
     LOOPSCOPE_COUNT_GPU_LATE},
    {LossOf::Gpu, "gpu_unsettled", "piece",
     "of device work that can't be settled, because the record of earlier work "
     "hadn't come: missing from GPU, wait and idle times",
     LOOPSCOPE_COUNT_GPU_UNSETTLED},
    {LossOf::Gpu, "gpu_foreign", "launch",
     "by threads without a phase of their own, charged to the phase that the "
     "main thread, or else the one that trains, was in",
     LOOPSCOPE_COUNT_GPU_FOREIGN},
    {LossOf::Gpu, "gpu_memory_late", "memory record",
     "too late or without a time: memory peaks may be off",
     LOOPSCOPE_COUNT_GPU_MEMORY_LATE},
    {LossOf::Gpu, "gpu_events_dropped", "GPU timeline event",
     "overwritten by newer ones; raise cap= to keep more",
     LOOPSCOPE_COUNT_GPU_EVENTS_DROPPED},
    {LossOf::Gpu, "torn_gpu_records", "GPU record",
     "being written while the profile was read, numbers may be off by a "
     "little",
     -1, &Integrity::TornGpu},

    {LossOf::Trace, "bad_events", "event", "not readable, left out", -1,
     &Integrity::BadEvents},
    {LossOf::Trace, "negative_durations", "duration", "negative, taken as 0",
     -1, &Integrity::NegativeDurations},
    {LossOf::Trace, "overlapping_events", "event",
     "overlapping a neighbour on the same thread, cut there", -1,
     &Integrity::OverlappingEvents},
    {LossOf::Trace, "clipped_frames", "Python frame",
     "overlapping the border of an annotation or operator, cut there", -1,
     &Integrity::ClippedFrames},
    {LossOf::Trace, "events_without_time", "event",
     "with a start and a duration of 0, left out", -1,
     &Integrity::EventsWithoutTime},
    {LossOf::Trace, "work_longer_than_trace", "piece",
     "of device work longer than all that the host did, cut there or left out",
     -1, &Integrity::WorkLongerThanTrace},
    {LossOf::Trace, "work_before_launch", "piece",
     "of device work that began before the call that launched it, cut there or "
     "left out",
     -1, &Integrity::WorkBeforeLaunch},
    {LossOf::Trace, "kernels_over_successors", "kernel",
     "that ran over later ones of their stream, cut where those begin", -1,
     &Integrity::KernelsOverSuccessors},
    {LossOf::Trace, "launches_without_work", "launch",
     "of kernels that aren't in the trace", -1,
     &Integrity::LaunchesWithoutWork},
    {LossOf::Trace, "bytes_missing", "byte",
     "after the last whole event, left out", -1, &Integrity::BytesMissing},
    {LossOf::Trace, "bad_utf8", "place",
     "with bytes that aren't UTF-8, shown as '?'", -1, &Integrity::BadUtf8},
};

constexpr std::string_view NamedKeys[] = {
#define LOOPSCOPE_LIST_KEY_(IDENTIFIER, KEY, NAME, NOUN, WHAT) KEY,
    LOOPSCOPE_NAMED_LOSSES(LOOPSCOPE_LIST_KEY_)
#undef LOOPSCOPE_LIST_KEY_
};
} // namespace

std::span<const LossKind> loopscope::lossKinds() { return LossKinds; }

uint64_t Integrity::named(loopscope_named_loss Which) const {
  auto Found = Named.find(Which);
  return Found == Named.end() ? 0 : Found->second;
}

uint64_t LossKind::count(const Integrity &In) const {
  if (Field)
    return In.*Field;
  return Named >= 0 ? In.named(static_cast<loopscope_named_loss>(Named))
                    : In.Counters[static_cast<size_t>(Counter)];
}

void loopscope::addNamedLoss(std::string_view Key, uint64_t Value,
                             Integrity &Lost) {
  for (unsigned I = 0; I < std::size(NamedKeys); ++I)
    if (Key == NamedKeys[I])
      Lost.Named[static_cast<loopscope_named_loss>(I)] += Value;
}

void Contradictions::add(const Contradictions &Other) {
  for (uint64_t Contradictions::*Each :
       {&Contradictions::Launches, &Contradictions::OfLaunches,
        &Contradictions::Events, &Contradictions::OfEvents})
    this->*Each += Other.*Each;
  for (int64_t Contradictions::*Each :
       {&Contradictions::Ns, &Contradictions::OfNs, &Contradictions::CutNs})
    this->*Each = saturatingAdd(this->*Each, Other.*Each);
}

void LargestCuts::add(std::string_view Name, int64_t Ns) {
  constexpr int64_t RoundingNs = 1000; // older traces have whole microseconds
  constexpr size_t Most = 3;
  if (Ns <= RoundingNs || (Kept.size() == Most && Ns <= Kept.back().Ns))
    return;
  auto Same = std::ranges::find(Kept, Name, &Cut::Name);
  if (Same == Kept.end())
    Kept.push_back({std::string(Name), Ns});
  else
    Same->Ns = std::max(Same->Ns, Ns);
  sortLargestFirst(Kept, &Cut::Ns);
  Kept.resize(std::min(Kept.size(), Most));
}

void LargestCuts::add(const LargestCuts &Other) {
  for (const Cut &Each : Other.Kept)
    add(Each.Name, Each.Ns);
}

void loopscope::addLosses(const Integrity &From, Integrity &To) {
  for (size_t I = 0; I < To.Counters.size(); ++I)
    To.Counters[I] += From.Counters[I];
  for (const auto &[Which, Count] : From.Named)
    To.Named[Which] += Count;
  // A field that two kinds of file fill in is in the table twice.
  std::vector<uint64_t Integrity::*> Added;
  for (const LossKind &Each : LossKinds) {
    if (!Each.Field ||
        std::find(Added.begin(), Added.end(), Each.Field) != Added.end())
      continue;
    Added.push_back(Each.Field);
    To.*Each.Field += From.*Each.Field;
  }
  To.Wrong.add(From.Wrong);
  To.HostCuts.add(From.HostCuts);
  To.DeviceCuts.add(From.DeviceCuts);
  for (const auto &[Category, Count] : From.UnknownCategories)
    To.UnknownCategories[Category] += Count;
  To.Anonymous |= From.Anonymous;
  To.TscDistrusted |= From.TscDistrusted;
  To.ClockWentBack |= From.ClockWentBack;
  To.Torn |= From.Torn;
  if (To.DamagedInput.empty())
    To.DamagedInput = From.DamagedInput;
  To.SmallFunctions.insert(From.SmallFunctions.begin(),
                           From.SmallFunctions.end());
  for (const std::string &Name : From.MissingFiles)
    if (std::find(To.MissingFiles.begin(), To.MissingFiles.end(), Name) ==
        To.MissingFiles.end())
      To.MissingFiles.push_back(Name);
}
