// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates a site for each name of a node that serves a phase, and one for each
// name of an operator: views then find such nodes by it, as they do phases.

#include "Run/Read/OperatorsReader.h"

#include "Run/Model/KnownNames.h"
#include "Run/Model/Stages.h"

#include <fmt/format.h>

#include <map>
#include <tuple>
#include <utility>

using namespace loopscope;

namespace {
// Threads inherit the name of the thread that starts them; in that case the
// name says nothing.
std::string threadWords(const Run &R, const Thread &T) {
  for (const Thread &Each : R.Threads)
    if (Each.IsMain && Each.Name == T.Name)
      return "another thread";
  return T.Name.empty() ? "another thread" : T.Name;
}
} // namespace

void loopscope::readServed(const std::vector<NodeRecord> &Records,
                           const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                           Run &Into) {
  std::map<std::string, uint32_t> SiteOf;
  for (const NodeRecord &Record : Records) {
    auto Found = NodeOf.find(Record.Index);
    if (Record.Node.kind != LOOPSCOPE_KIND_SERVED || Found == NodeOf.end())
      continue;
    Node &N = Into.Nodes[Found->second];
    N.Samples = 0;
    uint64_t Key = Record.Node.samples;
    if (Key == 0)
      continue;
    auto Phase = Key <= LOOPSCOPE_NONE
                     ? NodeOf.find(static_cast<uint32_t>(Key - 1))
                     : NodeOf.end();
    if (Phase == NodeOf.end()) {
      ++Into.Lost.BadRecords;
      continue;
    }
    std::string Name =
        fmt::format("{} (on {})", treeName(Into, Into.Nodes[Phase->second]),
                    threadWords(Into, Into.Threads[N.Thread]));
    auto [Known, IsNew] =
        SiteOf.try_emplace(Name, static_cast<uint32_t>(Into.Sites.size()));
    if (IsNew) {
      Site Next;
      Next.Use = siteUse(Name);
      Next.Name = std::move(Name);
      Into.Sites.push_back(std::move(Next));
    }
    N.Site = Known->second;
  }
}

OperatorInputs loopscope::parseInputs(std::string_view Function) {
  // Shapes are numbers, commas and brackets.
  size_t End = Function.find("] [");
  if (End == std::string_view::npos)
    return {std::string(Function), ""};
  return {std::string(Function.substr(0, End + 1)),
          std::string(Function.substr(End + 2))};
}

void loopscope::readInputs(Run &Into) {
  std::map<OperatorInputs, uint32_t> InputsOf;
  std::map<std::tuple<std::string, std::string, uint32_t>, uint32_t> PlainOf;
  std::vector<std::pair<uint32_t, uint32_t>>
      Of; // of each site: that and inputs
  for (uint32_t I = 0; I < Into.Sites.size(); ++I) {
    Site &S = Into.Sites[I];
    Of.emplace_back(I, None);
    if (S.Kind != LOOPSCOPE_KIND_OPERATOR)
      continue;
    if (!S.Function.empty())
      Of.back().second =
          InputsOf
              .try_emplace(parseInputs(std::exchange(S.Function, {})),
                           static_cast<uint32_t>(InputsOf.size()))
              .first->second;
    Of.back().first =
        PlainOf.try_emplace({S.Name, S.File, S.Line}, I).first->second;
  }
  Into.Inputs.resize(InputsOf.size());
  for (const auto &[Inputs, Index] : InputsOf)
    Into.Inputs[Index] = Inputs;
  for (Node &N : Into.Nodes)
    if (N.Site != None && N.Kind == LOOPSCOPE_KIND_OPERATOR)
      std::tie(N.Site, N.Inputs) = Of[N.Site];
}

void loopscope::readOperatorLinks(
    ProfileBytes &Records, const std::unordered_map<uint32_t, uint32_t> &NodeOf,
    Run &Into) {
  for (const auto &Record : Records.operatorLinks()) {
    const loopscope_operator_link &Link = Record.Value;
    if (Link.backward == 0)
      continue;
    auto Backward = NodeOf.find(Link.backward - 1);
    auto Forward = NodeOf.find(Link.forward);
    auto IsOperator = [&](auto Found) {
      return Found != NodeOf.end() &&
             Into.Nodes[Found->second].Kind == LOOPSCOPE_KIND_OPERATOR;
    };
    if (IsOperator(Backward) && IsOperator(Forward))
      Into.OperatorLinks.push_back(
          {Backward->second, Forward->second, Link.count});
    else
      ++Into.Lost.BadRecords;
  }
}
