// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Subtracts node by node.
//
//   the earlier profile -> timeBefore (what its open spans had so far)
//   both nodes, histograms, that time -> subtractNode -> dropUnused

#include "Run/Read/SubtractTree.h"

#include "Run/Model/Moments.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

using namespace loopscope;

namespace {
using FileNode = loopscope_profile_node;
using FileThread = loopscope_profile_thread;
using FileHistogram = loopscope_histogram;
using Buckets = std::array<uint64_t, LOOPSCOPE_HISTOGRAM_BUCKETS>;
__extension__ using Wide = unsigned __int128;

// The bits of a node's flags that only say where some of a header's counters
// came from.
constexpr uint16_t MisuseFlags =
    LOOPSCOPE_NODE_LATE_END | LOOPSCOPE_NODE_OTHER_THREAD |
    LOOPSCOPE_NODE_OTHER_FIBRE | LOOPSCOPE_NODE_FIBRE_ENDED;

// Time that a node had before the part began and didn't say then.
struct Before {
  uint64_t Open = 0;  ///< of the span that was open
  uint64_t Drawn = 0; ///< DRAW: of an open step, before the batch began
  /// The node of the open cut or draw that stopped its clock, or None.
  uint32_t StoppedBy = LOOPSCOPE_NONE;
};

// A node now and then, with its histograms; null then if it is newer.
struct Slot {
  FileNode *Now;
  const FileNode *Then;
  FileHistogram *NowIn;
  const FileHistogram *ThenIn;
  bool InUse = false;
};

class Tree {
public:
  Tree(TwoProfiles &Both, Subtracted &Learned) : Both(Both), Learned(Learned) {}
  void subtract();

private:
  void findNodes();
  void timeBefore(const FileThread &Of);
  void timeBelow(uint32_t Index, const FileNode *StoppedBy, uint64_t End,
                 uint32_t Depth);
  bool isDrawOfOpenStep(const FileNode &N) const;
  bool isStillOpen(uint32_t Index) const;
  uint64_t laterBy(uint32_t Index) const;
  void subtractNode(uint32_t Index, Slot &S);
  void takeOut(uint32_t Index, FileNode &N, const FileNode &Then);
  void subtractDistribution(Slot &S, bool WasOpen);
  void subtractThread(FileThread &Now, const FileThread *Then) const;
  void dropUnused();

  static const FileNode *openChild(const std::vector<const FileNode *> &Of,
                                   uint16_t Kind) {
    for (const FileNode *Each : Of)
      if (Each->kind == Kind && Each->open != 0)
        return Each;
    return nullptr;
  }

