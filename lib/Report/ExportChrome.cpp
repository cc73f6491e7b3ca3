// PyTorch's trace format.
#include "Report/Export.h"

#include "Profile/SelectThread.h"
#include "Report/PathTree.h"
#include "Report/StepTimeline.h"

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include <algorithm>

using namespace loopscope;

namespace {
constexpr int64_t NsPerUs = 1000;

std::string quoted(const std::string &Text) {
  return nlohmann::json(Text).dump();
}

bool isTrainingStep(const Profile &P, const Node &N) {
  return N.Kind == LOOPSCOPE_KIND_STEP && N.Parent != None &&
         P.Nodes[N.Parent].Kind == LOOPSCOPE_KIND_TRAIN;
}

// What readers of PyTorch's traces understand: steps and data loading have
// names of their own there.
std::string traceName(const Profile &P, const TimelineSpan &Span,
                      bool HasTraining) {
  const Node &N = P.Nodes[Span.Node];
  if (N.Kind == LOOPSCOPE_KIND_STEP && Span.Step >= 0 &&
      (isTrainingStep(P, N) || !HasTraining))
    return fmt::format("ProfilerStep#{}", Span.Step);
  if (N.Kind == LOOPSCOPE_KIND_DRAW)
    return "enumerate(DataLoader)#loopscope.__next__";
  return spanName(P, Span);
}

bool isOperator(const Node &N) {
  return N.Kind == LOOPSCOPE_KIND_PHASE || N.Kind == LOOPSCOPE_KIND_FUNCTION;
}

class Writer {
public:
  explicit Writer(const Profile &P) : P(P) {
    for (const Node &N : P.Nodes)
      HasTraining |= isTrainingStep(P, N);
  }
  std::string write();

private:
  void writeHead();
  void writeThread(const Thread &T);
  void writeSpan(const Thread &T, const TimelineSpan &Span);

  const Profile &P;
  bool HasTraining = false;
  uint64_t NextId = 1;
  std::string Out;
};
} // namespace

void Writer::writeHead() {
  // HTA finds the rank by its text: the blank after the colon matters.
  Out = fmt::format("{{\n\"schemaVersion\": 1,\n\"deviceProperties\": [],\n"
                    "\"distributedInfo\": {{\"backend\": \"none\", \"rank\": "
                    "{}, \"world_size\": {}}},\n\"displayTimeUnit\": \"ms\",\n"
                    "\"baseTimeNanoseconds\": {},\n\"traceEvents\": [\n",
                    std::max(P.Rank, 0), std::max(P.WorldSize, 1),
                    P.StartRealtimeNs);
  Out += fmt::format("{{\"ph\": \"M\", \"name\": \"process_name\", \"pid\": "
                     "{}, \"tid\": 0, \"ts\": 0, \"args\": {{\"name\": {}}}}}",
                     P.Pid, quoted(programName(P)));
}

void Writer::writeThread(const Thread &T) {
  Out += fmt::format(",\n{{\"ph\": \"M\", \"name\": \"thread_name\", \"pid\": "
                     "{}, \"tid\": {}, \"ts\": 0, \"args\": {{\"name\": {}}}}}",
                     P.Pid, T.Tid, quoted(threadName(T)));
}

void Writer::writeSpan(const Thread &T, const TimelineSpan &Span) {
  const Node &N = P.Nodes[Span.Node];
  // Both ends rounded down: spans nest as they did.
  int64_t Start = Span.StartNs / NsPerUs;
  int64_t End = Span.EndNs / NsPerUs;
  Out += fmt::format(",\n{{\"ph\": \"X\", \"cat\": \"{}\", \"name\": {}, "
                     "\"pid\": {}, \"tid\": {}, \"ts\": {}, \"dur\": {}, "
                     "\"args\": {{\"External id\": {}}}}}",
                     isOperator(N) ? "cpu_op" : "user_annotation",
                     quoted(traceName(P, Span, HasTraining)), P.Pid, T.Tid,
                     Start, End - Start, NextId++);
}

std::string Writer::write() {
  writeHead();
  for (size_t I = 0; I < P.Timeline.size(); ++I) {
    if (P.Timeline[I].empty())
      continue;
    writeThread(P.Threads[I]);
    const std::vector<TimelineSpan> &Spans = P.Timeline[I];
    std::vector<size_t> Steps = stepsOf(P, Spans);
    for (size_t Each = 0; Each < Spans.size(); ++Each)
      if (P.Nodes[Spans[Each].Node].Kind != LOOPSCOPE_KIND_STEP ||
          std::binary_search(Steps.begin(), Steps.end(), Each))
        writeSpan(P.Threads[I], Spans[Each]);
  }
  return std::move(Out) + "\n]\n}\n";
}

std::string loopscope::exportChrome(const Profile &P) {
  return Writer(P).write();
}
