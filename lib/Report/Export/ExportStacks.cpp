// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// speedscope, folded stacks and csv.

#include "Report/Export/Export.h"

#include "Analysis/Device/KernelRows.h"
#include "Analysis/Samples/SampledStacks.h"
#include "Analysis/Tree/DeviceNames.h"
#include "Analysis/Tree/PathTree.h"
#include "Report/Print/Csv.h"
#include "Run/Combine/SelectThread.h"
#include "Run/Model/Stages.h"
#include "Support/Numbers.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <map>

using namespace loopscope;
using Json = nlohmann::ordered_json;

namespace {
// A frame over some time.
struct Piece {
  size_t Frame;
  int64_t StartNs;
  int64_t EndNs;
};

// The nodes from below the thread's root to NODE.
std::vector<uint32_t> pathOf(const Run &R, uint32_t Node) {
  std::vector<uint32_t> Result;
  for (; Node != None && R.Nodes[Node].Parent != None;
       Node = R.Nodes[Node].Parent)
    Result.push_back(Node);
  std::reverse(Result.begin(), Result.end());
  return Result;
}

// Semicolons separate, blanks end a stack.
std::string foldedName(std::string Name) {
  std::replace(Name.begin(), Name.end(), ';', ':');
  return Name;
}

// Spans of one thread and work of one stream, in the order of their starts, as
// opens and closes.
class Speedscope {
public:
  explicit Speedscope(const Run &R) : R(R) {}
  std::string write();

private:
  size_t frameOf(uint32_t Node);
  size_t frameOf(const std::string &Name, uint32_t Site);
  size_t frameOf(const StackFunction &Function);
  void addSamples();
  void addThread(const std::string &Name, const std::vector<TimelineSpan> &In);
  void addStreams();
  void addTrack(const std::string &Name, const std::vector<Piece> &In);
  std::vector<TimelineSpan> laidOut(uint32_t Root) const;

  const Run &R;
  Json Frames = Json::array();
  Json Profiles = Json::array();
  std::map<std::pair<std::string, uint32_t>, size_t> FrameOf;
  std::map<StackFunction, size_t> FrameOfFunction;
};
} // namespace

size_t Speedscope::frameOf(uint32_t Index) {
  return frameOf(treeName(R, R.Nodes[Index]), R.Nodes[Index].Site);
}

size_t Speedscope::frameOf(const std::string &Name, uint32_t Site) {
  auto [Found, IsNew] = FrameOf.try_emplace({Name, Site}, Frames.size());
  if (IsNew) {
    Json Frame = {{"name", Name}};
    if (Site != None) {
      Frame["file"] = R.Sites[Site].File;
      Frame["line"] = R.Sites[Site].Line;
    }
    Frames.push_back(std::move(Frame));
  }
  return Found->second;
}

size_t Speedscope::frameOf(const StackFunction &Function) {
  auto [Found, IsNew] = FrameOfFunction.try_emplace(Function, Frames.size());
  if (IsNew) {
    Json Frame = {{"name", Function.Name}};
    if (!Function.File.empty()) {
      Frame["file"] = Function.File;
      Frame["line"] = Function.Line;
    }
    Frames.push_back(std::move(Frame));
  }
  return Found->second;
}

// Lays out a thread's tree as consecutive spans, each as long as its sum.
std::vector<TimelineSpan> Speedscope::laidOut(uint32_t Root) const {
  std::vector<TimelineSpan> Result;
  struct Frame {
    uint32_t Node;
    size_t Next;
    int64_t At; // where the next child starts
  };
  std::vector<Frame> Way = {{Root, 0, 0}};
  while (!Way.empty()) {
    Frame &Top = Way.back();
    const Node &N = R.Nodes[Top.Node];
    if (Top.Next == N.Children.size()) {
      Way.pop_back();
      continue;
    }
    uint32_t Child = N.Children[Top.Next++];
    int64_t Start = Top.At;
    Top.At = saturatingAdd(Start, R.Nodes[Child].InclusiveNs);
    Result.push_back({Child, false, Start, Top.At, -1});
    Way.push_back({Child, 0, Start});
  }
  return Result;
}

