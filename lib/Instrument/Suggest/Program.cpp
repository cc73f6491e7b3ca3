// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which functions call which, and which change weights.

#include "Instrument/Suggest/Program.h"

#include <algorithm>

namespace loopscope::instrument {

std::string_view plainName(std::string_view Name) {
  if (Name.ends_with("(lambda)"))
    return "";
  size_t Scope = Name.rfind("::");
  return Scope == std::string_view::npos ? Name : Name.substr(Scope + 2);
}

Program::Program(std::vector<SeenBody> All) {
  // Functions of headers come with every file that includes them.
  std::set<std::string> Keys;
  for (SeenBody &B : All)
    if (Keys.insert(B.Key).second)
      Bodies.push_back(std::move(B));
  link();
  for (size_t I = 0; I < Bodies.size(); ++I)
    judgeAssignments(static_cast<int>(I));
  judgeTeaching();
  judgeTraining();
}

void Program::link() {
  for (size_t I = 0; I < Bodies.size(); ++I) {
    auto Index = static_cast<int>(I);
    const SeenBody &B = Bodies[I];
    ByKey[B.Key].push_back(Index);
    ByName[B.Name].push_back(Index);
    ByPlainName[std::string(plainName(B.Name))].push_back(Index);
    for (const std::string &Base : B.Overrides)
      ByName[Base].push_back(Index);
  }
  nameByPointers();
  Callers.resize(Bodies.size());
  for (size_t I = 0; I < Bodies.size(); ++I)
    for (size_t J = 0; J < Bodies[I].Scopes.size(); ++J)
      for (const SeenCall &Call : Bodies[I].Scopes[J].Calls)
        for (int Target : targets(Call)) {
          ScopeId Here{static_cast<int>(I), static_cast<int>(J)};
          std::vector<ScopeId> &Known = Callers[static_cast<size_t>(Target)];
          if (std::ranges::find(Known, Here) == Known.end())
            Known.push_back(Here);
        }
}

/// Notes what `net->step = step_of_mlp` says about calls of `net->step`.
void Program::nameByPointers() {
  for (const SeenBody &B : Bodies)
    for (const SeenScope &S : B.Scopes)
      for (const SeenAssignment &A : S.Assignments) {
        if (A.Accumulates || A.Sources.size() != 1)
          continue;
        auto Function = ByName.find(A.Sources.front());
        if (Function == ByName.end())
          continue;
        std::vector<int> &Known = ByPointer[A.Target];
        for (int Each : Function->second)
          if (std::ranges::find(Known, Each) == Known.end())
            Known.push_back(Each);
      }
}

const std::vector<int> &Program::targets(const SeenCall &Call) const {
  auto [Entry, New] = Resolved.try_emplace(Call.Key + " " + Call.Callee);
  if (!New)
    return Entry->second;
  std::vector<int> &All = Entry->second;
  auto Add = [&](const std::map<std::string, std::vector<int>> &Index,
                 const std::string &Name) {
    auto Known = Index.find(Name);
    if (Known != Index.end())
      for (int Each : Known->second)
        if (std::ranges::find(All, Each) == All.end())
          All.push_back(Each);
  };
  if (!Call.Key.empty())
    Add(ByKey, Call.Key);
  // Overriders of a virtual function, and functions that other files define.
  bool Lambda = Call.Callee.ends_with("(lambda)");
  if (!Lambda) {
    if (All.empty() || Call.Callee.find("::") != std::string::npos)
      Add(ByName, Call.Callee);
    // In a template, the scope isn't known.
    if (All.empty() && Call.Key.empty() && Call.Callee == Call.Name)
      Add(ByPlainName, Call.Name);
    if (All.empty() && Call.Key.empty() && Call.Callee == Call.Name)
      Add(ByPointer, Call.Name);
  }
  if (All.size() > 8) // a common name means nothing
    All.clear();
  return All;
}

std::vector<int> Program::nest(ScopeId Loop) const {
  std::vector<int> All = {Loop.Scope};
  const std::vector<SeenScope> &Scopes = body(Loop.Body).Scopes;
  for (size_t I = static_cast<size_t>(Loop.Scope) + 1; I < Scopes.size(); ++I)
    if (std::ranges::find(All, Scopes[I].Outer) != All.end())
      All.push_back(static_cast<int>(I));
  return All;
}

bool Program::startsThreads(ScopeId Loop) const {
  const SeenScope &S = scope(Loop);
  for (const SeenCall &Call : S.Calls) {
    if (!Call.Via.empty() &&
        hasWord(Call.Via, {"thread", "pthread", "async", "enqueue", "submit",
                           "launch", "spawn", "jthread"}))
      return true;
    if (hasWord(Call.Name, {"join"}))
      return true;
  }
  return std::ranges::any_of(S.Head, [](const std::string &Name) {
    return hasWord(Name, {"threads", "nthreads", "nthread", "workers"}) &&
           !hasWord(Name, {"per"});
  });
}

std::vector<ScopeId> Program::loopsAround(ScopeId Loop) const {
  std::vector<ScopeId> Found;
  int Outer = scope(Loop).Outer;
  std::vector<ScopeId> Next = {{Loop.Body, Outer}};
  std::set<ScopeId> Seen;
  for (size_t I = 0; I < Next.size() && Next.size() < 200; ++I) {
    ScopeId At = Next[I];
    if (!Seen.insert(At).second)
      continue;
    if (At.isLoop() && !startsThreads(At)) {
      Found.push_back(At);
      continue;
    }
    if (At.isLoop())
      Next.push_back({At.Body, scope(At).Outer});
    else
      for (ScopeId Caller : callers(At.Body))
        Next.push_back(Caller);
  }
  return Found;
}

void Program::judgeAssignments(int Index) {
  const SeenBody &B = body(Index);
  std::set<std::string> Tainted, Set;
  for (const SeenScope &S : B.Scopes)
    for (const SeenAssignment &A : S.Assignments)
      Set.insert(A.Target);
  auto IsTainted = [&](const std::vector<std::string> &Names) {
    return std::ranges::any_of(Names, [&](const std::string &Name) {
      return isLearning(Name) || Tainted.contains(Name) ||
             (mayBeLearning(Name) && Set.contains(Name));
    });
  };
  // Anything computed from a gradient or a rate counts as one.
  for (int Round = 0; Round < 3; ++Round)
    for (const SeenScope &S : B.Scopes)
      for (const SeenAssignment &A : S.Assignments)
        if (IsTainted(A.Sources))
          Tainted.insert(A.Target);
  for (size_t I = 0; I < B.Scopes.size(); ++I) {
    const SeenScope &S = B.Scopes[I];
    bool Assigns =
        std::ranges::any_of(S.Assignments,
                            [&](const SeenAssignment &A) {
                              return A.Element &&
                                     (A.Accumulates || isWeights(A.Target)) &&
                                     IsTainted(A.Sources);
                            }) ||
        std::ranges::any_of(S.Calls, [&](const SeenCall &Call) {
          return hasWord(Call.Name, {"axpy", "saxpy", "daxpy"}) &&
                 IsTainted(Call.Arguments);
        });
    if (Assigns)
      Assigning.insert({Index, static_cast<int>(I)});
  }
}

void Program::judgeTeaching() {
  Teaches.assign(Bodies.size(), 0);
  for (size_t I = 0; I < Bodies.size(); ++I) {
    if (isAside(plainName(Bodies[I].Name)) &&
        !plainName(Bodies[I].Name).empty())
      continue;
    Role Own = roleOf(Bodies[I]);
    if (Own == Role::Backward || Own == Role::OptStep || Own == Role::Step)
      Teaches[I] = 3;
    for (size_t J = 0; J < Bodies[I].Scopes.size(); ++J) {
      if (assignsWeights({static_cast<int>(I), static_cast<int>(J)}))
        Teaches[I] = std::max(Teaches[I], 2);
      for (const SeenCall &Call : Bodies[I].Scopes[J].Calls) {
        Role R = roleOf(Call);
        if (R == Role::Backward || R == Role::OptStep || R == Role::Step)
          Teaches[I] = 3;
        else if (R == Role::Update &&
                 std::ranges::any_of(Call.Arguments, isLearning))
          Teaches[I] = std::max(Teaches[I], 2);
      }
    }
  }
  for (bool Changed = true; Changed;) {
    Changed = false;
    for (size_t I = 0; I < Bodies.size(); ++I) {
      if (Teaches[I] == 0)
        continue;
      for (ScopeId Caller : Callers[I]) {
        int &Outer = Teaches[static_cast<size_t>(Caller.Body)];
        std::string_view Name = plainName(body(Caller.Body).Name);
        if (Outer < Teaches[I] && (Name.empty() || !isAside(Name))) {
          Outer = Teaches[I];
          Changed = true;
        }
      }
    }
  }
}

void Program::judgeTraining() {
  InTraining.assign(Bodies.size(), false);
  std::vector<int> Next;
  auto Add = [&](int Index) {
    if (!InTraining[static_cast<size_t>(Index)]) {
      InTraining[static_cast<size_t>(Index)] = true;
      Next.push_back(Index);
    }
  };
  for (size_t I = 0; I < Bodies.size(); ++I) {
    Role R = roleOf(Bodies[I]);
    if (R == Role::Train || R == Role::Epoch || R == Role::Step ||
        hasWord(plainName(Bodies[I].Name), {"train", "learn", "fit", "sgd"}))
      Add(static_cast<int>(I));
  }
  for (size_t I = 0; I < Next.size(); ++I)
    for (const SeenScope &S : body(Next[I]).Scopes)
      for (const SeenCall &Call : S.Calls) {
        Role R = roleOf(Call);
        if (R == Role::Evaluate || R == Role::Draw || isAside(Call.Name))
          continue;
        for (int Target : targets(Call))
          Add(Target);
      }
}

} // namespace loopscope::instrument
