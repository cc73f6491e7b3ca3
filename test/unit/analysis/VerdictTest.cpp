// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each class of the verdict on the host, at its threshold and just below; and
// the share of short phases in the figures around them.

#include "Analysis/Verdict/Verdict.h"
#include "Analysis/Steps/OwnCpu.h"
#include "Analysis/Steps/PhaseTimes.h"
#include "Analysis/Thresholds.h"
#include "Analysis/Verdict/AccountUses.h"
#include "Analysis/Verdict/PhaseUses.h"
#include "Milliseconds.h"
#include "Run/Model/Metrics.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
// A phase of WALL milliseconds: CPU on the processor, STARVED on the run queue,
// with VOLUNTARY switches.
PhaseTime phase(const char *Name, int64_t Wall, int64_t Cpu,
                int64_t Starved = 0, uint64_t Voluntary = 1) {
  PhaseTime P;
  P.Name = Name;
  P.File = "/src/net.cpp";
  P.Line = 41;
  P.HostNs = Wall * Ms;
  P.HostCpu.MeasuredNs = P.HostCpu.StarvedOfNs = Wall * Ms;
  P.HostCpu.CpuNs = Cpu * Ms;
  P.HostCpu.StarvedNs = Starved * Ms;
  P.HostCpu.VoluntarySwitches = Voluntary;
  P.HostCpu.InvoluntarySwitches = 1;
  return P;
}

PhaseTime draw(int64_t Wall, int64_t Cpu) {
  PhaseTime P;
  PhaseTime Host = phase("draw", Wall, Cpu);
  P.Name = Host.Name;
  P.InputNs = Host.HostNs;
  P.InputCpu = Host.HostCpu;
  return P;
}

// Each phase is one call path.
void spend(PhaseTime &P) {
  P.InputUses = hostUseOf(P.InputNs, P.InputWaitNs, 0, P.InputCpu);
  P.HostUses = hostUseOf(P.HostNs, P.HostWaitNs, P.BlockedNs, P.HostCpu);
}

StepTime steps(std::vector<PhaseTime> Phases) {
  for (PhaseTime &Each : Phases)
    spend(Each);
  StepTime To;
  To.HasSteps = true;
  To.NoCpu = MissingCpu::Short;
  To.Phases = std::move(Phases);
  for (const PhaseTime &Each : To.Phases) {
    To.HostNs += Each.HostNs + Each.InputNs;
    To.InputNs += Each.InputNs;
    To.BlockedNs += Each.BlockedNs;
  }
  To.DeviceNs = To.HostNs;
  To.InputIdleNs = To.InputNs;
  return To;
}

std::string classOf(const StepTime &Of) {
  Verdict V = verdictOf(Of);
  return V.Class + ": " + V.Phase;
}

std::string lineOf(const StepTime &Of) { return verdictOf(Of).line(); }

// A tree of root, train, and step with draw and batch; tests add more.
struct Tree {
  loopscope::Run R;
  uint32_t Batch = 0;

  Tree() {
    R.Threads.push_back({});
    R.Threads[0].IsMain = true;
    R.Threads[0].Root = 0;
    uint32_t Root = add(None, LOOPSCOPE_KIND_ROOT, "", 100);
    uint32_t Train = add(Root, LOOPSCOPE_KIND_TRAIN, "train", 100);
    uint32_t Step = add(Train, LOOPSCOPE_KIND_STEP, "train", 100);
    add(Step, LOOPSCOPE_KIND_DRAW, "train", 0);
    Batch = add(Step, LOOPSCOPE_KIND_BATCH, "train", 100);
  }

