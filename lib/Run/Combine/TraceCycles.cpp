// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares processes and times, and renumbers events.

#include "Run/Combine/TraceCycles.h"

#include <algorithm>
#include <map>
#include <string>
#include <string_view>
#include <tuple>
#include <utility>

using namespace loopscope;

namespace {
// "dir/vm_4711" of "dir/vm_4711.1700000000000000000.pt.trace.json.gz"; empty
// for names of another form.
std::string_view workerOf(std::string_view Path) {
  size_t End = Path.rfind(".pt.trace.json");
  if (End == std::string_view::npos)
    return {};
  std::string_view Stem = Path.substr(0, End);
  size_t Dot = Stem.rfind('.');
  if (Dot == std::string_view::npos || Dot + 1 == Stem.size() ||
      Stem.find_first_not_of("0123456789", Dot + 1) != std::string_view::npos)
    return {};
  return Stem.substr(0, Dot);
}

std::string_view workerOf(const RunInfo &Of) {
  return Of.Worker.empty() ? workerOf(Of.Path) : Of.Worker;
}

bool isSameProcess(const RunInfo &A, const RunInfo &B) {
  auto Facts = [](const RunInfo &Of) {
    return std::tie(Of.Host, Of.Pid, Of.Rank, Of.WorldSize, Of.StartRealtimeNs);
  };
  return Facts(A) == Facts(B) && A.Pid != 0 &&
         (!A.Host.empty() ||
          (!workerOf(A).empty() && workerOf(A) == workerOf(B)));
}

// From the first event's start to the last one's end.
Interval recorded(const EventStream &Of) {
  Interval All{INT64_MAX, INT64_MIN};
  for (const TraceEvent &Event : Of.Events) {
    All.Start = std::min(All.Start, Event.Start);
    All.End = std::max(All.End, Event.end());
  }
  return All;
}

// How the numbers of one stream become those of another.
class Renumbering {
public:
  Renumbering(EventStream &To, const EventStream &From) {
    for (uint32_t I = 0; I < From.Strings.size(); ++I)
      Strings.push_back(To.Strings.intern(From.Strings[I]));
    std::map<std::pair<uint32_t, uint32_t>, uint32_t> Known;
    for (uint32_t I = 0; I < To.Tracks.size(); ++I)
      Known.try_emplace({To.Tracks[I].Pid, To.Tracks[I].Tid}, I);
    for (const TraceTrack &Each : From.Tracks) {
      TraceTrack Next{Strings[Each.Pid], Strings[Each.Tid]};
      auto [At, IsNew] = Known.try_emplace(
          {Next.Pid, Next.Tid}, static_cast<uint32_t>(To.Tracks.size()));
      if (IsNew)
        To.Tracks.push_back(Next);
      Tracks.push_back(At->second);
    }
    for (const TraceEvent &Event : To.Events) {
      LastId = std::max(LastId, Event.ExternalId);
      LastCorrelation = std::max(LastCorrelation, Event.Correlation);
    }
    FirstDevice = static_cast<uint32_t>(To.Devices.size()) - 1;
    FirstExchange = static_cast<uint32_t>(To.Exchanges.size()) - 1;
  }

  // A process may number its launches from the start again.
  TraceEvent of(TraceEvent Event) const {
    Event.Name = Strings[Event.Name];
    Event.Track = Tracks[Event.Track];
    Event.Device = ofEntry(Event.Device, FirstDevice);
    if (Event.ExternalId != 0)
      Event.ExternalId += LastId;
    if (Event.Correlation != 0)
      Event.Correlation += LastCorrelation;
    return Event;
  }

  DeviceFacts of(DeviceFacts Facts) const {
    Facts.Exchange = ofEntry(Facts.Exchange, FirstExchange);
    return Facts;
  }

  ExchangeFacts of(ExchangeFacts Facts) const {
    for (uint32_t ExchangeFacts::*Text :
         {&ExchangeFacts::Operation, &ExchangeFacts::Group,
          &ExchangeFacts::Ranks})
      Facts.*Text = Strings[Facts.*Text];
    return Facts;
  }

  uint32_t ofTrack(uint32_t Track) const {
    return Track == LOOPSCOPE_NONE ? Track : Tracks[Track];
  }

private:
  // Entry 0 of both tables is the same.
  static uint32_t ofEntry(uint32_t Entry, uint32_t First) {
    return Entry == 0 ? 0 : Entry + First;
  }

