// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each node's own time goes to exactly one part, so the parts add up.

#include "Analysis/Account/Account.h"

#include "Analysis/Account/NestedLoops.h"
#include "Analysis/Thresholds.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <algorithm>
#include <fmt/format.h>
#include <map>
#include <set>
#include <tuple>

using namespace loopscope;

namespace {
// In the order of AccountUse: the key in csv and json, and the name of a part
// that isn't a phase.
struct UseWords {
  const char *Key, *Name;
};
constexpr UseWords Uses[] = {{"draw", "draw"},
                             {"phase", ""},
                             {"no_phase", "(no phase)"},
                             {"warmup", "(warm-up)"},
                             {"excluded", "(excluded steps)"},
                             {"between", "(between steps)"},
                             {"profiler", "(profiler)"}};

const UseWords &wordsOf(AccountUse Use) {
  return Uses[static_cast<size_t>(Use)];
}

// Parts under construction, of a loop or of what is outside all loops.
class PartSums {
public:
  void add(AccountUse Use, const Run &R, uint32_t Phase, uint32_t Node,
           int64_t Ns) {
    uint32_t Site = Phase == None ? None : R.Nodes[Phase].Site;
    std::string Name =
        Phase == None ? wordsOf(Use).Name : treeName(R, R.Nodes[Phase]);
    auto [At, IsNew] =
        Index.try_emplace({Use, sourcePlace(R, Site), Name}, All.size());
    if (IsNew)
      All.push_back({Use, Name, Site, 0, {}});
    AccountPart &To = All[At->second];
    To.Ns = saturatingAdd(To.Ns, Ns);
    if (Node != None)
      To.Nodes.push_back(Node);
  }

  // Moves the parts that have time to TO, and returns their sum.
  int64_t finish(std::vector<AccountPart> &To) {
    std::erase_if(All, [](const AccountPart &Each) { return Each.Ns == 0; });
    std::stable_sort(
        All.begin(), All.end(), [](const AccountPart &A, const AccountPart &B) {
          bool IsLastA = A.Use > AccountUse::Phase;
          bool IsLastB = B.Use > AccountUse::Phase;
          return std::pair(IsLastA, -A.Ns) < std::pair(IsLastB, -B.Ns);
        });
    int64_t Sum = 0;
    for (AccountPart &Each : All) {
      Sum = saturatingAdd(Sum, Each.Ns);
      std::ranges::sort(Each.Nodes);
      auto Again = std::ranges::unique(Each.Nodes);
      Each.Nodes.erase(Again.begin(), Again.end());
    }
    To = std::move(All);
    return Sum;
  }

private:
  std::map<std::tuple<AccountUse, SourcePlace, std::string>, size_t> Index;
  std::vector<AccountPart> All;
};

// Where a node's own time belongs.
struct Place {
  AccountUse Use = AccountUse::Rest;
  uint32_t Phase = None; // its node
};

class Accountant {
public:
  explicit Accountant(const Run &R)
      : R(R), Loops(findLoops(R)), Places(R.Nodes.size()) {}

  Account run() {
    findThreads();
    for (uint32_t I = 0; I < R.Nodes.size(); ++I)
      if (Counts[R.Nodes[I].Thread])
        add(I);
    Out.OutsideNs = Outside.finish(Out.Outside);
    Out.WholeNs = Out.OutsideNs;
    for (auto &[Key, Of] : Found) {
      Of.Sums.Threads = Of.Trees.size();
      if (Of.Trees.size() > 1)
        Of.Sums.Sharers = sharersOf(R, Of.Trees);
      Of.Sums.Ns = Of.Times.finish(Of.Sums.Parts);
      Out.WholeNs = saturatingAdd(Out.WholeNs, Of.Sums.Ns);
      Out.Loops.push_back(std::move(Of.Sums));
    }
    std::stable_sort(Out.Loops.begin(), Out.Loops.end(),
                     [](const LoopAccount &A, const LoopAccount &B) {
                       return std::pair(!A.IsTraining, -A.Ns) <
                              std::pair(!B.IsTraining, -B.Ns);
                     });
    return std::move(Out);
  }

private:
  // A loop by place, kind, and whether it is nested.
  using Key = std::tuple<SourcePlace, loopscope_kind, bool>;
  struct Loop {
    LoopAccount Sums;
    PartSums Times;
    std::set<uint32_t> Trees;
  };