  uint32_t add(uint32_t Parent, loopscope_kind Kind, const char *Name,
               int64_t Wall) {
    auto I = static_cast<uint32_t>(R.Nodes.size());
    Node N;
    N.Parent = Parent;
    N.Kind = Kind;
    N.InclusiveNs = Wall * Ms;
    if (Kind != LOOPSCOPE_KIND_ROOT) {
      N.Site = static_cast<uint32_t>(R.Sites.size());
      R.Sites.push_back({Kind, Name, "net.cpp", "main", I});
    }
    R.Nodes.push_back(N);
    if (Parent != None)
      R.Nodes[Parent].Children.push_back(I);
    return I;
  }

  void measure(uint32_t Node, int64_t Wall, int64_t Cpu, uint64_t Faults = 0) {
    CpuSums &S = R.Nodes[Node].Cpu;
    S.MeasuredNs = Wall * Ms;
    S.CpuNs = Cpu * Ms;
    S.MinorFaults = Faults;
  }

  PhaseTime operator[](const std::string &Name) const {
    for (const PhaseTime &Each : phaseTimes(R))
      if (Each.Name == Name)
        return Each;
    return {};
  }
};
} // namespace

TEST(Verdict, ComputingIsShown) {
  EXPECT_EQ(lineOf(steps(
                {phase("forward", 49, 48), phase("save", 51, 3), draw(0, 0)})),
            "Verdict: compute-bound in forward (net.cpp:41), which takes "
            "49.0% of the step time, 98.0% of that on the CPU. The "
            "whole step time is 51.0% on the CPU, 49.0% waiting.");
  EXPECT_EQ(classOf(steps({phase("forward", 48, 48), phase("save", 52, 0)})),
            "blocked: save");
}

TEST(Verdict, LargestUseOfTheSteps) {
  // Two working phases together take more than the waiting one.
  EXPECT_EQ(classOf(steps(
                {phase("a", 25, 25), phase("b", 30, 30), phase("c", 45, 0)})),
            "compute-bound: b");
  EXPECT_EQ(lineOf(steps({phase("a", 20, 20), phase("b", 30, 30),
                          phase("c", 50, 0, 0, 7)})),
            "Verdict: blocked in c (net.cpp:41), which takes 50.0% of the step "
            "time, 100.0% of that waiting off the CPU, 7 times. The "
            "whole step time is 50.0% on the CPU, 50.0% waiting.");
}

TEST(Verdict, ReadinessThatWasNotRead) {
  // Beside other programs, a thread that sleeps often may be ready for most of
  // that time.
  PhaseTime P = phase("pause", 50, 0, 0, 70);
  P.HostCpu.StarvedOfNs = 0;
  EXPECT_EQ(lineOf(steps({phase("work", 30, 30), P})),
            "Verdict: blocked in pause (net.cpp:41), which takes 62.5% of the "
            "step time, 100.0% of that off the CPU, which it left by itself 70 "
            "times. How long it was ready to run isn't known. The whole step "
            "time is 37.5% on the CPU, 62.5% waiting or ready to run.");
}

TEST(Verdict, StarvedFromAQuarter) {
  auto With = [](int64_t Starved) {
    return steps({phase("forward", 1000, 1000 - Starved, Starved)});
  };
  EXPECT_EQ(classOf(With(static_cast<int64_t>(StarvedBound * 1000))),
            "starved: forward");
  EXPECT_EQ(classOf(With(static_cast<int64_t>(StarvedBound * 1000) - 1)),
            "compute-bound: forward");
  // Doesn't apply if the thread waits for longer.
  EXPECT_EQ(classOf(steps({phase("forward", 100, 39, 30)})),
            "compute-bound: forward");
  EXPECT_EQ(classOf(steps({phase("forward", 100, 10, 44)})),
            "blocked: forward");
  EXPECT_EQ(classOf(steps({phase("forward", 100, 10, 45)})),
            "starved: forward");
}

