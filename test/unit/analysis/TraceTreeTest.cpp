// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Trees and timelines of random traces, in which steps begin and end anywhere.

#include "Run/Model/CallTree.h"
#include "Run/Model/DeviceLanes.h"
#include "TraceBuilder.h"

#include <gtest/gtest.h>

#include <map>
#include <random>
#include <set>
#include <string>

using namespace loopscope;

namespace {
// Times are in tens of microseconds, because one may be rounding.
constexpr int64_t Unit = 10;
constexpr int64_t Length = 400;

class Random {
public:
  explicit Random(unsigned Seed) : Numbers(Seed) {}

  Run trace() {
    addCalls(0, Length, 0);
    addSteps();
    Run Result;
    Result.By = &PyTorchProfiler;
    Result.Stream = Builder.read();
    return Result;
  }

private:
  int64_t below(int64_t Past) {
    return std::uniform_int_distribution<int64_t>(0, Past - 1)(Numbers);
  }

  void addCalls(int64_t Start, int64_t End, int Depth) {
    constexpr TraceKind Kinds[] = {TraceKind::Operator, TraceKind::Annotation,
                                   TraceKind::Function};
    while (Depth < 5 && End - Start > 2) {
      int64_t From = Start + below(End - Start - 1);
      int64_t To = From + 1 + below(End - From);
      Builder.host(Kinds[below(3)],
                   std::string(1, static_cast<char>('a' + below(6))),
                   From * Unit, (To - From) * Unit);
      addCalls(From, To, Depth + 1);
      Start = To;
    }
  }

  void addSteps() {
    int Number = 0;
    for (int64_t At = below(30); At < Length;) {
      int64_t Took = 1 + below(80);
      Builder.step("ProfilerStep#" + std::to_string(Number++), At * Unit,
                   Took * Unit);
      At += Took + (below(2) == 0 ? 0 : below(10));
    }
  }

  std::mt19937 Numbers;
  TraceBuilder Builder;
};

struct Sum {
  int64_t Ns = 0;
  uint64_t Calls = 0;
  bool operator==(const Sum &) const = default;
};
} // namespace

// Steps cut nothing: each name has all of its calls and all of its time. A call
// in another one of the same name may be merged, so operators may have fewer.
TEST(TraceTree, StepsCutNothing) {
  for (unsigned Seed = 0; Seed < 200; ++Seed) {
    loopscope::Run Of = Random(Seed).trace();
    std::map<std::string, Sum> Expected;
    std::map<std::string, Sum> Found;
    for (TraceEvent &Event : Of.Stream.Events) {
      if (Event.Kind == TraceKind::Operator)
        Event.Kind = TraceKind::Annotation;
      if (Event.Kind == TraceKind::Step)
        continue;
      Sum &To = Expected[std::string(Of.Stream.name(Event))];
      To.Ns += Event.Duration;
      ++To.Calls;
    }
    addTree(Of);
    for (const Node &N : Of.Nodes)
      if (N.Kind == LOOPSCOPE_KIND_PHASE || N.Kind == LOOPSCOPE_KIND_FUNCTION) {
        Sum &To = Found[Of.nameOf(N)];
        To.Ns += N.InclusiveNs;
        To.Calls += N.Spans.count();
      }
    EXPECT_EQ(Of.Lost.OverlappingEvents, 0U);
    EXPECT_EQ(Of.Lost.ClippedFrames, 0U);
    EXPECT_TRUE(Found == Expected) << "seed " << Seed;
    for (const Node &N : Of.Nodes)
      EXPECT_GE(N.SelfNs, 0) << "seed " << Seed;
  }
}

TEST(TraceTree, TimelineHasTheTimesOfTheTree) {
  size_t Cuts = 0;
  for (unsigned Seed = 0; Seed < 200; ++Seed) {
    loopscope::Run Of = Random(Seed).trace();
    // What overlaps without nesting is cut.
    std::mt19937 Numbers(Seed);
    for (TraceEvent &Event : Of.Stream.Events)
      if (Event.Kind != TraceKind::Step && Numbers() % 8 == 0)
        Event.Duration += static_cast<int64_t>(Numbers() % 20) * 1000;
    addTimeline(Of);
    std::set<std::pair<int64_t, int64_t>> Whole;
    for (const TraceEvent &Event : Of.Stream.Events)
      Whole.emplace(Event.Start - Of.Stream.start(),
                    Event.end() - Of.Stream.start());
    std::vector<int64_t> Ns(Of.Nodes.size());
    for (const std::vector<TimelineSpan> &Track : Of.Timeline) {
      std::vector<int64_t> Open;
      for (const TimelineSpan &Span : Track) {
        Ns[Span.Node] += Span.EndNs - Span.StartNs;
        Cuts += !Whole.contains({Span.StartNs, Span.EndNs});
        while (!Open.empty() && Open.back() <= Span.StartNs)
          Open.pop_back();
        if (!Open.empty()) {
          EXPECT_LE(Span.EndNs, Open.back()) << "seed " << Seed;
        }
        Open.push_back(Span.EndNs);
      }
    }
    for (size_t I = 0; I < Ns.size(); ++I) {
      loopscope_kind Kind = Of.Nodes[I].Kind;
      if (Kind != LOOPSCOPE_KIND_ROOT && Kind != LOOPSCOPE_KIND_TRAIN) {
        EXPECT_EQ(Ns[I], Of.Nodes[I].InclusiveNs)
            << "seed " << Seed << ", " << Of.nameOf(Of.Nodes[I]);
      }
    }
  }
  EXPECT_GT(Cuts, 1000U);
}
