// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Creates a site for each name of a node that serves a phase: views then find
// such nodes by it, as they do phases.

#include "Run/Read/OperatorsReader.h"

#include "Run/Stages.h"

#include <fmt/format.h>

#include <map>

using namespace loopscope;

namespace {
// Threads inherit the name of the thread that starts them; in that case the
// name says nothing.
std::string threadWords(const Run &P, const Thread &T) {
  for (const Thread &Each : P.Threads)
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
      Next.Name = std::move(Name);
      Into.Sites.push_back(std::move(Next));
    }
    N.Site = Known->second;
  }
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