  TwoProfiles &Both;
  Subtracted &Learned;
  std::map<uint32_t, Slot> Nodes;
  std::map<uint32_t, std::vector<const FileNode *>> ChildrenThen;
  std::map<uint32_t, Before> TimeBefore;
  std::set<uint32_t> StillOpen;
};

void Tree::findNodes() {
  constexpr size_t Extra = sizeof(FileHistogram);
  using Which = TwoProfiles::Which;
  auto HistogramsOf = [](auto *C) {
    return reinterpret_cast<const std::byte *>(C + 1) +
           uint64_t(C->capacity) * C->entry_size;
  };
  for (const TwoProfiles::Chunk &C :
       Both.chunks(LOOPSCOPE_CHUNK_NODES, sizeof(FileNode))) {
    uint32_t CountThen = 0; // whose histograms are there
    if (C.Then != nullptr &&
        C.Then->capacity <=
            (C.Then->size - sizeof(*C.Then)) / (C.Then->entry_size + Extra))
      CountThen = C.Then->capacity;
    for (uint32_t I = 0; I < C.count(Which::All, Extra); ++I) {
      TwoProfiles::Record R = C.record(I);
      auto *Now = reinterpret_cast<FileNode *>(R.Now);
      if (Now->state == 0)
        continue;
      Slot S{Now, nullptr,
             reinterpret_cast<FileHistogram *>(
                 const_cast<std::byte *>(HistogramsOf(C.Now)) +
                 I * sizeof(FileHistogram)),
             nullptr};
      const auto *Then = reinterpret_cast<const FileNode *>(R.Then);
      if (I < CountThen && Then->state != 0) {
        S.Then = Then;
        S.ThenIn =
            reinterpret_cast<const FileHistogram *>(HistogramsOf(C.Then)) + I;
        if (Then->parent != LOOPSCOPE_NONE)
          ChildrenThen[Then->parent].push_back(Then);
      }
      Nodes.emplace(R.Index, S);
    }
  }
}

// As ProfileReader reads open spans: while a cut runs, the clocks of all others
// stand still, and while an explicit draw runs, that of its batch.
void Tree::timeBefore(const FileThread &Of) {
  uint64_t End = Of.last_ticks;
  const FileNode *Cut = nullptr;
  auto Found = ChildrenThen.find(Of.root);
  if (Found == ChildrenThen.end())
    return;
  for (const FileNode *Each : Found->second)
    if ((Each->flags & LOOPSCOPE_NODE_CUT) != 0 && Each->open != 0 &&
        (Cut == nullptr || Each->enter_ticks < Cut->enter_ticks))
      Cut = Each;
  timeBelow(Of.root, Cut, End, 0);
}

void Tree::timeBelow(uint32_t Index, const FileNode *StoppedBy, uint64_t End,
                     uint32_t Depth) {
  auto Found = ChildrenThen.find(Index);
  if (Found == ChildrenThen.end() || Depth == MaxTreeDepth)
    return;
  auto Parent = Nodes.find(Index);
  bool IsStep = Parent != Nodes.end() && Parent->second.Then != nullptr &&
                Parent->second.Then->kind == LOOPSCOPE_KIND_STEP &&
                Parent->second.Then->open != 0;
  const FileNode *Draw =
      IsStep ? openChild(Found->second, LOOPSCOPE_KIND_DRAW) : nullptr;
  const FileNode *Batch =
      IsStep ? openChild(Found->second, LOOPSCOPE_KIND_BATCH) : nullptr;
  for (const FileNode *Each : Found->second) {
    const FileNode *Its = StoppedBy;
    if ((Each->flags & LOOPSCOPE_NODE_CUT) != 0)
      Its = nullptr;
    else if (Each == Batch && Draw != nullptr &&
             (Its == nullptr || Draw->enter_ticks <= Its->enter_ticks))
      Its = Draw;
    Before &Of = TimeBefore[Each->index];
    uint64_t Until = Its == nullptr ? End : std::min(End, Its->enter_ticks);
    if (Each->open != 0)
      Of.Open = lessBy(Until, Each->enter_ticks);
    if (Each->kind == LOOPSCOPE_KIND_DRAW && Batch != nullptr)
      Of.Drawn = lessBy(Batch->enter_ticks, Parent->second.Then->enter_ticks);
    if (Its != nullptr)
      Of.StoppedBy = Its->index;
    timeBelow(Each->index, Its, End, Depth + 1);
  }
}

// The draw of such a step follows from the others' starts until it ends.
bool Tree::isDrawOfOpenStep(const FileNode &N) const {
  auto Parent = Nodes.find(N.parent);
  return N.kind == LOOPSCOPE_KIND_DRAW && Parent != Nodes.end() &&
         Parent->second.Now->kind == LOOPSCOPE_KIND_STEP &&
         Parent->second.Now->open != 0;
}

// Whether the span that was open then is the one that is open now.
bool Tree::isStillOpen(uint32_t Index) const {
  return StillOpen.contains(Index);
}

// By how much later a span that is still open begins for the part. What stops
// its clock, if that is still open, too, has begun later for the part as well.
uint64_t Tree::laterBy(uint32_t Index) const {
  uint64_t Result = 0;
  for (int Depth = 0; Depth < 3; ++Depth) { // a phase, a draw, a cut
    auto Found = TimeBefore.find(Index);
    if (Found == TimeBefore.end())
      break;
    Result += Found->second.Open;
    Index = Found->second.StoppedBy;
    if (!isStillOpen(Index))
      break;
  }
  return Result;
}

// Takes out of N, from which the earlier sums are already subtracted, what its
// span had before. If that is still open, it begins later.
void Tree::takeOut(uint32_t Index, FileNode &N, const FileNode &Then) {
  auto Found = TimeBefore.find(Index);
  if (Found == TimeBefore.end())
    return;
  const Before &Of = Found->second;
  if (isStillOpen(Index)) {
    N.enter_ticks += laterBy(Index);
    return;
  }
  uint64_t Time = Of.Open + Of.Drawn;
  uint64_t OfSum = std::min(Time, N.sum_ticks);
  N.sum_ticks -= OfSum;
  N.uncounted_ticks = lessBy(N.uncounted_ticks, Time - OfSum);
  constexpr uint64_t Negligible = 100; // a hundredth
  if (OfSum > N.sum_ticks / Negligible)
    Learned.MostlyBefore.insert(Index);
  if ((Then.flags & LOOPSCOPE_NODE_CUT) == 0)
    Learned.SpansAcross += Then.open != 0 && N.count != 0;
}

uint64_t lowestOf(unsigned Bucket) {
  constexpr unsigned Exact = 8;
  return Bucket < Exact
             ? Bucket
             : uint64_t(Exact + Bucket % Exact) << (Bucket / Exact - 1);
}

Wide squaresOf(const FileNode &Of) {
  return Wide(Of.square_high) << 64 | Of.square_low;
}

void setSquares(FileNode &Of, Wide Value) {
  Of.square_low = static_cast<uint64_t>(Value);
  Of.square_high = static_cast<uint64_t>(Value >> 64);
}

// What of S's histogram is the part's. The last span of each profile isn't in
// it yet.
Buckets bucketsOf(const Slot &S) {
  Buckets Counts;
  std::memcpy(Counts.data(), S.NowIn, sizeof(Counts));
  if (S.Then->count == 0)
    return Counts;
  for (size_t I = 0; I < Counts.size(); ++I)
    Counts[I] = lessBy(Counts[I], S.ThenIn->bucket[I]);
  uint64_t &Last = Counts[bucketOf(S.Then->last_ticks)];
  Last = lessBy(Last, 1);
  return Counts;
}

// The extremes that aren't exact, from the durations' buckets, in which the
// last span of N isn't. The whole's are bounds, and so is the mean.
void estimate(Extremes &Part, Exact Are, const Buckets &Counts,
              const FileNode &N) {
  uint64_t Least = N.last_ticks;
  uint64_t Most = N.last_ticks;
  for (unsigned I = 0; I < Counts.size(); ++I)
    if (Counts[I] != 0) {
      Least = std::min(Least, lowestOf(I));
      Most = std::max(Most, lowestOf(I + 1) - 1);
    }
  uint64_t Mean = Part.Sum / Part.Count;
  if (!Are.Least)
    Part.Least = std::clamp(Least, Part.Least, std::max(Part.Least, Mean));
  if (!Are.Most)
    Part.Most = std::clamp(Most, std::min(Mean, Part.Most), Part.Most);
  Part.Most = std::max(Part.Least, Part.Most);
}

// The sum of squares, the extremes and the histogram of the spans that ended in
// the part, whose number and sum are known. The span that was open when it
// began is among them with its whole duration, unless it is the only one.
void Tree::subtractDistribution(Slot &S, bool WasOpen) {
  FileNode &N = *S.Now;
  const FileNode &Then = *S.Then;
  if (N.count == 0) {
    N.square_low = N.square_high = N.max_ticks = N.last_ticks = 0;
    N.min_ticks = UINT64_MAX;
    return;
  }
  Extremes Part = {N.count, N.sum_ticks, 0, 0};
  Exact Are =
      subtractExtremes({0, 0, N.min_ticks, N.max_ticks},
                       {Then.count, 0, Then.min_ticks, Then.max_ticks}, Part);
  Buckets Counts = bucketsOf(S);
  if (N.count == 1) {
    N.last_ticks = N.sum_ticks;
    setSquares(N, Wide(N.sum_ticks) * N.sum_ticks);
    Counts.fill(0);
  } else {
    setSquares(N, squaresOf(N) > squaresOf(Then)
                      ? squaresOf(N) - squaresOf(Then)
                      : Wide(0));
    estimate(Part, Are, Counts, N);
  }
  N.min_ticks = Part.Least;
  N.max_ticks = Part.Most;
  std::memcpy(S.NowIn, Counts.data(), sizeof(Counts));
  Learned.Approximate += N.count > 1 && (!Are || WasOpen);
}

void Tree::subtractNode(uint32_t Index, Slot &S) {
  FileNode &N = *S.Now;
  if (S.Then == nullptr) {
    S.InUse = true;
    return;
  }
  const FileNode &Then = *S.Then;
  bool IsRoot = N.parent == LOOPSCOPE_NONE;
  for (uint64_t FileNode::*Each :
       {&FileNode::count, &FileNode::sum_ticks, &FileNode::uncounted_ticks,
        &FileNode::rate_count, &FileNode::gpu_launches,
        &FileNode::gpu_launch_ticks, &FileNode::gpu_waits,
        &FileNode::gpu_wait_ticks, &FileNode::gpu_calls,
        &FileNode::gpu_call_ticks})
    N.*Each = lessBy(N.*Each, Then.*Each);
  if (N.kind != LOOPSCOPE_KIND_SERVED)
    N.samples = lessBy(N.samples, Then.samples);
  N.rate_sum =
      N.rate_count == 0 ? 0 : std::max(0.0, N.rate_sum - Then.rate_sum);
  uint32_t Popped = Then.popped;
  N.popped = N.popped > Popped ? N.popped - Popped : 0;
  Before Earlier;
  if (auto Found = TimeBefore.find(Index); Found != TimeBefore.end())
    Earlier = Found->second;
  bool IsOwn = N.count != 0 || N.uncounted_ticks != 0 || N.sum_ticks != 0 ||
               N.open != 0 || N.rate_count != 0 || N.gpu_launches != 0 ||
               N.gpu_waits != 0 || N.gpu_calls != 0;
  takeOut(Index, N, Then);
  if (!IsRoot)
    subtractDistribution(S, Earlier.Open + Earlier.Drawn != 0 && N.count != 0);
  if (N.popped == 0)
    N.flags &= static_cast<uint16_t>(~(Then.flags & MisuseFlags));
  S.InUse = IsRoot || IsOwn || isDrawOfOpenStep(N) ||
            Learned.NodesInUse.contains(Index);
}

// A tree that another thread took over has the earlier one's lifetime in
// past_ticks.
void Tree::subtractThread(FileThread &Now, const FileThread *Then) const {
  if (Then == nullptr || Then->state == 0 || Now.state == 0)
    return;
  uint64_t End = Then->last_ticks;
  uint64_t Alive = lessBy(End, Then->start_ticks);
  bool IsSame = Now.users == Then->users;
  Now.past_ticks = lessBy(Now.past_ticks, Then->past_ticks);
  if (IsSame)
    Now.start_ticks = std::max(Now.start_ticks, End);
  else
    Now.past_ticks = lessBy(Now.past_ticks, Alive);
  Now.users = std::max<uint32_t>(1, Now.users - Then->users +
                                        (Then->state == 1 ? 1 : 0));
}

void Tree::dropUnused() {
  for (auto &[Index, S] : Nodes)
    if (S.InUse) {
      uint32_t Up = S.Now->parent;
      for (uint32_t Depth = 0; Up != LOOPSCOPE_NONE && Depth < MaxTreeDepth;
           ++Depth) {
        auto Found = Nodes.find(Up);
        if (Found == Nodes.end())
          break;
        Learned.NodesInUse.insert(Up);
        Up = Found->second.Now->parent;
      }
      Learned.NodesInUse.insert(Index);
    }
  for (auto &[Index, S] : Nodes)
    if (!Learned.NodesInUse.contains(Index))
      S.Now->state = 0;
}

void Tree::subtract() {
  using Which = TwoProfiles::Which;
  findNodes();
  Both.each<FileThread>(LOOPSCOPE_CHUNK_THREADS, Which::All,
                        [&](FileThread &, const FileThread *Then, uint32_t) {
                          if (Then != nullptr && Then->state != 0)
                            timeBefore(*Then);
                        });
  for (const auto &[Index, S] : Nodes)
    if (S.Then != nullptr && S.Then->open != 0 && S.Now->open != 0 &&
        S.Now->count == S.Then->count &&
        S.Now->sum_ticks == S.Then->sum_ticks &&
        S.Now->uncounted_ticks == S.Then->uncounted_ticks)
      StillOpen.insert(Index);
  for (auto &[Index, S] : Nodes)
    subtractNode(Index, S);
  Both.each<FileThread>(LOOPSCOPE_CHUNK_THREADS, Which::All,
                        [&](FileThread &Now, const FileThread *Then, uint32_t) {
                          subtractThread(Now, Then);
                        });
  dropUnused();
}
} // namespace

void loopscope::subtractTree(TwoProfiles &Both, Subtracted &Learned) {
  Tree(Both, Learned).subtract();
}