TEST(Verdict, CommunicationIsPartOfTheStepTime) {
  PhaseTime Reduce = phase("allreduce", 20, 0);
  Reduce.Communicates = true;
  StepTime Of = steps({phase("forward", 80, 60, 20), Reduce});
  Of.CommunicationNs = 20 * Ms;
  EXPECT_EQ(lineOf(Of),
            "Verdict: compute-bound in forward (net.cpp:41), which takes "
            "80.0% of the step time, 75.0% of that on the CPU. The "
            "whole step time is 60.0% on the CPU, 20.0% without a "
            "CPU, 20.0% communicating.");
}

TEST(Verdict, PreemptionIsStarvation) {
  // It never waited, so all time off the processor was taken from it, run queue
  // or not.
  EXPECT_EQ(classOf(steps({phase("forward", 100, 70, 5, 0)})),
            "starved: forward");
  PhaseTime NoQueue = phase("forward", 100, 70, 0, 0);
  NoQueue.HostCpu.StarvedOfNs = 0;
  EXPECT_EQ(classOf(steps({NoQueue})), "starved: forward");
}

TEST(Verdict, WithoutTheRunQueue) {
  auto With = [](uint64_t Voluntary, uint64_t Involuntary) {
    PhaseTime P = phase("wait", 100, 10);
    P.HostCpu.StarvedOfNs = 0;
    P.HostCpu.VoluntarySwitches = Voluntary;
    P.HostCpu.InvoluntarySwitches = Involuntary;
    return steps({P});
  };
  auto Few = static_cast<uint64_t>(FewPushedOff * 100);
  EXPECT_EQ(classOf(With(100, Few)), "blocked: wait");
  EXPECT_EQ(
      lineOf(With(100, Few + 1)),
      "Verdict: 100.0% of the step time is in wait (net.cpp:41); batches spent "
      "10.0% of the time on the CPU, and the rest is unexplained.");
}

TEST(Verdict, Throttled) {
  StepTime Of = steps({phase("forward", 1000, 500, 500)});
  EXPECT_EQ(classOf(Of), "starved: forward");
  Of.ThrottledNs = 250 * Ms;
  EXPECT_EQ(classOf(Of), "throttled: forward");
  Of.ThrottledNs = 250 * Ms - 1;
  EXPECT_EQ(classOf(Of), "starved: forward");
  // It must explain half of the time off the processor.
  Of = steps({phase("forward", 1000, 200, 800)});
  Of.ThrottledNs = 399 * Ms;
  EXPECT_EQ(classOf(Of), "starved: forward");
  Of.ThrottledNs = 400 * Ms;
  EXPECT_EQ(
      lineOf(Of),
      "Verdict: throttled in forward (net.cpp:41), which takes 100.0% of "
      "the step time, 80.0% of that off the CPU, and the control group's CPU "
      "limit held the process back for 40.0% of the step time. The whole step "
      "time is 20.0% on the CPU, 80.0% without a CPU.");
}

TEST(Verdict, FaultBound) {
  PhaseTime P = phase("allocate", 90, 90);
  P.HostCpu.MinorFaults = static_cast<uint64_t>(90 * Ms / LongestFaultNs);
  EXPECT_EQ(lineOf(steps({P, phase("forward", 10, 10)})),
            "Verdict: fault-bound in allocate (net.cpp:41), which takes "
            "90.0% of the step time, 100.0% of that in page faults (30000 "
            "of them, one per 3.00 µs of CPU time). The whole step time is "
            "10.0% on the CPU, 90.0% in page faults.");
  --P.HostCpu.MinorFaults;
  EXPECT_EQ(classOf(steps({P})), "compute-bound: allocate");
  // It reads memory from a disk.
  P = phase("gather", 100, 10, 0, 100);
  P.HostCpu.MajorFaults = 50;
  EXPECT_EQ(classOf(steps({P})), "fault-bound: gather");
  P.HostCpu.MajorFaults = 49;
  EXPECT_EQ(classOf(steps({P})), "blocked: gather");
}

