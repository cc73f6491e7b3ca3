// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds containment with a stack per track; without recursion, so depth costs
// nothing.

#include "Run/Model/HostCalls.h"

#include "Run/Model/Run.h"
#include "Run/Model/StepParts.h"

#include <algorithm>

namespace loopscope {

bool takesPart(const TraceEvent &Event, CallKinds Kinds) {
  switch (Event.Kind) {
  case TraceKind::Step:
    return true;
  case TraceKind::Operator:
    return Kinds != CallKinds::Phases || Event.StandsFor != LOOPSCOPE_KIND_ROOT;
  case TraceKind::Python:
    return Kinds != CallKinds::Phases;
  case TraceKind::Annotation:
    return true; // operator tables leave some out, see isLeftOut()
  case TraceKind::Function:
    return Kinds == CallKinds::Everything;
  default:
    return false;
  }
}

namespace {

bool isWithin(const Interval &Inner, const Interval &Outer) {
  return Inner.Start >= Outer.Start && Inner.End <= Outer.End;
}

class Builder {
public:
  Builder(const EventStream &Trace, const LaunchLinks &Links)
      : Trace(Trace), Links(Links), Owned(Links.runtimes().size(), false) {}

  HostCalls build(CallKinds Kinds, const std::vector<FrameTime> &InFrames) {
    std::vector<std::vector<uint32_t>> Threads = threads(Kinds);
    size_t Events = 0;
    for (const std::vector<uint32_t> &Thread : Threads)
      Events += Thread.size();
    Out.Calls.reserve(Events); // large, and usually exact
    if (Kinds == CallKinds::Operators) {
      HasRow.resize(Trace.Strings.size());
      for (const std::vector<uint32_t> &Thread : Threads)
        findRows(Thread);
    }
    for (std::vector<uint32_t> &Thread : Threads) {
      nest(Thread, Kinds);
      Thread = {};
    }
    addRuntimes(InFrames);
    merge();
    addTimes();
    for (uint32_t I = 0; I < Owned.size(); ++I)
      if (!Owned[I]) {
        ++Out.UnownedRuntimes;
        Out.UnownedDeviceTime += Links.deviceTimeOf(I);
      }
    return std::move(Out);
  }

private:
  // The events of each track; of those that start together, the outer ones come
  // first.
  std::vector<std::vector<uint32_t>> threads(CallKinds Kinds) {
    std::vector<uint32_t> Number(Trace.Tracks.size(), HostCall::None);
    std::vector<std::vector<uint32_t>> Threads;
    for (uint32_t E = 0; E < Trace.Events.size(); ++E) {
      const TraceEvent &Event = Trace.Events[E];
      if (!takesPart(Event, Kinds))
        continue;
      uint32_t &Thread = Number[Event.Track];
      if (Thread == HostCall::None) {
        Thread = static_cast<uint32_t>(Threads.size());
        Threads.emplace_back();
      }
      Threads[Thread].push_back(E);
    }
    for (std::vector<uint32_t> &Thread : Threads)
      std::sort(Thread.begin(), Thread.end(), [&](uint32_t A, uint32_t B) {
        const TraceEvent &Left = Trace.Events[A];
        const TraceEvent &Right = Trace.Events[B];
        if (Left.Start != Right.Start)
          return Left.Start < Right.Start;
        if (Left.Duration != Right.Duration)
          return Left.Duration > Right.Duration;
        return A < B;
      });
    return Threads;
  }

  const TraceEvent &eventOf(uint32_t Call) const {
    return Trace.Events[Out.Calls[Call].Event];
  }

  int64_t endOf(uint32_t Call) const { return Out.Calls[Call].end(); }

  bool isFrame(uint32_t Call) const {
    return eventOf(Call).Kind == TraceKind::Function;
  }

  void countCut(const TraceEvent &Event, bool IsFirst, int64_t Ns) {
    bool IsFrame = Event.Kind == TraceKind::Function;
    if (IsFirst)
      ++(IsFrame ? Out.ClippedFrames : Out.Overlapping);
    if (IsFrame)
      return;
    Out.CutNs = saturatingAdd(Out.CutNs, Ns);
    Out.Cuts.add(Trace.name(Event), Ns);
  }

