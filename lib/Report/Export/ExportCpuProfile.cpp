// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// V8's .cpuprofile, which editors show beside the source's lines.

#include "Report/Export/Export.h"

#include "Analysis/Samples/SampledStacks.h"
#include "Analysis/Tree/PathTree.h"
#include "Run/Combine/SelectThread.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <map>
#include <tuple>

using namespace loopscope;
using Json = nlohmann::ordered_json;

namespace {
constexpr int64_t NsPerMicrosecond = 1000;

// The tree of frames, each a child of its caller, and one sample for each that
// has time of its own.
class CpuProfile {
public:
  explicit CpuProfile(const Run &R) : R(R) {
    Nodes.push_back(
        {{"id", 1}, {"callFrame", frame("(root)", "", 0)}, {"hitCount", 0}});
    Children.emplace_back();
  }

  std::string write();

private:
  Json frame(const std::string &Name, const std::string &File,
             uint32_t Line) const;
  size_t child(size_t Of, const StackFunction &Function);
  size_t phaseOf(size_t Thread, uint32_t Node);
  void add(const SampledStack &Stack);
  void addTime(size_t Node, int64_t Ns);

  const Run &R;
  std::vector<Json> Nodes; // by id less 1
  std::vector<std::map<StackFunction, size_t>> Children;
  Json Samples = Json::array();
  Json Deltas = Json::array();
  int64_t TotalNs = 0;
};

// Frames count lines from 0; -1 means none.
Json CpuProfile::frame(const std::string &Name, const std::string &File,
                       uint32_t Line) const {
  std::string Url = File.empty() || File.starts_with('/')
                        ? File
                        : R.WorkingDirectory + '/' + File;
  return {{"functionName", Name},
          {"scriptId", "0"},
          {"url", Url.empty() ? "" : "file://" + Url},
          {"lineNumber", static_cast<int64_t>(Line) - 1},
          {"columnNumber", Line == 0 ? -1 : 0}};
}

size_t CpuProfile::child(size_t Of, const StackFunction &Function) {
  auto [Found, IsNew] = Children[Of].try_emplace(Function, Nodes.size());
  size_t Child = Found->second;
  if (!IsNew)
    return Child;
  Nodes[Of]["children"].push_back(Child + 1);
  Nodes.push_back(
      {{"id", Child + 1},
       {"callFrame", frame(Function.Name, Function.File, Function.Line)},
       {"hitCount", 0}});
  Children.emplace_back();
  return Child;
}

// The frame of a call path below that of its thread.
size_t CpuProfile::phaseOf(size_t Thread, uint32_t Node) {
  if (Node == None || R.Nodes[Node].Parent == None)
    return Thread;
  size_t Above = phaseOf(Thread, R.Nodes[Node].Parent);
  StackFunction Phase;
  Phase.Name = treeName(R, R.Nodes[Node]);
  if (uint32_t S = R.Nodes[Node].Site; S != None) {
    Phase.File = R.Sites[S].File;
    Phase.Line = R.Sites[S].Line;
  }
  return child(Above, Phase);
}

void CpuProfile::addTime(size_t Node, int64_t Ns) {
  // A remainder below a microsecond is carried over to the next sample.
  int64_t Before = TotalNs / NsPerMicrosecond;
  TotalNs = saturatingAdd(TotalNs, Ns);
  Samples.push_back(Node + 1);
  Deltas.push_back(TotalNs / NsPerMicrosecond - Before);
}

void CpuProfile::add(const SampledStack &Stack) {
  size_t At = phaseOf(child(0, {Stack.Thread, "", 0}), Stack.Node);
  for (const StackFunction &Function : Stack.Functions)
    At = child(At, Function);
  Json &Node = Nodes[At];
  Node["hitCount"] = Node["hitCount"].get<uint64_t>() + Stack.Count;
  for (const auto &[Line, Ticks] : Stack.Lines)
    Node["positionTicks"].push_back({{"line", Line}, {"ticks", Ticks}});
  addTime(At, Stack.Ns);
}

std::string CpuProfile::write() {
  std::vector<SampledStack> Stacks = sampledStacks(R);
  std::vector<int64_t> Left = timeWithoutSamples(R, Stacks);
  for (uint32_t I = 0; I < R.Nodes.size(); ++I)
    if (Left[I] > 0)
      addTime(
          phaseOf(child(0, {threadName(R.Threads[R.Nodes[I].Thread]), "", 0}),
                  I),
          Left[I]);
  for (const SampledStack &Each : Stacks)
    add(Each);
  Json Result = {{"nodes", Nodes},
                 {"startTime", 0},
                 {"endTime", TotalNs / NsPerMicrosecond},
                 {"samples", std::move(Samples)},
                 {"timeDeltas", std::move(Deltas)}};
  return Result.dump() + '\n';
}
} // namespace

std::string loopscope::exportCpuProfile(const Run &R) {
  return CpuProfile(R).write();
}