TEST(Verdict, ProfilerBound) {
  PhaseTime Around = phase("forward", 500, 500);
  PhaseTime P = phase("tiny", 500, 500);
  Around.Spans = 10;
  P.Spans = 1000000;
  P.HookNs = 250 * Ms;
  EXPECT_EQ(
      lineOf(steps({Around, P})),
      "Verdict: profiler-bound in tiny (net.cpp:41), because Loopscope's own "
      "hooks take 25.0% of the step time. tiny has 1000000 spans of "
      "500 ns on average.");
  --P.HookNs;
  EXPECT_EQ(classOf(steps({Around, P})), "compute-bound: forward");
}

TEST(Verdict, InputBound) {
  EXPECT_EQ(lineOf(steps({draw(60, 30), phase("forward", 40, 40)})),
            "Verdict: input-bound in draw, because waiting for data takes "
            "60.0% of the step "
            "time. Batches take 40.0%. The wait for data is 50.0% on the CPU, "
            "50.0% waiting.");
  // Less than half, but more than anything else.
  EXPECT_EQ(classOf(steps(
                {draw(40, 0), phase("forward", 39, 39), phase("save", 21, 0)})),
            "input-bound: draw");
  EXPECT_EQ(classOf(steps(
                {draw(40, 0), phase("forward", 40, 40), phase("save", 20, 0)})),
            "compute-bound: forward");
}

// A draw of less than a microsecond is ++i, and not a wait for data.
TEST(Verdict, ShortDrawsAreNoWait) {
  PhaseTime Short = phase("forward", 40, 0);
  Short.HostCpu = {};
  PhaseTime Header = draw(60, 0);
  Header.InputCpu = {};
  StepTime Of = steps({Header, Short});
  Of.Steps = 60'000;
  EXPECT_EQ(classOf(Of), "input-bound: draw"); // 1 µs
  Of.Steps = 60'001;
  EXPECT_EQ(
      lineOf(Of),
      "Verdict: 40.0% of the step time is in forward (net.cpp:41); phases are "
      "too short to tell computing from waiting. Mark "
      "longer ones, or sample them with LOOPSCOPE=stacks. Batches take 40.0%, "
      "draws 60.0%.");
  Of = steps({draw(60, 60), phase("forward", 40, 40)});
  Of.Steps = 100'000;
  EXPECT_EQ(classOf(Of), "compute-bound: forward");
  Of.HasGpu = true;
  Of.KernelNs = Of.HostNs / 100 * 30;
  EXPECT_EQ(classOf(Of).find("input-bound"), std::string::npos);
  Of.Steps = 1;
  EXPECT_EQ(classOf(Of), "input-bound: draw");
}

TEST(Verdict, UnknownTimeWins) {
  PhaseTime Short = phase("short", 50, 0);
  Short.HostCpu = {};
  EXPECT_EQ(classOf(steps({phase("forward", 51, 51), Short})),
            "compute-bound: forward");
  EXPECT_EQ(lineOf(steps({phase("forward", 40, 40), Short, draw(10, 0)})),
            "Verdict: 50.0% of the step time is in short (net.cpp:41); phases "
            "are too short to tell computing from waiting. Mark "
            "longer ones, or sample them with "
            "LOOPSCOPE=stacks. Batches take 90.0%, waiting for data 10.0%.");
  StepTime Refused = steps({Short});
  Refused.NoCpu = MissingCpu::Refused;
  EXPECT_NE(lineOf(Refused).find(
                "; the kernel didn't report whether batches worked or waited."),
            std::string::npos);
}