  // Cuts what overlaps NEXT without nesting, or NEXT itself, whose new end it
  // returns. Frames at the start of record_function enclose the annotation's
  // start, and rounded times make neighbours overlap a little.
  int64_t cutToNest(std::vector<uint32_t> &Open, const EventPart &Next) {
    const TraceEvent &Event = Trace.Events[Next.Event];
    bool IsFrame = Event.Kind == TraceKind::Function;
    for (; !Open.empty() && Next.End > endOf(Open.back()); Open.pop_back()) {
      HostCall &Around = Out.Calls[Open.back()];
      bool CutsAround =
          !IsFrame && (isFrame(Open.back()) ||
                       Around.end() - Next.Start < Next.End - Around.end());
      if (!CutsAround) {
        countCut(Event, true, Next.End - Around.end());
        return Around.end();
      }
      countCut(eventOf(Open.back()), !Around.IsCut, Around.end() - Next.Start);
      Around.IsCut = true;
      Around.HostTotal = Next.Start - Around.Start;
    }
    return Next.End;
  }

  // Names of the annotations that operator tables have: those that are inside
  // an operator somewhere, where their time isn't the operator's own.
  void findRows(const std::vector<uint32_t> &Thread) {
    int64_t OperatorsEnd = INT64_MIN; // of all that began so far
    for (uint32_t E : Thread) {
      const TraceEvent &Event = Trace.Events[E];
      if (Event.Kind == TraceKind::Operator)
        OperatorsEnd = std::max(OperatorsEnd, Event.end());
      else if (Event.Kind == TraceKind::Annotation &&
               Event.end() <= OperatorsEnd)
        HasRow[Event.Name] = true;
    }
  }

  bool isLeftOut(const TraceEvent &Event, CallKinds Kinds) const {
    return Kinds == CallKinds::Operators &&
           Event.Kind == TraceKind::Annotation && !HasRow[Event.Name];
  }

  void nest(const std::vector<uint32_t> &Thread, CallKinds Kinds) {
    bool StepsContain = Kinds != CallKinds::Operators;
    StepParts Of = StepsContain ? divideAtSteps(Trace, Thread) : StepParts();
    Out.Overlapping += Of.Trimmed;
    Out.ClippedFrames += Of.TrimmedFrames;
    std::vector<uint32_t> Open;
    std::vector<uint32_t> LastChild; // of each open call
    std::vector<uint32_t> FirstPart(Of.Parts.empty() ? 0 : Thread.size(),
                                    HostCall::None);
    size_t Count = Of.Parts.empty() ? Thread.size() : Of.Parts.size();
    for (uint32_t I = 0; I < Count; ++I) {
      EventPart Part =
          Of.Parts.empty() ? wholeEvent(Trace, Thread, I) : Of.Parts[I];
      const TraceEvent &Event = Trace.Events[Part.Event];
      while (!Open.empty() && Part.Start >= endOf(Open.back()))
        Open.pop_back();
      if (isLeftOut(Event, Kinds))
        continue;
      auto Number = static_cast<uint32_t>(Out.Calls.size());
      HostCall Call;
      Call.Event = Part.Event;
      Call.Start = Part.Start;
      Call.HostTotal = Part.End - Part.Start;
      if (!FirstPart.empty()) {
        Call.PartOf = FirstPart[Part.Rank];
        if (Call.PartOf == HostCall::None)
          FirstPart[Part.Rank] = Number;
      }
      if (Event.Kind == TraceKind::Step && !StepsContain) {
        Out.Calls.push_back(Call);
        continue;
      }
      int64_t End = cutToNest(Open, Part);
      Call.IsCut = End != Part.End;
      Call.HostTotal = End - Part.Start;
      LastChild.resize(Open.size());
      if (!Open.empty()) {
        Call.Parent = Open.back();
        uint32_t &Last = LastChild.back();
        (Last == HostCall::None ? Out.Calls[Call.Parent].FirstChild
                                : Out.Calls[Last].NextSibling) = Number;
        Last = Number;
      }
      Out.Calls.push_back(Call);
      Open.push_back(Number);
      LastChild.push_back(HostCall::None);
    }
  }