  std::vector<uint32_t> Strings, Tracks;
  uint64_t LastId = 0, LastCorrelation = 0;
  uint32_t FirstDevice = 0, FirstExchange = 0;
};

Renumbering append(EventStream &To, const EventStream &From) {
  Renumbering New(To, From);
  for (size_t I = 1; I < From.Devices.size(); ++I)
    To.Devices.push_back(New.of(From.Devices[I]));
  for (size_t I = 1; I < From.Exchanges.size(); ++I)
    To.Exchanges.push_back(New.of(From.Exchanges[I]));
  for (const TraceEvent &Event : From.Events)
    To.Events.push_back(New.of(Event));
  return New;
}

// FROM: later.
void appendMemory(std::vector<MemoryLane> &To,
                  const std::vector<MemoryLane> &From, const Renumbering &New) {
  for (const MemoryLane &Each : From) {
    auto Lane = std::ranges::find(To, Each.Device, &MemoryLane::Device);
    if (Lane == To.end())
      Lane = To.insert(To.end(), {Each.Kind, Each.Device, INT64_MIN, {}});
    for (MemoryChange Change : Each.Changes) {
      Change.Track = New.ofTrack(Change.Track);
      Lane->Changes.push_back(Change);
    }
  }
}

void appendInputs(Run &To, const Run &From, size_t FirstEvent) {
  std::map<OperatorInputs, uint32_t> Known;
  for (uint32_t I = 0; I < To.Inputs.size(); ++I)
    Known.try_emplace(To.Inputs[I], I);
  for (EventInputs Each : From.Stream.InputsOf) {
    auto [At, IsNew] = Known.try_emplace(
        From.Inputs[Each.Inputs], static_cast<uint32_t>(To.Inputs.size()));
    if (IsNew)
      To.Inputs.push_back(At->first);
    To.Stream.InputsOf.push_back(
        {static_cast<uint32_t>(Each.Event + FirstEvent), At->second});
  }
}

template <typename Key>
void raise(std::map<Key, int64_t> &To, const std::map<Key, int64_t> &From) {
  for (const auto &[Of, Bytes] : From)
    To[Of] = std::max(To[Of], Bytes);
}

bool areCycles(const Run &A, const Run &B) {
  if (!isSameProcess(A, B) || A.Stream.Events.empty() ||
      B.Stream.Events.empty())
    return false;
  Interval Left = recorded(A.Stream);
  Interval Right = recorded(B.Stream);
  return Left.End <= Right.Start || Right.End <= Left.Start;
}

// Appends the events of LATER, a cycle of the same process.
void joinCycle(Run &To, const Run &Later) {
  if (To.Stream.Recorded.empty())
    To.Stream.Recorded.push_back(recorded(To.Stream));
  To.Stream.Recorded.push_back(recorded(Later.Stream));
  To.Cycles = static_cast<uint32_t>(To.Stream.Recorded.size());
  std::string Worker(workerOf(To));
  To.Worker = Worker == workerOf(Later) ? std::move(Worker) : std::string();
  To.Path += " + " + Later.Path;
  To.Program = To.Path;
  size_t FirstEvent = To.Stream.Events.size();
  Renumbering New = append(To.Stream, Later.Stream);
  appendMemory(To.MemoryOverTime, Later.MemoryOverTime, New);
  appendInputs(To, Later, FirstEvent);
  To.EventCount += Later.EventCount;
  raise(To.PeakMemory, Later.PeakMemory);
  raise(To.PeakReserved, Later.PeakReserved);
  raise(To.PeakHostMemory, Later.PeakHostMemory);
  addLosses(Later.Lost, To.Lost);
}
} // namespace

std::optional<Run> CycleJoiner::add(Run Next) {
  bool IsOne = Next.By->KeepsEvents &&
               std::all_of(Cycles.begin(), Cycles.end(), [&](const Run &Each) {
                 return areCycles(Each, Next);
               });
  std::optional<Run> Whole = IsOne ? std::nullopt : finish();
  Cycles.push_back(std::move(Next));
  return Whole;
}

std::optional<Run> CycleJoiner::finish() {
  if (Cycles.empty())
    return std::nullopt;
  std::sort(Cycles.begin(), Cycles.end(), [](const Run &A, const Run &B) {
    return recorded(A.Stream).Start < recorded(B.Stream).Start;
  });
  Run Whole = std::move(Cycles.front());
  for (size_t I = 1; I < Cycles.size(); ++I)
    joinCycle(Whole, Cycles[I]);
  Cycles.clear();
  return Whole;
}
