// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Spans by thread, then CUDA calls by the span around them, then device work.

#include "Analysis/Steps/TimelineEvents.h"

#include "Analysis/Account/NestedLoops.h"
#include "Analysis/Steps/StepTimeline.h"
#include "Analysis/Tree/DeviceNames.h"
#include "Analysis/Tree/PathTree.h"
#include "Run/Model/Stages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
class Tracer {
public:
  Tracer(const Run &R, StepsAsEvents Which)
      : R(R), HasTraining(hasTrainingSteps(R)), NameOf(R.Nodes.size(), None) {
    if (Which == StepsAsEvents::Counted)
      LeftOut = findLoops(R).IsLeftOut;
    for (uint32_t I = 0; I < R.Gpu.Events.size(); ++I)
      if (R.Gpu.Events[I].Correlation != 0 && !R.Gpu.Events[I].isDeviceWork())
        CallOf[R.Gpu.Events[I].Correlation] = I;
  }

  EventStream events();

private:
  void addThread(uint32_t T, const std::vector<uint32_t> &Calls);
  void addSpan(const TimelineSpan &Span, uint32_t Track);
  void addCall(uint32_t Event, uint32_t Track, uint64_t Id);
  void addWork(uint32_t Event);
  uint32_t track(const std::string &Pid, const std::string &Tid,
                 uint32_t Thread);
  uint32_t nameOf(const TimelineSpan &Span);
  TraceEvent &add(TraceKind Kind, uint32_t Name, int64_t Start, int64_t End,
                  uint32_t Track, uint32_t Gpu);

  const Run &R;
  EventStream Out;
  bool HasTraining;
  std::vector<bool> LeftOut;    // steps, by node; empty: all count
  std::vector<uint32_t> NameOf; // by node, of spans without a number
  uint64_t NextId = 1;
  std::map<std::pair<std::string, std::string>, uint32_t> Tracks;
  std::map<uint32_t, uint32_t> CallOf;    // correlation -> event of its call
  std::map<uint32_t, uint64_t> LaunchIds; // event of a call -> External id
};
} // namespace

uint32_t Tracer::track(const std::string &Pid, const std::string &Tid,
                       uint32_t Thread) {
  auto [At, IsNew] =
      Tracks.try_emplace({Pid, Tid}, static_cast<uint32_t>(Out.Tracks.size()));
  if (IsNew) {
    Out.Tracks.push_back({Out.Strings.intern(Pid), Out.Strings.intern(Tid)});
    Out.ThreadOf.push_back(Thread);
  }
  return At->second;
}

// Timelines have tens of millions of spans, of a few nodes.
uint32_t Tracer::nameOf(const TimelineSpan &Span) {
  if (Span.Step >= 0)
    return Out.Strings.intern(spanName(R, Span));
  if (NameOf[Span.Node] == None)
    NameOf[Span.Node] = Out.Strings.intern(spanName(R, Span));
  return NameOf[Span.Node];
}

TraceEvent &Tracer::add(TraceKind Kind, uint32_t Name, int64_t Start,
                        int64_t End, uint32_t Track, uint32_t Gpu) {
  TraceEvent Next;
  Next.Kind = Kind;
  Next.Name = Name;
  // A hostile profile's times may be anything; the analyses add them up.
  constexpr int64_t Longest = 1'000'000'000'000'000'000; // 30 years
  Next.Start = std::clamp<int64_t>(Start, 0, Longest);
  Next.Duration =
      std::max<int64_t>(0, std::clamp<int64_t>(End, 0, Longest) - Next.Start);
  Next.Track = Track;
  Out.Events.push_back(Next);
  Out.GpuEventOf.push_back(Gpu);
  return Out.Events.back();
}

void Tracer::addSpan(const TimelineSpan &Span, uint32_t Track) {
  const Node &N = R.Nodes[Span.Node];
  TraceKind Kind = TraceKind::Annotation;
  EventUse Use = EventUse::None;
  if (N.Kind == LOOPSCOPE_KIND_STEP && Span.Step >= 0 &&
      (isTrainingStep(R, N) || !HasTraining) &&
      (LeftOut.empty() || (!LeftOut[Span.Node] && !Span.Open))) {
    Kind = TraceKind::Step;
  } else if (N.Kind == LOOPSCOPE_KIND_DRAW) {
    Use = EventUse::Load;
  } else if (N.Kind == LOOPSCOPE_KIND_COLLECTIVE) {
    Use = EventUse::Exchange;
  } else if (N.IsCut) {
    Use = EventUse::Cut;
  } else if (N.Kind == LOOPSCOPE_KIND_PHASE || isFunction(N.Kind)) {
    Kind = TraceKind::Operator;
    if (isExchange(R.useOf(N)))
      Use = EventUse::Exchange;
  }
  TraceEvent &Added =
      add(Kind, nameOf(Span), Span.StartNs, Span.EndNs, Track, None);
  Added.ExternalId = NextId++;
  Added.Use = Use;
  Added.StandsFor = static_cast<uint8_t>(N.Kind);
}

void Tracer::addCall(uint32_t Event, uint32_t Track, uint64_t Id) {
  const GpuEvent &E = R.Gpu.Events[Event];
  std::string Name =
      E.Function == None ? "cudaUnknown" : R.Gpu.Functions[E.Function];
  TraceEvent &Call = add(TraceKind::Runtime, Out.Strings.intern(Name),
                         E.StartNs, E.EndNs, Track, Event);
  Call.Use = E.Kind == LOOPSCOPE_GPU_LAUNCH_CALL ? EventUse::Launch
             : E.Kind == LOOPSCOPE_GPU_WAIT_CALL ? EventUse::Block
                                                 : EventUse::None;
  Call.Correlation = E.Correlation;
  Call.ExternalId = Id;
  LaunchIds[Event] = Id;
}