  // Assigns each runtime call to the first event in the file with its id. Until
  // addTimes, HostSelf is the negated time of the runtime calls and of Python
  // functions.
  void addRuntimes(const std::vector<FrameTime> &InFrames) {
    std::vector<uint32_t> Place(Trace.Events.size(), HostCall::None);
    for (uint32_t C = 0; C < Out.Calls.size(); ++C)
      if (Out.Calls[C].PartOf == HostCall::None)
        Place[Out.Calls[C].Event] = C;
    for (const FrameTime &Each : InFrames)
      if (Place[Each.Event] != HostCall::None)
        Out.Calls[Place[Each.Event]].HostSelf -= Each.Ns;
    for (uint32_t C : Place) {
      if (C == HostCall::None)
        continue;
      HostCall &Call = Out.Calls[C];
      uint64_t Id = Trace.Events[Call.Event].ExternalId;
      if (Id == 0)
        continue;
      Interval Last{0, 0};
      for (uint32_t I : Links.calledBy(Id)) {
        if (Owned[I])
          break; // they all went to an earlier event
        Owned[I] = true;
        Call.DeviceSelf += Links.deviceTimeOf(I);
        // Calls of a driver may be in those of the runtime.
        Interval Time = Trace.Events[Links.runtimes()[I]].time();
        if (isWithin(Time, Last))
          continue;
        if (isWithin(Last, Time))
          Call.HostSelf += Last.End - Last.Start;
        Call.HostSelf -= Time.End - Time.Start;
        Last = Time;
      }
    }
  }

  // f(f(g)), with nothing else in the outer f, is one call of f.
  void merge() {
    for (HostCall &Call : Out.Calls) {
      if (Call.Merged || Trace.Events[Call.Event].Kind != TraceKind::Operator)
        continue;
      uint32_t Only = Call.FirstChild;
      while (Only != HostCall::None &&
             Out.Calls[Only].NextSibling == HostCall::None &&
             Trace.Events[Out.Calls[Only].Event].Kind == TraceKind::Operator &&
             Trace.Events[Out.Calls[Only].Event].Name ==
                 Trace.Events[Call.Event].Name) {
        HostCall &Child = Out.Calls[Only];
        Child.Merged = true;
        Call.HostSelf += Child.HostSelf;
        Call.DeviceSelf += Child.DeviceSelf;
        Call.FirstChild = Child.FirstChild;
        Only = Call.FirstChild;
      }
      for (uint32_t C = Call.FirstChild; C != HostCall::None;
           C = Out.Calls[C].NextSibling)
        Out.Calls[C].Parent = static_cast<uint32_t>(&Call - Out.Calls.data());
    }
  }

  // Children come after their parents, so one backward pass sums up.
  void addTimes() {
    for (size_t C = Out.Calls.size(); C-- > 0;) {
      HostCall &Call = Out.Calls[C];
      if (Call.Merged)
        continue;
      Call.HostSelf += Call.HostTotal;
      Call.DeviceTotal += Call.DeviceSelf;
      if (Call.Parent == HostCall::None)
        continue;
      Out.Calls[Call.Parent].HostSelf -= Call.HostTotal;
      Out.Calls[Call.Parent].DeviceTotal += Call.DeviceTotal;
    }
  }

  const EventStream &Trace;
  const LaunchLinks &Links;
  std::vector<bool> Owned;
  std::vector<bool> HasRow; // by name, in operator tables
  HostCalls Out;
};

} // namespace

HostCalls buildHostCalls(const EventStream &Trace, const LaunchLinks &Links,
                         CallKinds Kinds,
                         const std::vector<FrameTime> &InFrames) {
  return Builder(Trace, Links).build(Kinds, InFrames);
}

} // namespace loopscope