  Loop &loopOf(uint32_t Node) {
    uint32_t At = Loops.Of[Node];
    return Found[{sourcePlace(R, R.Nodes[At].Site), R.Nodes[At].Kind,
                  Loops.IsNested[At]}];
  }

  void findThreads() {
    Counts.assign(R.Threads.size(), false);
    for (uint32_t I = 0; I < R.Nodes.size(); ++I)
      if (Loops.Of[I] != None)
        Counts[R.Nodes[I].Thread] = true;
    if (std::find(Counts.begin(), Counts.end(), true) == Counts.end())
      for (size_t T = 0; T < R.Threads.size(); ++T)
        Counts[T] = R.Threads[T].IsMain;
    std::set<uint32_t> Counted;
    for (uint32_t T = 0; T < R.Threads.size(); ++T) {
      if (!Counts[T])
        continue;
      Counted.insert(T);
      const Thread &Of = R.Threads[T];
      int64_t Seen = Of.Root == None ? 0 : R.Nodes[Of.Root].InclusiveNs;
      if (Of.LifetimeNs > Seen)
        Outside.add(AccountUse::Rest, R, None, Of.Root, Of.LifetimeNs - Seen);
    }
    Out.Threads = Counted.size();
    if (Counted.size() > 1)
      Out.Sharers = sharersOf(R, Counted);
  }

  // Where the own time of I belongs; its parent's place is known.
  Place placeOf(uint32_t I) {
    const Node &N = R.Nodes[I];
    if (N.Parent == None)
      return {};
    if (Loops.Of[I] == I)
      return {AccountUse::Between, None};
    Place At = Places[N.Parent];
    if (Loops.IsStep[I])
      return {N.Excluded           ? AccountUse::Excluded
              : Loops.IsLeftOut[I] ? AccountUse::Warmup
                                   : AccountUse::Rest,
              None};
    bool InLoop = Loops.Of[I] != None;
    if (At.Use != AccountUse::Rest && (InLoop || At.Use != AccountUse::Phase))
      return At;
    if (InLoop && N.Kind == LOOPSCOPE_KIND_DRAW && Loops.IsStep[N.Parent])
      return {AccountUse::Draw, None};
    if (isFunction(N.Kind) ||
        (InLoop && N.Kind == LOOPSCOPE_KIND_BATCH && Loops.IsStep[N.Parent]))
      return At;
    return {AccountUse::Phase, I};
  }

  void add(uint32_t I) {
    const Node &N = R.Nodes[I];
    Place At = Places[I] = placeOf(I);
    PartSums *To = &Outside;
    if (Loops.Of[I] != None) {
      Loop &Of = loopOf(I);
      To = &Of.Times;
      if (Loops.Of[I] == I)
        addLoop(N, Of);
      else if (Loops.IsStep[I])
        addStep(I, Of);
    }
    int64_t Last = lastDrawNs(R, I);
    To->add(At.Use, R, At.Phase, I, N.SelfNs - Last);
    if (Last != 0)
      To->add(AccountUse::Between, R, None, I, Last);
    To->add(AccountUse::Excluded, R, None, I, N.ExcludedNs);
    To->add(AccountUse::Profiler, R, None, I, N.HookNs);
  }

  void addLoop(const Node &N, Loop &To) {
    To.Sums.Site = N.Site;
    To.Sums.IsTraining = N.Kind == LOOPSCOPE_KIND_TRAIN;
    To.Sums.IsNested = Loops.IsNested[&N - R.Nodes.data()];
    To.Sums.Executions += N.Spans.count() + N.Open;
    To.Sums.FirstSteps += N.FirstSteps;
    To.Sums.FirstNs = saturatingAdd(To.Sums.FirstNs, N.FirstNs);
    To.Sums.FirstDrawNs = saturatingAdd(To.Sums.FirstDrawNs, N.FirstDrawNs);
    To.Trees.insert(N.Thread);
  }

