// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One pass finds launches and device work; each law is a pass over these.

#include "Run/Kineto/Plausible.h"

#include "Support/Numbers.h"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

using namespace loopscope;

namespace {
// Clocks of devices are converted to the host's with an error below this.
constexpr int64_t ClockErrorNs = 1'000'000;

bool isWithin(const IntervalSet &Set, int64_t Time) {
  auto After = std::ranges::upper_bound(Set, Time, {}, &Interval::Start);
  return After != Set.begin() && Time < std::prev(After)->End;
}

struct Launch {
  uint64_t Correlation;
  uint32_t Event;
};

class Laws {
public:
  explicit Laws(Run &Trace)
      : Trace(Trace), Events(Trace.Stream.Events), Lost(Trace.Lost) {}

  void apply();

private:
  bool isLeftOut(uint32_t Event) const {
    return !IsLeftOut.empty() && IsLeftOut[Event];
  }
  void doubt(uint32_t Event);
  void leaveOut(uint32_t Event);
  void cut(uint32_t Event, int64_t Start, int64_t End);
  void sortOut();
  void limitLength();
  void startAfterLaunch();
  void oneKernelAtATime();
  IntervalSet findCaptures();
  void countLaunchesWithoutWork();
  void removeLeftOut();
  void addUp();

  Run &Trace;
  std::vector<TraceEvent> &Events;
  Integrity &Lost;
  std::vector<bool> IsLeftOut;  // by event; empty if none is
  std::vector<bool> IsDoubtful; // likewise
  std::vector<Launch> Launches; // by correlation
  std::vector<uint32_t> Works;  // events on devices
  int64_t First = std::numeric_limits<int64_t>::max(); // of the host
  int64_t Last = std::numeric_limits<int64_t>::min();
  uint64_t Kernels = 0;  // that launches should have
  uint64_t Doubtful = 0; // pieces of work, and calls
};
} // namespace

// Counts it once, whatever laws it breaks.
void Laws::doubt(uint32_t Event) {
  if (IsDoubtful.empty())
    IsDoubtful.resize(Events.size());
  TraceKind Kind = Events[Event].Kind;
  if (IsDoubtful[Event] || !(isDeviceWork(Kind) || Kind == TraceKind::Runtime))
    return;
  IsDoubtful[Event] = true;
  ++Doubtful;
}

void Laws::leaveOut(uint32_t Event) {
  doubt(Event);
  Lost.DeviceCuts.add(Trace.Stream.name(Events[Event]), Events[Event].Duration);
  if (IsLeftOut.empty())
    IsLeftOut.resize(Events.size());
  IsLeftOut[Event] = true;
}

void Laws::cut(uint32_t Event, int64_t Start, int64_t End) {
  doubt(Event);
  Lost.DeviceCuts.add(Trace.Stream.name(Events[Event]),
                      Events[Event].Duration - (End - Start));
  Events[Event].Start = Start;
  Events[Event].Duration = End - Start;
}

// The only pass over all events, most of which are the host's.
void Laws::sortOut() {
  bool HasTimes = std::ranges::any_of(
      Events, [](const TraceEvent &Event) { return Event.Start > 0; });
  for (uint32_t I = 0; I < Events.size(); ++I) {
    const TraceEvent &Event = Events[I];
    Lost.Wrong.OfEvents += mayRestOn(Event);
    if (Event.Start == 0 && Event.Duration == 0 && HasTimes) {
      ++Lost.EventsWithoutTime;
      Lost.Wrong.Events += mayRestOn(Event);
      leaveOut(I);
    }
    if (isDeviceWork(Event.Kind)) {
      Works.push_back(I);
      continue;
    }
    if (Event.Kind == TraceKind::Other || isLeftOut(I))
      continue;
    First = std::min(First, Event.Start);
    Last = std::max(Last, Event.end());
    if (Event.Kind == TraceKind::Runtime && Event.Correlation != 0)
      Launches.push_back({Event.Correlation, I});
  }
  if (!std::ranges::is_sorted(Launches, {}, &Launch::Correlation))
    std::ranges::stable_sort(Launches, {}, &Launch::Correlation);
}

// Where the host did anything, that is the recording.
void Laws::limitLength() {
  for (uint32_t I : Works) {
    const TraceEvent &Event = Events[I];
    if (First >= Last || Event.Duration <= Last - First)
      continue;
    ++Lost.WorkLongerThanTrace;
    if (Event.Start < Last && Event.end() > First)
      cut(I, std::max(Event.Start, First), std::min(Event.end(), Last));
    else
      leaveOut(I);
  }
}

void Laws::startAfterLaunch() {
  auto Near = Launches.begin();
  for (uint32_t I : Works) {
    const TraceEvent &Event = Events[I];
    if (isLeftOut(I))
      continue;
    // Work is mostly in the order of its launches.
    if (Near == Launches.end() || Near->Correlation > Event.Correlation)
      Near = Launches.begin();
    if (Near != Launches.end() && Near->Correlation != Event.Correlation)
      Near = std::ranges::lower_bound(Near, Launches.end(), Event.Correlation,
                                      {}, &Launch::Correlation);
    if (Near == Launches.end() || Near->Correlation != Event.Correlation)
      continue;
    int64_t Launched = Events[Near->Event].Start;
    if (Event.Start >= Launched - ClockErrorNs)
      continue;
    ++Lost.WorkBeforeLaunch;
    if (Event.end() > Launched)
      cut(I, Launched, Event.end());
    else
      leaveOut(I);
  }
}