void Speedscope::addThread(const std::string &Name,
                           const std::vector<TimelineSpan> &In) {
  std::vector<Piece> Pieces;
  for (const TimelineSpan &Span : In)
    Pieces.push_back({frameOf(Span.Node), Span.StartNs, Span.EndNs});
  addTrack(Name, Pieces);
}

// Work on one stream may overlap (branches of a graph), but frames must nest:
// work that begins inside other work and outlasts it is shown as beginning at
// its end.
void Speedscope::addStreams() {
  std::map<std::pair<int64_t, uint32_t>, std::vector<Piece>> Streams;
  std::map<std::pair<int64_t, uint32_t>, std::vector<int64_t>> OpenUntil;
  for (const GpuEvent &E : R.Gpu.Events) {
    if (!E.isDeviceWork())
      continue;
    std::pair<int64_t, uint32_t> Key = {deviceNumber(R, E.Device), E.Stream};
    std::vector<int64_t> &Open = OpenUntil[Key];
    int64_t Start = E.StartNs;
    while (!Open.empty() && Open.back() < E.EndNs) {
      Start = std::max(Start, Open.back());
      Open.pop_back();
    }
    Open.push_back(E.EndNs);
    Streams[Key].push_back(
        {frameOf(kernelName(deviceWorkName(R, E)), None), Start, E.EndNs});
  }
  for (const auto &[Key, Pieces] : Streams)
    addTrack(fmt::format("GPU {}, stream {}", Key.first, Key.second), Pieces);
}

void Speedscope::addTrack(const std::string &Name,
                          const std::vector<Piece> &In) {
  Json Events = Json::array();
  std::vector<std::pair<size_t, int64_t>> Open; // frame, end
  int64_t Last = 0;
  auto CloseUntil = [&](const Piece *Next) {
    while (!Open.empty() && (!Next || Open.back().second < Next->EndNs ||
                             Open.back().second <= Next->StartNs)) {
      Last = Open.back().second;
      Events.push_back(
          {{"type", "C"}, {"frame", Open.back().first}, {"at", Last}});
      Open.pop_back();
    }
  };
  for (const Piece &Each : In) {
    CloseUntil(&Each);
    Events.push_back(
        {{"type", "O"}, {"frame", Each.Frame}, {"at", Each.StartNs}});
    Open.emplace_back(Each.Frame, Each.EndNs);
  }
  CloseUntil(nullptr);
  Profiles.push_back({{"type", "evented"},
                      {"name", Name},
                      {"unit", "nanoseconds"},
                      {"startValue", In.empty() ? 0 : In[0].StartNs},
                      {"endValue", Last},
                      {"events", std::move(Events)}});
}

// Samples of processor time, a profile for each thread: functions below the
// phases that they ran in.
void Speedscope::addSamples() {
  Json *Last = nullptr;
  std::string Thread;
  int64_t End = 0;
  for (const SampledStack &Each : sampledStacks(R)) {
    if (!Last || Each.Thread != Thread) {
      Thread = Each.Thread;
      End = 0;
      Profiles.push_back({{"type", "sampled"},
                          {"name", Thread + ", samples of CPU time"},
                          {"unit", "nanoseconds"},
                          {"startValue", 0},
                          {"endValue", 0},
                          {"samples", Json::array()},
                          {"weights", Json::array()}});
      Last = &Profiles.back();
    }
    std::vector<size_t> Stack;
    for (uint32_t Node : pathOf(R, Each.Node))
      Stack.push_back(frameOf(Node));
    for (const StackFunction &Function : Each.Functions)
      Stack.push_back(frameOf(Function));
    (*Last)["samples"].push_back(Stack);
    (*Last)["weights"].push_back(Each.Ns);
    End = saturatingAdd(End, Each.Ns);
    (*Last)["endValue"] = End;
  }
}

