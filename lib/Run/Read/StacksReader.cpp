// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Checks every number of a sample, and resolves its addresses by what was
// loaded when it was taken.

#include "Run/Read/StacksReader.h"

#include "Support/Printable.h"

#include <algorithm>
#include <map>

using namespace loopscope;

namespace {
struct Segment {
  loopscope_code Values;
  uint32_t Object;
};

class Code {
public:
  Code(ProfileBytes &Records, const std::string &Directory, StackData &Into,
       Integrity &Lost);

  CodeAddress find(uint64_t Address, uint32_t Loading) const;

private:
  std::vector<Segment> Segments; // by start
};

// The loader knows some objects by a path relative to where it ran.
std::string absolute(const std::string &Path, const std::string &Directory) {
  return Path.starts_with('/') || Path.find('/') == std::string::npos
             ? Path
             : Directory + '/' + Path;
}

Code::Code(ProfileBytes &Records, const std::string &Directory, StackData &Into,
           Integrity &Lost) {
  std::map<std::pair<std::string, std::string>, uint32_t> ObjectOf;
  for (const auto &Record : Records.code()) {
    const loopscope_code &C = Record.Value;
    if (C.start >= C.end || C.build_id_size > sizeof(C.build_id)) {
      ++Lost.BadRecords;
      continue;
    }
    std::string Path = absolute(Records.text(C.path), Directory);
    std::string Id = hexadecimal({C.build_id, C.build_id_size});
    auto [Found, IsNew] = ObjectOf.try_emplace(
        {Path, Id}, static_cast<uint32_t>(Into.Objects.size()));
    if (IsNew)
      Into.Objects.push_back({Path, Id, C.bias});
    if (C.until == LOOPSCOPE_NONE)
      Into.Objects[Found->second].Bias = C.bias;
    Segments.push_back({C, Found->second});
  }
  std::stable_sort(Segments.begin(), Segments.end(),
                   [](const Segment &A, const Segment &B) {
                     return A.Values.start < B.Values.start;
                   });
}

CodeAddress Code::find(uint64_t Address, uint32_t Loading) const {
  auto After = std::upper_bound(
      Segments.begin(), Segments.end(), Address,
      [](uint64_t A, const Segment &S) { return A < S.Values.start; });
  while (After != Segments.begin()) {
    const loopscope_code &C = (--After)->Values;
    if (Address < C.end && C.from <= Loading &&
        (C.until == LOOPSCOPE_NONE || Loading < C.until))
      return {After->Object, Address - C.bias};
  }
  return {LOOPSCOPE_NONE, Address};
}

uint64_t counterOf(const NamedSums &Sums, const char *Key) {
  for (const NamedCounter &Each : Sums.Counters)
    if (Each.Key == Key)
      return Each.Value;
  return 0;
}

// Takes samples into the model.
struct Samples {
  const Code &Loaded;
  const std::function<uint32_t(uint32_t)> &NodeOf;
  uint32_t ThreadCount;
  StackData &Into;
  Integrity &Lost;

