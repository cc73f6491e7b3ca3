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
      Into.Objects.push_back({Path, Id});
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
  Code Loaded(Records, WorkingDirectory, Result, Lost);
  for (const auto &Record : Records.stacks()) {
    const loopscope_stack &S = Record.Value;
    if (S.state != LOOPSCOPE_STACK_PUBLISHED)
      continue;
    StackSample Next;
    Next.Node = S.node == LOOPSCOPE_NONE ? LOOPSCOPE_NONE : NodeOf(S.node);
    if (S.depth == 0 || S.depth > LOOPSCOPE_STACK_FRAMES ||
        (Next.Node == LOOPSCOPE_NONE && S.node != LOOPSCOPE_NONE) ||
        (S.thread != LOOPSCOPE_NONE && S.thread >= ThreadCount)) {
      ++Lost.BadRecords;
      continue;
    }
    Next.Thread = S.thread;
    Next.IsForeign = (S.flags & LOOPSCOPE_STACK_FOREIGN) != 0;
    Next.IsCut = (S.flags & LOOPSCOPE_STACK_CUT) != 0;
    Next.Count = S.count;
    for (uint32_t I = 0; I < S.depth; ++I)
      // A return address may be the first address of the next function.
      Next.Frames.push_back(
          Loaded.find(S.frame[I] - (I == 0 ? 0 : 1), S.loading));
    Result.Samples.push_back(std::move(Next));
  }
  return Result;
}
