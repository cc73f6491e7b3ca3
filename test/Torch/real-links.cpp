// LibTorch's backward operators name the forward ones that LibTorch's own profiler
// links them with: the latest forward operator with that thread and sequence
// number.
// REQUIRES: torch
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %gxx -std=c++17 -O1 -Wall -Wextra -Werror -c %runtime_include %torch_include %source_root/tool/cmake/torch_facts.cpp -o facts.o
// RUN: %gxx -std=c++17 -O1 -w %runtime_include %torch_include %s facts.o -o work %torch_libraries %runtime_lib
// RUN: env LOOPSCOPE=off ./work > plain
// RUN: env LOOPSCOPE=operators=on,report=none,output=on.loopscope ./work > on && cmp plain on
// RUN: %python %S/Inputs/check_links.py plain on.loopscope
#include <ATen/record_function.h>
#include <loopscope/hooks.h>
#include <torch/torch.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <string>
#include <utility>

static std::mutex Mutex;
static const char *Phase = "";
static std::map<std::pair<uint64_t, int64_t>, std::string> Forward;
static std::map<std::pair<std::string, std::string>, int> Links;

static std::unique_ptr<at::ObserverContext> see(const at::RecordFunction &F) {
  std::lock_guard Lock(Mutex);
  if (F.seqNr() < 0 || !*Phase)
    return nullptr;
  if (F.forwardThreadId() == 0)
    Forward[{F.threadId(), F.seqNr()}] =
        std::string(F.name()) + " in " + Phase;
  else if (auto Of = Forward.find({F.forwardThreadId(), F.seqNr()});
           Of != Forward.end())
    ++Links[{F.name(), Of->second}];
  return nullptr;
}

int main() {
  at::addGlobalCallback(at::RecordFunctionCallback(see));
  torch::manual_seed(1);
  torch::set_num_threads(1);
  torch::nn::Sequential Net(
      torch::nn::Conv1d(1, 4, 3), torch::nn::ReLU(), torch::nn::Flatten(),
      torch::nn::Linear(72, 50), torch::nn::LayerNorm(
          torch::nn::LayerNormOptions({50})), torch::nn::Tanh(),
      torch::nn::Linear(50, 3));
  torch::optim::SGD Optimizer(Net->parameters(), 0.1);
  torch::Tensor Points = torch::randn({64, 1, 20});
  torch::Tensor Labels = torch::randint(3, {64}, torch::kInt64);
  for (int Step = 0; Step < 10; ++Step) {
    torch::Tensor Out, Loss;
    {
      __LOOPSCOPE_SPAN(1, PHASE, "forward", 1, "main");
      Phase = "forward";
      Out = Net->forward(Points);
    }
    {
      __LOOPSCOPE_SPAN(2, PHASE, "loss", 2, "main");
      Phase = "loss";
      Loss = torch::nn::functional::cross_entropy(Out, Labels) +
             Out.pow(2).mean() * 0.01;
    }
    {
      __LOOPSCOPE_SPAN(3, PHASE, "backward", 3, "main");
      Phase = "backward";
      Optimizer.zero_grad();
      Loss.backward();
    }
    Phase = "";
    Optimizer.step();
    printf("loss %.9g\n", Loss.item<double>());
  }
  for (const auto &[Pair, Count] : Links)
    printf("%d\t%s\t%s\n", Count, Pair.first.c_str(), Pair.second.c_str());
}
