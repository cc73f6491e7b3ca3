// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rules file that --suggest prints.

#include "Instrument/Suggest/SuggestedRules.h"

#include "Support/Paths.h"
#include "Support/Printable.h"

#include <algorithm>

#include <fmt/format.h>

namespace loopscope::instrument {

std::optional<std::string> RuleWriter::loopText(ScopeId Loop) const {
  std::optional<std::string> In = functionText(Loop.Body);
  if (!In)
    return std::nullopt;
  const SeenScope &S = P.scope(Loop);
  const std::vector<SeenScope> &Scopes = P.body(Loop.Body).Scopes;
  for (const std::string &Name : S.Names) {
    auto Uses = std::ranges::count_if(Scopes, [&](const SeenScope &Other) {
      return std::ranges::find(Other.Names, Name) != Other.Names.end();
    });
    if (Uses == 1)
      return fmt::format("{}, loop: {}", *In, Name);
  }
  return fmt::format("{}, loop: {}", *In, S.Ordinal);
}

std::optional<std::string> RuleWriter::functionText(int Body) const {
  const SeenBody &B = P.body(Body);
  // The rules go to every file of a build.
  bool OtherFile = B.Local, Overloads = false;
  for (const SeenBody &Other : P.bodies()) {
    if (&Other == &B || Other.Name != B.Name)
      continue;
    if (Other.File != B.File)
      OtherFile = true;
    else if (Other.Signature != B.Signature)
      Overloads = true;
    else
      return std::nullopt;
  }
  std::string Text = fmt::format(
      "in: {}", doubleQuoted(B.Name + (Overloads ? B.Signature : "")));
  if (OtherFile)
    Text += fmt::format(", file: {}",
                        doubleQuoted(fmt::format("*/{}", fileName(B.File))));
  return Text;
}

void RuleWriter::loop(ScopeId Loop, const char *Kind, const std::string &Why) {
  // One kind for each loop.
  if (!Kinds.insert(Loop).second)
    return;
  // Also if this file's flags turn the pragma off: the build's may not.
  if (P.scope(Loop).Pragma)
    return remark(Loop, fmt::format("'{}' belongs here ({}), but no hook fits "
                                    "between a pragma and its loop",
                                    Kind, Why));
  if (std::optional<std::string> Said = loopText(Loop))
    add(fmt::format("kind: {}, {}", Kind, *Said), Loop, P.scope(Loop).Line,
        Why);
  else
    remark(Loop, fmt::format("'{}' belongs here ({}), but no rule can tell "
                             "this function from its namesakes: use an "
                             "attribute",
                             Kind, Why));
}

bool RuleWriter::wholeLoop(ScopeId Loop, Role Part) {
  std::optional<std::string> Said = loopText(Loop);
  if (P.scope(Loop).Pragma)
    return false;
  if (Said)
    add(fmt::format("kind: phase, name: {}, {}", phaseName(Part), *Said), Loop,
        P.scope(Loop).Line, "a loop over its parts");
  return Said.has_value();
}

void RuleWriter::call(ScopeId At, const SeenCall &Call, Role R,
                      const Roles &Beside) {
  std::string Why = R == Role::Draw ? "gets the data" : "by its name";
  for (auto [Other, Inner] : Beside)
    if (Other != &Call && Call.Statement != 0 &&
        Other->Statement == Call.Statement && isPart(Inner) && Inner != R) {
      Why += fmt::format("; {} is in the same statement: split it to time both",
                         phaseName(Inner));
      break;
    }
  std::string What = R == Role::Draw
                         ? "kind: draw"
                         : fmt::format("kind: phase, name: {}", phaseName(R));
  target(At, Call, What, Why, R != Role::Draw);
}

void RuleWriter::named(ScopeId At, const SeenCall &Call,
                       const std::string &Why) {
  target(At, Call,
         fmt::format("kind: phase, name: {}", doubleQuoted(Call.Name)), Why,
         true);
}

void RuleWriter::target(ScopeId At, const SeenCall &Call,
                        const std::string &What, const std::string &Why,
                        bool MayBeFunction) {
  // A rule covers every such call in the function.
  if (!Ruled.insert({At.Body, Call.Callee}).second)
    return;
  std::optional<std::string> In = functionText(At.Body);
  if (Call.Statement != 0 && In)
    return add(fmt::format("{}, {}, call: {}, all: true", What, *In,
                           doubleQuoted(Call.Callee)),
               At, Call.Line, Why);
  const std::vector<int> &Targets = P.targets(Call);
  if (MayBeFunction && Targets.size() == 1 && !P.body(Targets.front()).Constant)
    return add(fmt::format("{}, function: {}, all: true", What,
                           doubleQuoted(P.body(Targets.front()).Name)),
               At, Call.Line, Why + "; not called in a statement");
  remark(At, Call.Line,
         fmt::format(
             "{} is called in a condition or the like, which no rule reaches",
             Call.Name));
}

void RuleWriter::wait(ScopeId At, const SeenCall &Call) {
  std::string Name = fmt::format("{} in {}", Call.Name, P.body(At.Body).Name);
  target(At, Call, fmt::format("kind: wait, name: {}", doubleQuoted(Name)),
         "it waits for other threads", false);
}

void RuleWriter::collective(ScopeId At, const SeenCall &Call) {
  target(At, Call,
         fmt::format("kind: collective, name: {}", doubleQuoted(Call.Name)),
         "all ranks take part in it, by its name; add bytes: EXPRESSION if you "
         "can",
         false);
}

void RuleWriter::remark(ScopeId At, const std::string &Why) {
  remark(At, P.scope(At).Line, Why);
}

void RuleWriter::remark(ScopeId At, unsigned Line, const std::string &Why) {
  Result.push_back(
      {"", std::string(fileName(P.body(At.Body).File)), Line, Why});
}

void RuleWriter::add(const std::string &Yaml, ScopeId At, unsigned Line,
                     const std::string &Why) {
  if (std::ranges::none_of(Result,
                           [&](const Suggested &S) { return S.Yaml == Yaml; }))
    Result.push_back(
        {Yaml, std::string(fileName(P.body(At.Body).File)), Line, Why});
}

} // namespace loopscope::instrument