// For a phase that waits for a device, only the excess time is known.
TEST(Verdict, WaitingForADeviceIsNotWork) {
  PhaseTime P = phase("forward", 100, 90);
  P.BlockedNs = 40 * Ms;
  spend(P);
  EXPECT_EQ(hostUse(P).Computing, 50 * Ms);
  EXPECT_EQ(hostUse(P).Waiting, 0);
  EXPECT_EQ(hostUse(P).Unknown, 10 * Ms);
  StepTime Of = steps({P});
  Of.HasGpu = true;
  Of.KernelNs = 20 * Ms;
  EXPECT_EQ(
      lineOf(Of),
      "Verdict: compute-bound in forward (net.cpp:41), which takes 100.0% "
      "of the step time, 50.0% of that on the CPU. The whole step time is "
      "50.0% on the CPU. Kernels run for 20.0%.");
  Of.Phases[0].HostCpu.CpuNs = 60 * Ms;
  spend(Of.Phases[0]);
  EXPECT_EQ(classOf(Of), "unknown: forward");
}

TEST(OwnCpu, ShortPhasesShareTheRest) {
  Tree T;
  T.measure(T.Batch, 100, 98);
  uint32_t Long = T.add(T.Batch, LOOPSCOPE_KIND_PHASE, "long", 40);
  T.add(T.Batch, LOOPSCOPE_KIND_PHASE, "short", 30);
  T.measure(Long, 40, 40);
  // 58 of the remaining 60 milliseconds, half of them in short phases.
  EXPECT_EQ(T["long"].HostCpu.CpuNs, 40 * Ms);
  EXPECT_EQ(T["short"].HostNs, 30 * Ms);
  EXPECT_EQ(T["short"].HostCpu.MeasuredNs, 30 * Ms);
  EXPECT_EQ(T["short"].HostCpu.CpuNs, 29 * Ms);
  EXPECT_EQ(T["batch"].HostCpu.CpuNs, 29 * Ms);
}

// Of two paths of a phase, one was pushed off the processor and the other
// waited; together, they would all have waited.
TEST(Verdict, UsesAreJudgedByCallPath) {
  Tree T;
  uint32_t Around = T.add(T.Batch, LOOPSCOPE_KIND_PHASE, "around", 40);
  uint32_t Waits = T.add(T.Batch, LOOPSCOPE_KIND_PHASE, "work", 60);
  uint32_t Pushed = T.add(Around, LOOPSCOPE_KIND_PHASE, "work", 40);
  T.R.Nodes[Pushed].Site = T.R.Nodes[Waits].Site;
  T.measure(Waits, 60, 10);
  T.R.Nodes[Waits].Cpu.VoluntarySwitches = 5;
  T.measure(Pushed, 40, 10);
  T.R.Nodes[Pushed].Cpu.InvoluntarySwitches = 5;
  for (uint32_t Each : {Waits, Pushed})
    T.R.Nodes[Each].Cpu.StarvedOfNs = T.R.Nodes[Each].Cpu.MeasuredNs;
  for (uint32_t I = 0; I < T.R.Nodes.size(); ++I)
    T.R.Nodes[I].SelfNs = ownNs(T.R, I);
  HostUse Use = hostUse(T["work"]);
  EXPECT_EQ(Use.Computing, 20 * Ms);
  EXPECT_EQ(Use.Starved, 30 * Ms);
  EXPECT_EQ(Use.Waiting, 50 * Ms);
  // The account's parts have the same.
  Account Of = accountOf(T.R);
  AccountUses Uses = accountUses(T.R, Of);
  TimeUses Sum{};
  for (const TimeUses &Each : Uses.Loops.at(0))
    addUses(Each, Sum);
  EXPECT_EQ(Sum[static_cast<size_t>(TimeUse::Computing)], 20 * Ms);
  EXPECT_EQ(Sum[static_cast<size_t>(TimeUse::Starved)], 30 * Ms);
  EXPECT_EQ(Sum[static_cast<size_t>(TimeUse::Waiting)], 50 * Ms);
}