void Laws::oneKernelAtATime() {
  std::vector<uint32_t> Order;
  for (uint32_t I : Works)
    if (Events[I].Kind == TraceKind::Kernel && !isLeftOut(I))
      Order.push_back(I);
  // By stream: the latest kernel in the order of starts.
  std::vector<uint32_t> Latest(Trace.Stream.Tracks.size(), None);
  auto IsEarlier = [&](uint32_t A, uint32_t B) {
    return Events[A].Start < Events[B].Start;
  };
  if (!std::ranges::is_sorted(Order, IsEarlier))
    std::ranges::stable_sort(Order, IsEarlier);
  for (uint32_t I : Order) {
    const TraceEvent &Event = Events[I];
    uint32_t &Before = Latest[Event.Track];
    if (Before != None) {
      TraceEvent &Earlier = Events[Before];
      // Kernels of one launch are a graph's, whose branches share the stream.
      bool Covers = Earlier.end() >= Event.end() &&
                    Earlier.Start < Event.Start && Event.Duration > 0 &&
                    Earlier.Correlation != Event.Correlation;
      if (Covers) {
        ++Lost.KernelsOverSuccessors;
        cut(Before, Earlier.Start, Event.Start);
      }
    }
    Before = I;
  }
}

// While a stream is captured, launches on it only become nodes of a graph;
// which launches those are isn't in the trace.
IntervalSet Laws::findCaptures() {
  const TraceStrings &Strings = Trace.Stream.Strings;
  auto Has = [&](uint32_t Name, std::string_view What) {
    return Strings[Name].find(What) != std::string_view::npos;
  };
  // Few traces have any, and names are few.
  std::vector<bool> Begins(Strings.size());
  std::vector<bool> Ends(Strings.size());
  bool Any = false;
  for (uint32_t I = 0; I < Strings.size(); ++I) {
    Begins[I] = Has(I, "StreamBeginCapture");
    Ends[I] = Has(I, "StreamEndCapture");
    Any |= Begins[I];
  }
  std::vector<Interval> Found;
  for (size_t I = 0; Any && I < Launches.size(); ++I) {
    const TraceEvent &Call = Events[Launches[I].Event];
    if (Begins[Call.Name])
      Found.push_back({Call.Start, std::numeric_limits<int64_t>::max()});
    else if (Ends[Call.Name] && !Found.empty())
      Found.back().End = Call.end();
  }
  return unite(std::move(Found));
}

// At the ends of a recording work may be missing.
void Laws::countLaunchesWithoutWork() {
  std::vector<uint64_t> With;
  int64_t FirstWork = std::numeric_limits<int64_t>::max();
  int64_t LastWork = std::numeric_limits<int64_t>::min();
  for (uint32_t I : Works) {
    With.push_back(Events[I].Correlation);
    if (isLeftOut(I))
      continue;
    FirstWork = std::min(FirstWork, Events[I].Start);
    LastWork = std::max(LastWork, Events[I].Start);
  }
  if (!std::ranges::is_sorted(With))
    std::ranges::sort(With);
  IntervalSet Captures = findCaptures();
  std::vector<std::optional<bool>> IsLaunch(Trace.Stream.Strings.size());
  auto Next = With.begin(); // both are by correlation
  for (const Launch &Each : Launches) {
    while (Next != With.end() && *Next < Each.Correlation)
      ++Next;
    bool HasWork = Next != With.end() && *Next == Each.Correlation;
    const TraceEvent &Call = Events[Each.Event];
    std::optional<bool> &Known = IsLaunch[Call.Name];
    if (!Known) {
      std::string_view Name = Trace.Stream.name(Call);
      Known = Name.starts_with("cudaLaunchKernel") ||
              Name.starts_with("cuLaunchKernel");
    }
    if (!*Known || isWithin(Captures, Call.Start))
      continue;
    ++Kernels;
    if (!HasWork && Call.Start >= FirstWork && Call.Start <= LastWork)
      ++Lost.LaunchesWithoutWork;
  }
}

// The rest keeps its order.
void Laws::removeLeftOut() {
  if (IsLeftOut.empty())
    return;
  std::vector<uint32_t> NewIndex(Events.size(), None);
  uint32_t Kept = 0;
  for (uint32_t I = 0; I < Events.size(); ++I)
    if (!IsLeftOut[I]) {
      NewIndex[I] = Kept;
      Events[Kept++] = Events[I];
    }
  Events.resize(Kept);
  for (EventInputs &Each : Trace.Stream.InputsOf)
    Each.Event = NewIndex[Each.Event];
  std::erase_if(Trace.Stream.InputsOf,
                [](const EventInputs &Each) { return Each.Event == None; });
}

void Laws::addUp() {
  Contradictions &To = Lost.Wrong;
  uint64_t Left = 0;
  for (uint32_t I : Works)
    if (!isLeftOut(I)) {
      ++Left;
      To.OfNs = saturatingAdd(To.OfNs, Events[I].Duration);
      if (!IsDoubtful.empty() && IsDoubtful[I])
        To.Ns = saturatingAdd(To.Ns, Events[I].Duration);
    }
  To.Launches = Doubtful + Lost.LaunchesWithoutWork;
  To.OfLaunches = std::max(Kernels, Left);
}

void Laws::apply() {
  sortOut();
  limitLength();
  startAfterLaunch();
  oneKernelAtATime();
  countLaunchesWithoutWork();
  addUp();
  removeLeftOut();
}

void loopscope::applyLaws(Run &Trace) { Laws(Trace).apply(); }