// A thread's spans, and its calls with the id of the innermost phase or
// function around them.
void Tracer::addThread(uint32_t T, const std::vector<uint32_t> &Calls) {
  static const std::vector<TimelineSpan> NoSpans;
  const std::vector<TimelineSpan> &Spans =
      T < R.Timeline.size() ? R.Timeline[T] : NoSpans;
  if (Spans.empty() && Calls.empty())
    return;
  uint32_t Track =
      track(fmt::format("{}", R.Pid), fmt::format("{}", R.Threads[T].Tid), T);
  struct Around {
    int64_t End;
    uint64_t Id; // 0: no operator
  };
  std::vector<Around> Open;
  size_t Next = 0;
  std::vector<size_t> Steps = stepsOf(R, Spans);
  auto CallsUntil = [&](int64_t Ns) {
    for (; Next < Calls.size() && R.Gpu.Events[Calls[Next]].StartNs < Ns;
         ++Next) {
      int64_t At = R.Gpu.Events[Calls[Next]].StartNs;
      while (!Open.empty() && Open.back().End <= At)
        Open.pop_back();
      uint64_t Id = 0;
      for (size_t I = Open.size(); I-- > 0 && Id == 0;)
        Id = Open[I].Id;
      addCall(Calls[Next], Track, Id);
    }
  };
  for (size_t I = 0; I < Spans.size(); ++I) {
    const Node &N = R.Nodes[Spans[I].Node];
    if (N.Kind == LOOPSCOPE_KIND_STEP &&
        !std::binary_search(Steps.begin(), Steps.end(), I))
      continue;
    CallsUntil(Spans[I].StartNs);
    while (!Open.empty() && Open.back().End <= Spans[I].StartNs)
      Open.pop_back();
    addSpan(Spans[I], Track);
    const TraceEvent &Added = Out.Events.back();
    Open.push_back({Spans[I].EndNs,
                    Added.Kind == TraceKind::Operator ? Added.ExternalId : 0});
  }
  CallsUntil(INT64_MAX);
}

void Tracer::addWork(uint32_t Event) {
  const GpuEvent &E = R.Gpu.Events[Event];
  TraceKind Kind = E.Kind == LOOPSCOPE_GPU_KERNEL ? TraceKind::Kernel
                   : E.Kind == LOOPSCOPE_GPU_COPY ? TraceKind::Memcpy
                                                  : TraceKind::Memset;
  uint32_t Track = track(fmt::format("{}", deviceNumber(R, E.Device)),
                         fmt::format("{}", E.Stream), None);
  TraceEvent &Work = add(Kind, Out.Strings.intern(deviceWorkName(R, E)),
                         E.StartNs, E.EndNs, Track, Event);
  Work.Correlation = E.Correlation;
  if (auto Call = CallOf.find(E.Correlation);
      E.Correlation != 0 && Call != CallOf.end())
    if (auto Id = LaunchIds.find(Call->second); Id != LaunchIds.end())
      Work.ExternalId = Id->second;
  Work.Device = static_cast<uint32_t>(Out.Devices.size());
  Out.Devices.push_back({deviceNumber(R, E.Device), blocksPerSm(R, E),
                         E.Occupancy < 0 ? -1 : E.Occupancy * 100});
}

EventStream Tracer::events() {
  Out.ThreadsAreApart = true;
  size_t Most = R.Gpu.Events.size();
  for (const std::vector<TimelineSpan> &Each : R.Timeline)
    Most += Each.size();
  Out.Events.reserve(Most);
  Out.GpuEventOf.reserve(Most);
  Out.Devices.emplace_back();
  Out.Exchanges.emplace_back();
  std::vector<std::vector<uint32_t>> Calls(R.Threads.size());
  std::map<int64_t, std::vector<uint32_t>> Foreign; // by kernel thread id
  for (uint32_t I = 0; I < R.Gpu.Events.size(); ++I) {
    const GpuEvent &E = R.Gpu.Events[I];
    if (E.isDeviceWork() || E.Kind == LOOPSCOPE_GPU_OVERHEAD)
      continue;
    if (E.Thread != None)
      Calls[E.Thread].push_back(I);
    else
      Foreign[E.Tid].push_back(I);
  }
  for (uint32_t I = 0; I < R.Threads.size(); ++I)
    addThread(I, Calls[I]);
  for (const auto &[Tid, Events] : Foreign) {
    uint32_t Track =
        track(fmt::format("{}", R.Pid), fmt::format("{}", Tid), None);
    for (uint32_t Each : Events)
      addCall(Each, Track, 0);
  }
  std::vector<uint32_t> Work;
  for (uint32_t I = 0; I < R.Gpu.Events.size(); ++I)
    if (R.Gpu.Events[I].isDeviceWork())
      Work.push_back(I);
  std::stable_sort(Work.begin(), Work.end(), [&](uint32_t A, uint32_t B) {
    const GpuEvent &Left = R.Gpu.Events[A];
    const GpuEvent &Right = R.Gpu.Events[B];
    return std::pair(Left.Device, Left.Stream) <
           std::pair(Right.Device, Right.Stream);
  });
  for (uint32_t Each : Work)
    addWork(Each);
  markExchanges(Out);
  return std::move(Out);
}

EventStream loopscope::eventsOf(const Run &R, StepsAsEvents Which) {
  return Tracer(R, Which).events();
}
