// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A small convolutional network on synthetic digits, in LibTorch, with phases.
//
// usage: torch_operators compare|losses STEPS
//        torch_operators cost ROUNDS
//
// losses: prints each step's loss. compare: the same under PyTorch's own
// profiler, and its records: operator PHASE CALLS SELF_NS NAME. cost: ticks of
// an operator under an empty callback and under the callbacks of
// LOOPSCOPE=operators=on, and of a phase; each is a median of ROUNDS rounds.

#include "Harness.h"

#include <ATen/record_function.h>
#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <loopscope/hooks.h>
#include <map>
#include <string>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/torch.h>
#include <type_traits>
#include <vector>

namespace profiler = torch::autograd::profiler;

namespace {
struct Network : torch::nn::Module {
  Network()
      : First(torch::nn::Conv2dOptions(1, 8, 3)),
        Second(torch::nn::Conv2dOptions(8, 16, 3)), Last(16 * 5 * 5, 10) {
    register_module("first", First);
    register_module("second", Second);
    register_module("last", Last);
  }
  torch::Tensor forward(torch::Tensor X) {
    X = torch::relu(torch::max_pool2d(First(X), 2));
    X = torch::relu(torch::max_pool2d(Second(X), 2));
    return torch::log_softmax(Last(X.flatten(1)), 1);
  }
  torch::nn::Conv2d First, Second;
  torch::nn::Linear Last;
};

void train(int Steps) {
  torch::manual_seed(1);
  torch::set_num_threads(1);
  Network Net;
  torch::optim::SGD Optimizer(Net.parameters(), 0.01);
  torch::Tensor Images = torch::randn({64, 1, 28, 28});
  torch::Tensor Labels = torch::randint(10, {64}, torch::kInt64);
  for (int Step = 0; Step < Steps; ++Step) {
    torch::Tensor Loss;
    {
      __LOOPSCOPE_SPAN(1, PHASE, "forward", 1, "train");
      RECORD_USER_SCOPE("phase forward");
      Loss = torch::nll_loss(Net.forward(Images), Labels);
    }
    {
      __LOOPSCOPE_SPAN(2, PHASE, "backward", 2, "train");
      RECORD_USER_SCOPE("phase backward");
      Optimizer.zero_grad();
      Loss.backward();
    }
    {
      __LOOPSCOPE_SPAN(3, PHASE, "update", 3, "train");
      RECORD_USER_SCOPE("phase update");
      Optimizer.step();
    }
    std::printf("loss %.9g\n", Loss.item<double>());
  }
}

// The profiler's times are in nanoseconds since 2.2, in microseconds before.
template <typename Event>
auto startOf(const Event &E, int) -> decltype(E.startNs()) {
  return E.startNs();
}
template <typename Event> uint64_t startOf(const Event &E, long) {
  return E.startUs() * 1000;
}
template <typename Event>
auto durationOf(const Event &E, int) -> decltype(E.durationNs()) {
  return E.durationNs();
}
template <typename Event> uint64_t durationOf(const Event &E, long) {
  return E.durationUs() * 1000;
}

// By how much an event may seem to end early, ns: LibTorch 1.13 cuts starts and
// durations to whole microseconds, so that the last operators of a phase may
// seem to start after it.
template <typename Event> constexpr uint64_t rounding() {
  return requires(const Event &E) { E.startNs(); } ? 0 : 2000;
}

struct Sum {
  long Calls = 0;
  double SelfNs = 0;
};

struct Open {
  uint64_t End;
  std::string Name;
  bool IsPhase;
  double SelfNs;
};

class Summing {
public:
  explicit Summing(uint64_t Rounding) : Rounding(Rounding) {}

