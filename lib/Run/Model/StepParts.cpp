// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the events that cross borders, and cuts them up.

#include "Run/Model/StepParts.h"

#include <algorithm>
#include <tuple>

namespace loopscope {
namespace {

// Older traces round starts and durations down to whole microseconds.
constexpr int64_t Rounding = 1000;

class Divider {
public:
  Divider(const EventStream &Trace, const std::vector<uint32_t> &Thread)
      : Trace(Trace), Thread(Thread) {
    for (uint32_t E : Thread) {
      const TraceEvent &Event = Trace.Events[E];
      // Steps inside steps have no borders that others could cross.
      if (Event.Kind == TraceKind::Step && Event.Duration > 0 &&
          (Borders.empty() || Event.Start >= Borders.back())) {
        Borders.push_back(Event.Start);
        Borders.push_back(Event.end());
      }
    }
  }

  StepParts divide() {
    if (!doesAnyCross())
      return {};
    Out.Parts.reserve(Thread.size());
    for (uint32_t Rank = 0; Rank < Thread.size(); ++Rank) {
      const TraceEvent &Event = Trace.Events[Thread[Rank]];
      EventPart Whole = wholeEvent(Trace, Thread, Rank);
      if (Event.Kind == TraceKind::Step) {
        add(Whole, false);
        continue;
      }
      trim(Whole);
      if (Whole.Start < DividedUntil || isPartlyInStep(Whole)) {
        DividedUntil = std::max(DividedUntil, Whole.End);
        addParts(Whole);
      } else {
        add(Whole, false);
      }
    }
    return sorted();
  }

private:
  using Border = std::vector<int64_t>::const_iterator;

  Border firstAfter(int64_t Time) const {
    return std::upper_bound(Borders.begin(), Borders.end(), Time);
  }
  Border firstFrom(int64_t Time) const {
    return std::lower_bound(Borders.begin(), Borders.end(), Time);
  }

  // Whether a border is a step's end, so that the one before is its start.
  bool isEnd(Border At) const {
    return At != Borders.end() && (At - Borders.begin()) % 2 == 1;
  }

  // The end of the step that PART begins in, if PART outlasts it; the start of
  // the one that it ends in, if PART begins earlier. Else Borders.end().
  Border crossedEnd(const EventPart &Part) const {
    Border End = firstAfter(Part.Start);
    return isEnd(End) && *(End - 1) < Part.Start && *End < Part.End
               ? End
               : Borders.end();
  }
  Border crossedStart(const EventPart &Part) const {
    Border End = firstFrom(Part.End);
    return isEnd(End) && Part.End < *End && Part.Start < *(End - 1) &&
                   *(End - 1) < Part.End
               ? End - 1
               : Borders.end();
  }

  // Most traces have no such event, and then nothing is copied.
  bool doesAnyCross() const {
    for (uint32_t Rank = 0; Rank < Thread.size(); ++Rank)
      if (Trace.Events[Thread[Rank]].Kind != TraceKind::Step &&
          isPartlyInStep(wholeEvent(Trace, Thread, Rank)))
        return true;
    return false;
  }

  bool isPartlyInStep(const EventPart &Part) const {
    return crossedEnd(Part) != Borders.end() ||
           crossedStart(Part) != Borders.end();
  }

  // Cuts off what rounding puts on a border's other side.
  void trim(EventPart &Part) {
    int64_t Start = Part.Start;
    int64_t End = Part.End;
    auto Cut = [&](Border At) {
      if (At == Borders.end() ||
          std::min(*At - Part.Start, Part.End - *At) > Rounding)
        return;
      (*At - Part.Start < Part.End - *At ? Part.Start : Part.End) = *At;
    };
    Cut(crossedEnd(Part));
    Cut(crossedStart(Part));
    if (Part.Start == Start && Part.End == End)
      return;
    ++(Trace.Events[Part.Event].Kind == TraceKind::Function ? Out.TrimmedFrames
                                                            : Out.Trimmed);
  }

  void addParts(EventPart Part) {
    int64_t End = Part.End;
    for (Border At = firstAfter(Part.Start); At != Borders.end() && *At < End;
         ++At) {
      if (*At == Part.Start) // where one step ends, the next begins
        continue;
      Part.End = *At;
      add(Part, true);
      Part.Start = *At;
    }
    Part.End = End;
    add(Part, true);
  }

  void add(const EventPart &Part, bool IsDivided) {
    Out.Parts.push_back(Part);
    InSteps.push_back(IsDivided);
  }

  // A part with the borders of its step is inside that.
  StepParts sorted() {
    std::vector<size_t> Order(Out.Parts.size());
    for (size_t I = 0; I < Order.size(); ++I)
      Order[I] = I;
    auto Key = [&](size_t I) {
      const EventPart &Part = Out.Parts[I];
      return std::tuple(Part.Start, -Part.End, bool(InSteps[I]), Part.Rank);
    };
    std::sort(Order.begin(), Order.end(),
              [&](size_t A, size_t B) { return Key(A) < Key(B); });
    std::vector<EventPart> Parts;
    Parts.reserve(Order.size());
    for (size_t I : Order)
      Parts.push_back(Out.Parts[I]);
    Out.Parts = std::move(Parts);
    return std::move(Out);
  }

  const EventStream &Trace;
  const std::vector<uint32_t> &Thread;
  std::vector<int64_t> Borders; // starts and ends of steps, in turn
  int64_t DividedUntil = INT64_MIN;
  StepParts Out;
  std::vector<bool> InSteps; // by part: of an event that was divided
};

} // namespace

StepParts divideAtSteps(const EventStream &Trace,
                        const std::vector<uint32_t> &Thread) {
  return Divider(Trace, Thread).divide();
}

EventPart wholeEvent(const EventStream &Trace,
                     const std::vector<uint32_t> &Thread, uint32_t Rank) {
  const TraceEvent &Event = Trace.Events[Thread[Rank]];
  return {Thread[Rank], Rank, Event.Start, Event.end()};
}

} // namespace loopscope