  // FRAMES as in the profile, the innermost first. The record is bad if they
  // are empty, or NODE or THREAD doesn't exist.
  void add(const loopscope_stack &Of, const std::vector<uint64_t> &Frames);
};

void Samples::add(const loopscope_stack &Of,
                  const std::vector<uint64_t> &Frames) {
  StackSample Next;
  Next.Node = Of.node == LOOPSCOPE_NONE ? LOOPSCOPE_NONE : NodeOf(Of.node);
  bool HasTree = (Of.thread & LOOPSCOPE_STACK_THREAD_ID) == 0;
  if (Frames.empty() ||
      (Next.Node == LOOPSCOPE_NONE && Of.node != LOOPSCOPE_NONE) ||
      (HasTree && Of.thread >= ThreadCount)) {
    ++Lost.BadRecords;
    return;
  }
  if (HasTree)
    Next.Thread = Of.thread;
  else if (Of.thread != LOOPSCOPE_NONE)
    Next.ThreadId = Of.thread & ~LOOPSCOPE_STACK_THREAD_ID;
  Next.IsForeign = (Of.flags & LOOPSCOPE_STACK_FOREIGN) != 0;
  Next.IsCut = (Of.flags & LOOPSCOPE_STACK_CUT) != 0;
  Next.IsWhole = (Of.flags & LOOPSCOPE_STACK_WHOLE) != 0;
  Next.IsGuessed = (Of.flags & LOOPSCOPE_STACK_GUESSED) != 0;
  Next.Count = Of.count;
  for (size_t I = 0; I < Frames.size(); ++I)
    // A return address may be the first address of the next function.
    Next.Frames.push_back(
        Loaded.find(Frames[I] - (I == 0 ? 0 : 1), Of.loading));
  Into.Samples.push_back(std::move(Next));
}

// Older profiles: whole stacks in slots.
void readTable(ProfileBytes &Records, Samples &Into) {
  for (const auto &Record : Records.stacks()) {
    const loopscope_stack &S = Record.Value;
    if (S.state != LOOPSCOPE_STACK_PUBLISHED)
      continue;
    size_t Depth = S.depth > LOOPSCOPE_STACK_FRAMES ? 0 : S.depth;
    Into.add(S, {S.frame, S.frame + Depth});
  }
}

// The tree of calls: each slot with a count is the innermost frame of samples.
void readTree(ProfileBytes &Records, Samples &Into) {
  std::vector<GuardedRecord<loopscope_frame>> All = Records.stackFrames();
  // No stack is longer; a damaged file may have a circle.
  constexpr size_t MostFrames = 4096;
  // The slot that is AT's parent if it has STATE, else null.
  auto ParentOf = [&](const loopscope_frame &At, uint32_t State) {
    const loopscope_frame *Found =
        At.parent < All.size() ? &All[At.parent].Value : nullptr;
    return Found != nullptr && Found->state == State ? Found : nullptr;
  };
  for (const auto &Record : All) {
    const loopscope_frame *At = &Record.Value;
    if (At->state != LOOPSCOPE_FRAME_CALL || At->count == 0)
      continue;
    std::vector<uint64_t> Frames;
    const loopscope_frame *Outermost = At;
    for (; At != nullptr && Frames.size() < MostFrames;
         At = ParentOf(*At, LOOPSCOPE_FRAME_CALL)) {
      Frames.push_back(At->address);
      Outermost = At;
    }
    const auto *Place = ParentOf(*Outermost, LOOPSCOPE_FRAME_PLACE);
    const auto *Thread =
        Place == nullptr ? nullptr : ParentOf(*Place, LOOPSCOPE_FRAME_THREAD);
    if (Thread == nullptr) {
      ++Into.Lost.BadRecords;
      continue;
    }
    loopscope_stack Of = {};
    Of.count = Record.Value.count;
    Of.node = static_cast<uint32_t>(Thread->address >> 32);
    Of.thread = static_cast<uint32_t>(Thread->address);
    Of.loading = static_cast<uint32_t>(Place->address >> 32);
    Of.flags = static_cast<uint16_t>(Place->address);
    Into.add(Of, Frames);
  }
}
// What the tool that started the process has counted.
void readCalls(ProfileBytes &Records, const Code &Loaded, StackData &Into,
               Integrity &Lost) {
  std::map<uint32_t, CallCount> Groups;
  for (const auto &Record : Records.callCounts()) {
    const loopscope_call_count &C = Record.Value;
    CodeAddress At = Loaded.find(C.address - 1, LOOPSCOPE_NONE - 1);
    if (At.Object == LOOPSCOPE_NONE || C.ns > INT64_MAX ||
        C.count > UINT32_MAX) {
      ++Lost.BadRecords;
      continue;
    }
    CallCount &To = Groups[C.group];
    To.Sites.push_back(At);
    To.Count += C.count;
    To.Ns = std::max(To.Ns, static_cast<int64_t>(C.ns));
    To.EndedEarly |= (C.flags & LOOPSCOPE_CALLS_TOO_MANY) != 0;
  }
  for (auto &[Group, Each] : Groups)
    Into.Calls.push_back(std::move(Each));
}
} // namespace

StackData loopscope::readStacks(ProfileBytes &Records, const NamedSums &Sums,
                                const std::function<uint32_t(uint32_t)> &NodeOf,
                                uint32_t ThreadCount,
                                const std::string &WorkingDirectory,
                                Integrity &Lost) {
  StackData Result;
  Result.CpuNs = counterOf(Sums, LOOPSCOPE_COUNT_STACKS_CPU_NS);
  Result.WithoutKernel = counterOf(Sums, LOOPSCOPE_COUNT_STACKS_USER_ONLY) != 0;
  Result.AtTicks = counterOf(Sums, LOOPSCOPE_COUNT_STACKS_AT_TICKS);
  Result.TickNs = counterOf(Sums, LOOPSCOPE_COUNT_STACKS_TICK_NS);
  Result.EveryNs = counterOf(Sums, LOOPSCOPE_COUNT_STACKS_EVERY_NS);
  Code Loaded(Records, WorkingDirectory, Result, Lost);
  Samples Into{Loaded, NodeOf, ThreadCount, Result, Lost};
  readTable(Records, Into);
  readTree(Records, Into);
  readCalls(Records, Loaded, Result, Lost);
  return Result;
}