  void begin(uint64_t Start, uint64_t Duration, const std::string &Name) {
    closeUntil(Start);
    if (!Stack.empty() && !Stack.back().IsPhase)
      Stack.back().SelfNs -= static_cast<double>(Duration);
    bool IsPhase = Name.rfind("phase ", 0) == 0;
    Stack.push_back({Start + Duration + (IsPhase ? Rounding : 0),
                     IsPhase ? Name.substr(6) : Name, IsPhase,
                     static_cast<double>(Duration)});
  }
  void closeUntil(uint64_t Time) {
    while (!Stack.empty() && Stack.back().End <= Time) {
      Open Last = Stack.back();
      Stack.pop_back();
      if (Last.IsPhase)
        continue;
      for (size_t I = Stack.size(); I != 0; --I)
        if (Stack[I - 1].IsPhase) {
          Sum &S = Sums[{Stack[I - 1].Name, Last.Name}];
          ++S.Calls;
          S.SelfNs += Last.SelfNs;
          break;
        }
    }
  }
  std::map<std::pair<std::string, std::string>, Sum> Sums;

private:
  uint64_t Rounding;
  std::vector<Open> Stack;
};

void compare(int Steps) {
  profiler::ProfilerConfig Config(profiler::ProfilerState::KINETO);
  std::set<profiler::ActivityType> Activities = {profiler::ActivityType::CPU};
  profiler::prepareProfiler(Config, Activities);
  profiler::enableProfiler(Config, Activities);
  train(Steps);
  auto Result = profiler::disableProfiler();
  auto Events = Result->events();
  std::stable_sort(
      Events.begin(), Events.end(), [](const auto &A, const auto &B) {
        auto StartA = startOf(A, 0), StartB = startOf(B, 0);
        return StartA != StartB ? StartA < StartB
                                : durationOf(A, 0) > durationOf(B, 0);
      });
  Summing All(rounding<std::decay_t<decltype(Events.front())>>());
  for (const auto &E : Events)
    if (E.name().rfind("[memory]", 0) != 0)
      All.begin(startOf(E, 0), durationOf(E, 0), E.name());
  All.closeUntil(UINT64_MAX);
  for (const auto &[Key, S] : All.Sums)
    std::printf("operator %s %ld %.0f %s\n", Key.first.c_str(), S.Calls,
                S.SelfNs, Key.second.c_str());
}

std::unique_ptr<at::ObserverContext> nothing(const at::RecordFunction &) {
  return nullptr;
}
void nothingAtEnd(const at::RecordFunction &, at::ObserverContext *) {}

uint64_t runOperators(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I) {
    RECORD_FUNCTION("aten::probe", std::vector<c10::IValue>());
    bench::emptyBody();
  }
  return Spans;
}

uint64_t runPhases(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I) {
    __LOOPSCOPE_SPAN(4, PHASE, "probe", 4, "runPhases");
    bench::emptyBody();
  }
  return Spans;
}

double ticksOf(uint64_t (*Run)(uint64_t), int Rounds) {
  constexpr uint64_t Spans = 20000;
  std::vector<double> All;
  for (int I = 0; I < Rounds; ++I) {
    uint64_t Start = __builtin_ia32_rdtsc();
    Run(Spans);
    All.push_back(static_cast<double>(__builtin_ia32_rdtsc() - Start) / Spans);
  }
  std::nth_element(All.begin(), All.begin() + Rounds / 2, All.end());
  return All[Rounds / 2];
}

// No hook may run before the last line but two: until then Loopscope hasn't
// attached its own callback.
void cost(int Rounds) {
  double Bare = ticksOf(runOperators, Rounds);
  auto Handle =
      at::addGlobalCallback(at::RecordFunctionCallback(nothing, nothingAtEnd));
  double Empty = ticksOf(runOperators, Rounds);
  at::removeCallback(Handle);
  runPhases(1);
  double Ours = ticksOf(runOperators, Rounds);
  double Phase = ticksOf(runPhases, Rounds);
  double Body = ticksOf(bench::runFloor, Rounds);
  std::printf("bare %.1f empty %.1f ours %.1f phase %.1f floor %.1f\n", Bare,
              Empty, Ours, Phase, Body);
}
} // namespace

int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 2;
  int Number = std::atoi(Argv[2]);
  if (std::strcmp(Argv[1], "cost") == 0)
    cost(Number);
  else if (std::strcmp(Argv[1], "compare") == 0)
    compare(Number);
  else
    train(Number);
  return 0;
}
