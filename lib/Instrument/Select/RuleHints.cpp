// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Guesses what a rule that matches nothing was meant to match.

#include "Instrument/Select/RuleHints.h"

#include <fmt/format.h>

using llvm::StringRef;

namespace loopscope::instrument {
namespace {

constexpr unsigned Far = ~0U;

StringRef withoutScope(StringRef Name) {
  size_t Scope = Name.rfind("::");
  return Scope == StringRef::npos ? Name : Name.drop_front(Scope + 2);
}

/// How many letters differ between two names, or Far. Another scope counts half
/// as much as another letter.
unsigned distance(StringRef Name, StringRef Said) {
  if (Name == Said)
    return 0;
  StringRef Plain = withoutScope(Name), PlainSaid = withoutScope(Said);
  unsigned Limit = 1 + static_cast<unsigned>(PlainSaid.size()) / 4;
  unsigned Letters = Plain.edit_distance(PlainSaid, true, Limit);
  return Letters > Limit ? Far : 1 + 2 * Letters;
}

std::string joined(const std::vector<std::string> &Names, StringRef Quote) {
  constexpr size_t Most = 12;
  std::string Text;
  for (size_t I = 0; I < Names.size() && I < Most; ++I)
    Text += fmt::format("{}{}{}{}", I ? ", " : "", Quote.str(), Names[I],
                        Quote.str());
  return Names.size() > Most
             ? fmt::format("{} and {} more", Text, Names.size() - Most)
             : Text;
}

std::string contents(const SeenFunction &F) {
  return fmt::format(
      "{}; {}", F.Loops.empty() ? "no loop" : "loops " + joined(F.Loops, ""),
      F.Calls.empty() ? "no call" : "calls " + joined(F.Calls, "'"));
}

/// Describes F, which the rule names exactly or nearly.
std::string described(const Rule &R, const SeenFunction &F, bool Exact) {
  if (!R.Function.empty())
    return Exact ? fmt::format("'{}' takes {}", F.Name, F.Signature)
                 : fmt::format("the nearest function is '{}'", F.Name);
  return Exact ? fmt::format("'{}' has {}", F.Name, contents(F))
               : fmt::format("the nearest function is '{}', which has {}",
                             F.Name, contents(F));
}

} // namespace

bool isNear(StringRef Name, StringRef Text) {
  return distance(Name, Text) != Far;
}

launch::RuleHint hintFor(const Rule &R, const std::vector<SeenFunction> &All) {
  const Pattern &Function = R.Function.empty() ? R.In : R.Function;
  unsigned Best = Far;
  std::string Text;
  for (const SeenFunction &F : All) {
    unsigned Letters = Far;
    if (Function.empty() || !Function.isPlain()) {
      // A pattern matches many functions; takes the one with the nearest
      // callee.
      if (!R.Call.isPlain() || !Function.matches(F.Name))
        continue;
      const std::string *Nearest = nullptr;
      for (const std::string &Callee : F.Calls)
        if (unsigned Each = distance(Callee, R.Call.text()); Each < Letters) {
          Letters = Each;
          Nearest = &Callee;
        }
      if (Letters < Best) {
        Best = Letters;
        Text =
            fmt::format("the nearest call is '{}' in '{}'", *Nearest, F.Name);
      }
      continue;
    }
    Letters = distance(F.Name, Function.text());
    if (Letters >= Best)
      continue;
    Best = Letters;
    Text = described(R, F, Letters == 0);
  }
  return Text.empty() ? launch::RuleHint() : launch::RuleHint{Text, Best};
}

} // namespace loopscope::instrument