TEST(OwnCpu, MixedUseIsNotAttributed) {
  Tree T;
  T.measure(T.Batch, 100, 60);
  T.add(T.Batch, LOOPSCOPE_KIND_PHASE, "a", 50);
  T.add(T.Batch, LOOPSCOPE_KIND_PHASE, "b", 40);
  // They count as the batch, which is measured.
  EXPECT_EQ(T["a"].HostNs, 0);
  EXPECT_EQ(T["b"].HostNs, 0);
  EXPECT_EQ(T["batch"].HostNs, 100 * Ms);
  EXPECT_EQ(T["batch"].HostCpu.CpuNs, 60 * Ms);
  // From nine tenths of one kind on, each phase has its share.
  T.measure(T.Batch, 100, 90);
  EXPECT_EQ(T["a"].HostCpu.CpuNs, 45 * Ms);
  T.measure(T.Batch, 100, 89);
  EXPECT_EQ(T["a"].HostNs, 0);
  T.measure(T.Batch, 100, 10);
  EXPECT_EQ(T["b"].HostCpu.CpuNs, 4 * Ms);
  // One phase may have all page faults.
  T.measure(T.Batch, 100, 100, 100 * Ms / LongestFaultNs + 1);
  EXPECT_EQ(T["a"].HostNs, 0);
}

// If only the loop is measured, it represents its steps, but not its draws,
// unless draws are too large a part to be neglected.
TEST(OwnCpu, DrawsAreSeparate) {
  for (int64_t Wall : {10, 11}) {
    Tree T;
    uint32_t Draw = T.Batch - 1;
    uint32_t Loop = T.Batch - 3;
    T.R.Nodes[T.Batch].InclusiveNs = (100 - Wall) * Ms;
    T.R.Nodes[Draw].InclusiveNs = Wall * Ms;
    T.measure(Loop, 100, 60);
    EXPECT_EQ(T["draw"].InputNs, Wall * Ms);
    EXPECT_EQ(T["draw"].InputCpu.MeasuredNs, 0);
    if (Wall == 10) {
      EXPECT_EQ(T[""].HostNs, 90 * Ms);
      EXPECT_EQ(T[""].HostCpu.CpuNs, 54 * Ms);
    } else {
      EXPECT_EQ(T["batch"].HostNs, 89 * Ms);
      EXPECT_EQ(T["batch"].HostCpu.MeasuredNs, 0);
    }
  }
}

TEST(OwnCpu, MeasuredSpansRepresentAll) {
  Tree T;
  T.measure(T.Batch, 50, 25);
  EXPECT_EQ(T["batch"].HostCpu.CpuNs, 50 * Ms);
  // Less than half of them isn't enough.
  T.measure(T.Batch, 49, 25);
  EXPECT_EQ(T["batch"].HostCpu.MeasuredNs, 0);
}

// From samples while the main thread was in a step.
TEST(Throttling, IsAShareOfTheSteps) {
  Tree T;
  T.R.WallNs = 100 * Ms;
  T.R.Devices.Metrics.resize(2);
  T.R.Devices.Metrics[0].Kind = findMetricKind("process_cpu_percent");
  T.R.Devices.Metrics[1].Kind = findMetricKind("cpu_throttled_percent");
  T.R.Devices.Sums.push_back({0, T.Batch, 4, 400, 100, 100});
  EXPECT_LT(throttledPart(T.R), 0);
  EXPECT_LT(stepTimeOfSums(T.R).ThrottledNs, 0);
  T.R.Devices.Sums.push_back({1, T.Batch, 3, 150, 0, 100});
  T.R.Devices.Sums.push_back({1, T.Batch - 1, 1, 10, 10, 10}); // the draw
  T.R.Devices.Sums.push_back({1, None, 2, 200, 100, 100});
  EXPECT_DOUBLE_EQ(throttledPart(T.R), 0.4);
  EXPECT_EQ(stepTimeOfSums(T.R).ThrottledNs, 40 * Ms);
  // Several processors at once.
  T.R.Devices.Sums.push_back({1, T.Batch, 4, 1600, 400, 400});
  EXPECT_EQ(stepTimeOfSums(T.R).ThrottledNs, 100 * Ms);
}