  void addStep(uint32_t I, Loop &To) {
    const Node &N = R.Nodes[I];
    if (N.Excluded)
      return;
    if (Loops.IsLeftOut[I]) {
      To.Sums.WarmupSteps += N.Spans.count();
      return;
    }
    int64_t Nested = std::min(Loops.NestedNs[I], N.FinishedNs);
    To.Sums.Steps += N.Spans.count();
    To.Sums.StepNodes.push_back(I);
    To.Sums.Samples += N.Samples;
    To.Sums.StepNs = saturatingAdd(To.Sums.StepNs, N.FinishedNs - Nested);
    To.Sums.NestedNs = saturatingAdd(To.Sums.NestedNs, Nested);
    To.Sums.Spans.merge(N.Spans);
    To.Sums.Cpu.add(N.Cpu);
  }

  const Run &R;
  LoopNodes Loops;
  std::vector<Place> Places;
  std::vector<bool> Counts; // by thread
  std::map<Key, Loop> Found;
  PartSums Outside;
  Account Out;
};
} // namespace

const char *loopscope::keyOf(AccountUse Use) { return wordsOf(Use).Key; }

double loopscope::samplesPerSecond(uint64_t Samples, int64_t Ns,
                                   uint64_t Threads) {
  return Ns > 0 ? static_cast<double>(Samples) / toSeconds(Ns) *
                      static_cast<double>(std::max<uint64_t>(Threads, 1))
                : 0;
}

std::string loopscope::sharersOf(const Run &R,
                                 const std::set<uint32_t> &Threads) {
  std::set<std::string_view> Processes;
  for (uint32_t T : Threads)
    Processes.insert(R.Threads[T].Process);
  if (Processes.size() < 2)
    return counted(Threads.size(), "thread");
  std::string Text = fmt::format("{} processes", Processes.size());
  return Processes.size() == Threads.size()
             ? Text
             : fmt::format("{} threads of {}", Threads.size(), Text);
}

double LoopAccount::samplesPerSecond() const {
  return loopscope::samplesPerSecond(Samples, StepNs, Threads);
}

double LoopAccount::meanStepNs() const {
  return Steps == 0 ? 0
                    : static_cast<double>(StepNs) / static_cast<double>(Steps);
}

std::string LoopAccount::name() const {
  std::string Kind = IsTraining ? "train" : "valid";
  return IsNested ? Kind + " (nested)" : Kind;
}

Account loopscope::accountOf(const Run &R) { return Accountant(R).run(); }

std::string loopscope::threadsNote(const Account &Of) {
  if (Of.Threads < 2)
    return {};
  return Of.Loops.empty()
             ? fmt::format("Times are sums over the {} main threads.",
                           Of.Threads)
             : fmt::format("Times are sums over the {} that run loops.",
                           Of.Sharers);
}

std::string loopscope::wholeText(const Account &Of) {
  return readableDuration(static_cast<double>(Of.WholeNs) / NsPerSecond) +
         (Of.Sharers.empty() ? "" : " of " + Of.Sharers);
}

std::string loopscope::outsideNote(const Run &R, const Account &Of) {
  constexpr size_t Named = 2;
  auto Part = [&](int64_t Ns) {
    return static_cast<double>(Ns) / static_cast<double>(Of.WholeNs);
  };
  if (Of.Loops.empty() || Of.WholeNs <= 0 ||
      Part(Of.OutsideNs) <= MostlyOutside)
    return {};
  std::string Phases;
  size_t Count = 0;
  for (const AccountPart &Each : Of.Outside) {
    if (Each.Use != AccountUse::Phase || Count == Named ||
        Part(Each.Ns) < WorthNaming)
      break;
    Phases += fmt::format("{} {:.1f}% in {}", Count == 0 ? ":" : ",",
                          100 * Part(Each.Ns), Each.Name);
    if (std::string Place = siteText(R, Each.Site); !Place.empty())
      Phases += fmt::format(" ({})", Place);
    ++Count;
  }
  if (Count == 0 && Part(Of.OutsideNs) <= MostlyUnmarked)
    return {};
  return fmt::format("{:.1f}% of the run is outside its loops{}.",
                     100 * Part(Of.OutsideNs),
                     Count == 0 ? ", in no phase" : Phases);
}
