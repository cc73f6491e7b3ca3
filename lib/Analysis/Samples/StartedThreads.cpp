// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the calls of pthread_create and the functions that threads begin with.

#include "Analysis/Samples/StartedThreads.h"

#include "Symbols/Demangle.h"

#include <algorithm>
#include <cstddef>
#include <utility>

using namespace loopscope;

namespace {
// With samples of fewer threads, they may be a pool, unless there are several
// samples of starts, which take some microseconds each.
constexpr size_t ManyThreads = 100, FewestThreads = 16;
constexpr uint64_t SomeStarts = 3;

// A call in a function of the program that starts threads.
struct Start {
  std::vector<Called *> Path; // down to the function that has the call
  CallSite At;
  uint64_t Count = 0; // samples in the start itself
};

class Starts {
public:
  // Looks for them below the last function of PATH. FROM is the program's
  // innermost call around that, in the last function of its path.
  void find(std::vector<Called *> &Path, const Start &From) {
    Called &In = *Path.back();
    bool IsOwn = !In.Of.IsSystem && !In.Of.Function.empty();
    for (const auto &[Key, To] : In.Calls) {
      const Start Here = IsOwn ? Start{Path, Key.first} : From;
      if (!Here.Path.empty() && startsThread(*To)) {
        add(Here, To->Count);
        continue;
      }
      Path.push_back(To.get());
      find(Path, Here);
      Path.pop_back();
    }
  }

  Start *most() {
    auto Found = std::ranges::max_element(All, {}, &Start::Count);
    return Found == All.end() ? nullptr : &*Found;
  }

private:
  static bool startsThread(const Called &Of) {
    std::string Name = plainName(Of.Of.Function);
    return Name == "pthread_create" || Name.starts_with("__pthread_create");
  }

  void add(const Start &Of, uint64_t Count) {
    for (Start &Each : All)
      if (Each.Path.back() == Of.Path.back() && Each.At == Of.At) {
        Each.Count += Count;
        return;
      }
    All.push_back(Of);
    All.back().Count = Count;
  }

  std::vector<Start> All;
};

void merge(Called &From, Called &Into) {
  Into.Count += From.Count;
  Into.Own += From.Own;
  for (const auto &[Line, Count] : From.OwnLines)
    Into.OwnLines[Line] += Count;
  for (const auto &[Name, Count] : From.Innermost)
    Into.Innermost[Name] += Count;
  for (auto &[Key, To] : From.Calls)
    if (std::unique_ptr<Called> &Place = Into.Calls[Key])
      merge(*To, *Place);
    else
      Place = std::move(To);
}

// Moves the program's functions that threads begin with to a call of OF.
void moveOwn(Called &From, Start &Of) {
  for (auto &[Key, To] : From.Calls) {
    if (To->Of.IsSystem) {
      moveOwn(*To, Of);
      continue;
    }
    for (Called *Each : Of.Path) {
      Each->Count += To->Count;
      for (const auto &[Name, Count] : To->Innermost)
        Each->Innermost[Name] += Count;
    }
    To->Instructions.clear();
    To->IsThread = true;
    std::string Function = To->Of.Function;
    if (std::unique_ptr<Called> &Place =
            Of.Path.back()->Calls[{Of.At, Function}])
      merge(*To, *Place);
    else
      Place = std::move(To);
  }
  std::erase_if(From.Calls,
                [](const auto &Each) { return Each.second == nullptr; });
}
} // namespace

void loopscope::joinStartedThreads(std::vector<ThreadGroup> &Groups) {
  ThreadGroup *Started = nullptr;
  for (ThreadGroup &Each : Groups)
    if (Each.Name != "main" && !Each.Serves &&
        Each.Ids.size() >= FewestThreads &&
        (Started == nullptr || Each.Ids.size() > Started->Ids.size()))
      Started = &Each;
  if (Started == nullptr)
    return;
  Starts Found;
  for (ThreadGroup &Each : Groups)
    if (&Each != Started) {
      std::vector<Called *> Path{&Each.Root};
      Found.find(Path, {});
    }
  Start *Most = Found.most();
  if (Most == nullptr ||
      (Started->Ids.size() < ManyThreads && Most->Count < SomeStarts))
    return;
  moveOwn(Started->Root, *Most);
  Groups.erase(Groups.begin() + (Started - Groups.data()));
}
