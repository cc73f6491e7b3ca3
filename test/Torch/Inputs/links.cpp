// Forward and backward operators with sequence numbers like LibTorch's, and the expected
// links; links SEED STEPS. Prints each backward operator and how often it belongs to
// which forward one.
#include "fake_torch.h"

#include <loopscope/hooks.h>
#include <loopscope/torch_facts.h>

#include <cstdio>
#include <cstdlib>
#include <deque>
#include <functional>
#include <map>
#include <random>
#include <string>
#include <thread>

// Like torch_facts.cpp with LibTorch's headers.
static void describe(const void *Function, loopscope_torch_operator *Into) {
  const auto &Is = *static_cast<const at::RecordFunction *>(Function);
  *Into = {Is.Sequence, Is.Thread, Is.ForwardThread};
}
static uint64_t hashInputs(const void *) { return 0; }
static void writeInputs(const void *, char *Text, size_t) { *Text = 0; }
static const loopscope_torch_facts Facts = {
    LOOPSCOPE_TORCH_FACTS_VERSION, FAKE_MAJOR, 13, 0, describe, hashInputs,
    writeInputs};
__attribute__((constructor)) static void attach() {
  loopscope_torch_attach(&Facts);
}

static void onThread(const std::function<void()> &What) {
  std::thread Other(What);
  Other.join();
}

// A node of the backward graph, and the forward operator that made it.
struct Task {
  std::string Backward, Forward;
  int64_t Sequence;
  uint64_t Thread;
};

static const char *Names[] = {"aten::addmm", "aten::relu", "aten::mul",
                              "aten::sum"};
static const char *Phases[] = {"forward", "loss"};

int main(int, char **Arguments) {
  std::mt19937 Random(atoi(Arguments[1]));
  std::map<std::string, std::map<std::string, int>> Truth;
  std::deque<Task> Graph;
  int64_t Next[3] = {}; // sequence numbers are per thread
  auto Forward = [&](uint64_t Thread) {
    const char *Phase = Phases[Random() % 2];
    auto Run = [&] {
      __LOOPSCOPE_SPAN(1, PHASE, "forward", 1, "main");
      std::string Name = Names[Random() % 4];
      int64_t Sequence = Next[Thread];
      // Operators without a node have the number of the next node, like the operators around
      // them.
      if (Random() % 2 != 0)
        at::RecordFunction("aten::detach", false, Sequence, Thread);
      at::RecordFunction Outer("aten::linear", false, Sequence, Thread);
      at::RecordFunction Inner(Name, false, Sequence, Thread);
      at::RecordFunction Below("aten::empty", false, -1, Thread);
      ++Next[Thread];
      Graph.push_back({Name + "Backward0", Name + " in forward", Sequence, Thread});
    };
    auto RunLoss = [&] {
      __LOOPSCOPE_SPAN(2, PHASE, "loss", 2, "main");
      int64_t Sequence = Next[Thread]++;
      at::RecordFunction Only("aten::nll_loss", false, Sequence, Thread);
      Graph.push_back({"NllBackward0", "aten::nll_loss in loss", Sequence, Thread});
    };
    if (Phase == Phases[0])
      Thread == 1 ? Run() : onThread(Run);
    else
      Thread == 1 ? RunLoss() : onThread(RunLoss);
  };
  auto Backward = [&](const Task &Of, bool OnOther) {
    auto Run = [&] {
      at::RecordFunction Outer("autograd::engine::evaluate_function: " + Of.Backward, false, -1, 9);
      at::RecordFunction Op(Of.Backward, false, Of.Sequence, 9, Of.Thread);
      at::RecordFunction Below("aten::mm", false, -1, 9);
    };
    OnOther ? onThread(Run) : Run();
    ++Truth[Of.Backward][Of.Forward];
  };
  { __LOOPSCOPE_SPAN(3, PHASE, "begin", 3, "main"); } // LibTorch is noticed here
  for (int Step = atoi(Arguments[2]); Step > 0; --Step) {
    for (int I = 1 + int(Random() % 6); I > 0; --I)
      Forward(1 + Random() % 2);
    __LOOPSCOPE_SPAN(4, PHASE, "backward", 4, "main");
    bool OnOther = Random() % 2;
    for (; !Graph.empty(); Graph.pop_back())
      if (Random() % 8 != 0) // some are never queried
        Backward(Graph.back(), OnOther);
  }
  // A number that was never used, and one that has been overwritten.
  Next[1] += 70000;
  Forward(1);
  at::RecordFunction("LostBackward0", false, Next[1] + 5, 9, 1).end();
  at::RecordFunction("LostBackward0", false, Next[1] - 1 - 65536, 9, 1).end();
  for (const auto &[Name, Forwards] : Truth)
    for (const auto &[Of, Count] : Forwards)
      printf("%d\t%s\t%s\n", Count, Name.c_str(), Of.c_str());
}
