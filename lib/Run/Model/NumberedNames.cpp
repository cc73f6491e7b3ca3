// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the number in a name.

#include "Run/Model/NumberedNames.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <optional>
#include <set>
#include <string_view>
#include <tuple>
#include <utility>

using namespace loopscope;

namespace {
// A name with one number that stands by itself.
struct Numbered {
  std::string Template; // "layers.N.mlp"
  std::string Label;    // "layers": what is before the number
  bool IsLast = false;  // nothing follows the number
  int64_t Number = 0;
};

bool isDigit(char C) { return C >= '0' && C <= '9'; }
bool isBetween(char C) {
  return std::string_view("._-/:# ").find(C) != std::string_view::npos;
}

std::optional<Numbered> numberIn(std::string_view Name) {
  std::optional<Numbered> Result;
  for (size_t At = 1; At < Name.size(); ++At) {
    if (!isDigit(Name[At]) || isDigit(Name[At - 1]))
      continue;
    size_t End = At;
    while (End < Name.size() && isDigit(Name[End]))
      ++End;
    if (!isBetween(Name[At - 1]) ||
        (End < Name.size() && !isBetween(Name[End])))
      continue;
    Numbered Next;
    const char *Last = Name.data() + End;
    // Of several numbers, nobody knows which one the key is. One with zeros in
    // front, or too long, is a name.
    bool IsPlain = Name[At] != '0' || End == At + 1;
    if (Result || !IsPlain ||
        std::from_chars(Name.data() + At, Last, Next.Number).ec != std::errc())
      return std::nullopt;
    std::string_view Before = Name.substr(0, At - 1);
    Next.Template =
        std::string(Name.substr(0, At)) + "N" + std::string(Name.substr(End));
    Next.IsLast = End == Name.size();
    size_t Word = Before.find_last_of("./: ");
    Next.Label = Before.substr(Word == Before.npos ? 0 : Word + 1);
    Result = std::move(Next);
  }
  return Result;
}

// Without annotations, operators are phases.
bool mayBeNumbered(const Site &S, bool HasMarks) {
  bool IsMark = S.Kind == LOOPSCOPE_KIND_PHASE || S.Kind == LOOPSCOPE_KIND_WAIT;
  return (IsMark && HasMarks) || S.Name.starts_with("nn.Module: ");
}

// The sites of one phase.
struct Family {
  std::map<uint32_t, Numbered> Of; // by site
  std::set<int64_t> Numbers;
};
} // namespace

void loopscope::keyNumberedNames(Run &R) {
  if (!R.By->RunsPython || !R.By->KeepsEvents)
    return;
  std::map<std::pair<loopscope_kind, std::string>, Family> Families;
  std::set<std::string> Names;
  bool HasMarks = std::ranges::any_of(R.Stream.Events, [](const TraceEvent &E) {
    return E.StandsFor != LOOPSCOPE_KIND_ROOT;
  });
  for (uint32_t I = 0; I < R.Sites.size(); ++I) {
    Names.insert(R.Sites[I].Name);
    std::optional<Numbered> Found = mayBeNumbered(R.Sites[I], HasMarks)
                                        ? numberIn(R.Sites[I].Name)
                                        : std::nullopt;
    if (!Found)
      continue;
    Family &To = Families[{R.Sites[I].Kind, Found->Template}];
    To.Numbers.insert(Found->Number);
    To.Of.emplace(I, std::move(*Found));
  }
  std::map<uint32_t, std::pair<uint32_t, uint32_t>> NewOf; // site, key by site
  std::map<SpanKey, uint32_t> PlaceOf;
  if (std::ranges::all_of(R.Nodes, [](const Node &N) { return N.Key == None; }))
    R.Keys.clear();
  for (uint32_t I = 0; I < R.Keys.size(); ++I)
    PlaceOf.emplace(R.Keys[I], I);
  for (const auto &[Which, Each] : Families) {
    if (Each.Numbers.size() < 2)
      continue;
    const Numbered &Any = Each.Of.begin()->second;
    // "layer.N" without what is before and behind the dot, unless something
    // else is called so.
    std::string Short = Any.Template.substr(0, Any.Template.size() - 2);
    Site Phase = R.Sites[Each.Of.begin()->first];
    Phase.Name = Any.IsLast && !Names.contains(Short) ? Short : Any.Template;
    auto NewSite = static_cast<uint32_t>(R.Sites.size());
    R.Sites.push_back(std::move(Phase));
    for (const auto &[Old, Found] : Each.Of) {
      SpanKey Key = {Found.Label, LOOPSCOPE_KEY_SIGNED,
                     static_cast<uint64_t>(Found.Number), ""};
      auto [Place, IsNew] =
          PlaceOf.try_emplace(Key, static_cast<uint32_t>(R.Keys.size()));
      if (IsNew)
        R.Keys.push_back(std::move(Key));
      NewOf[Old] = {NewSite, Place->second};
    }
  }
  for (Node &N : R.Nodes)
    if (auto Found = NewOf.find(N.Site); Found != NewOf.end())
      std::tie(N.Site, N.Key) = Found->second;
}

NumberedNames loopscope::numberedNames(const Run &R) {
  NumberedNames Result;
  if (!R.By->KeepsEvents)
    return Result;
  std::map<uint32_t, std::set<uint32_t>> KeysOf; // by site
  for (const Node &N : R.Nodes)
    if (N.Key != None && N.Site != None)
      KeysOf[N.Site].insert(N.Key);
  for (const auto &[Site, Keys] : KeysOf) {
    Result.Names += Keys.size();
    Result.Phases.push_back(R.Sites[Site].Name);
  }
  return Result;
}