std::string Speedscope::write() {
  for (size_t I = 0; I < R.Threads.size(); ++I) {
    const Thread &T = R.Threads[I];
    if (I < R.Timeline.size() && !R.Timeline[I].empty())
      addThread(threadName(T), R.Timeline[I]);
    else if (T.Root != None && !R.Nodes[T.Root].Children.empty())
      addThread(threadName(T), laidOut(T.Root));
  }
  addStreams();
  addSamples();
  Json Result = {
      {"$schema", "https://www.speedscope.app/file-format-schema.json"},
      {"name", R.displayName()},
      {"exporter", "loopscope"},
      {"shared", {{"frames", std::move(Frames)}}},
      {"profiles", std::move(Profiles)}};
  return Result.dump() + '\n';
}

std::string loopscope::exportSpeedscope(const Run &R) {
  return Speedscope(R).write();
}

std::string loopscope::exportFolded(const Run &R) {
  std::string Result;
  // Parents come before children, so a node's stack is known before it.
  std::vector<std::string> Stacks;
  std::map<std::string, int64_t> SelfOf;
  std::vector<SampledStack> Samples = sampledStacks(R);
  std::vector<int64_t> Left = timeWithoutSamples(R, Samples);
  for (const Node &N : R.Nodes) {
    std::string Name =
        N.Parent == None ? threadName(R.Threads[N.Thread]) : treeName(R, N);
    Name = foldedName(std::move(Name));
    Stacks.push_back(N.Parent == None ? Name : Stacks[N.Parent] + ';' + Name);
    int64_t &Self = SelfOf[Stacks.back()];
    Self = saturatingAdd(Self, Left[Stacks.size() - 1]);
  }
  // Functions below the phase that they ran in; threads without a span have no
  // time of their own.
  for (const SampledStack &Each : Samples) {
    bool IsOwn = !Each.IsForeign && Each.Node != None;
    std::string Stack = IsOwn ? Stacks[Each.Node] : foldedName(Each.Thread);
    if (!IsOwn)
      for (uint32_t Node : pathOf(R, Each.Node))
        Stack += ';' + foldedName(treeName(R, R.Nodes[Node]));
    for (const StackFunction &Function : Each.Functions)
      Stack += ';' + foldedName(Function.Name);
    SelfOf[Stack] = saturatingAdd(SelfOf[Stack], Each.Ns);
  }
  for (const auto &[Stack, Ns] : SelfOf)
    if (Ns > 0)
      Result += fmt::format("{} {}\n", Stack, Ns);
  return Result;
}

namespace {
// Device work is on "gpu0/stream7", calls on their thread.
std::string trackOf(const Run &R, const GpuEvent &E) {
  return E.isDeviceWork()
             ? csvText(fmt::format("gpu{}/stream{}", deviceNumber(R, E.Device),
                                   E.Stream))
             : fmt::format("{}", E.Tid);
}
} // namespace

std::string loopscope::exportCsv(const Run &R) {
  std::string Result = "thread,start_s,duration_s,kind,step,open,name\n";
  for (size_t I = 0; I < R.Timeline.size(); ++I)
    for (const TimelineSpan &Span : R.Timeline[I]) {
      std::string Name = csvText(treeName(R, R.Nodes[Span.Node]));
      Result += fmt::format("{},{},{},{},{},{},{}\n", R.Threads[I].Tid,
                            exactSeconds(Span.StartNs),
                            exactSeconds(Span.EndNs - Span.StartNs),
                            csvText(kindWord(R.Nodes[Span.Node].Kind)),
                            Span.Step < 0 ? "" : fmt::format("{}", Span.Step),
                            static_cast<int>(Span.Open), Name);
    }
  for (const GpuEvent &E : R.Gpu.Events) {
    std::string Name = E.isDeviceWork() || E.Function == None
                           ? deviceWorkName(R, E)
                           : R.Gpu.Functions[E.Function];
    Result +=
        fmt::format("{},{},{},{},,0,{}\n", trackOf(R, E),
                    exactSeconds(E.StartNs), exactSeconds(E.EndNs - E.StartNs),
                    csvText(gpuKindWord(E.Kind)), csvText(kernelName(Name)));
  }
  return Result;
}
