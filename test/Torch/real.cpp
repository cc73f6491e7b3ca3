// LibTorch's operators in each phase agree with the program's own observer; the losses
// equal the plain program's.
// REQUIRES: torch
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %gxx -std=c++17 -O1 -w %runtime_include %torch_include %s -o work %torch_libraries %runtime_lib
// RUN: env LOOPSCOPE=off ./work > plain
// RUN: env LOOPSCOPE=operators=on,report=none,output=on.loopscope ./work > on && cmp plain on
// RUN: loopscope report --view tree --format csv on.loopscope > tree.csv && %python %S/Inputs/check_operators.py plain < tree.csv
// RUN: env LOOPSCOPE=operators=top,trace,report=none,output=top.loopscope ./work > top && cmp plain top
#include <ATen/record_function.h>
#include <loopscope/hooks.h>
#include <torch/torch.h>

#include <cstdio>
#include <map>
#include <mutex>
#include <string>

static std::map<std::string, int> Seen[3];
static int Phase;

static std::unique_ptr<at::ObserverContext> count(const at::RecordFunction &F) {
  static std::mutex Mutex;
  std::lock_guard Lock(Mutex);
  ++Seen[Phase][F.name()];
  return nullptr;
}

int main() {
  at::addGlobalCallback(at::RecordFunctionCallback(count));
  torch::manual_seed(1);
  torch::set_num_threads(1);
  torch::nn::Sequential Net(torch::nn::Linear(20, 50), torch::nn::ReLU(),
                            torch::nn::Linear(50, 3));
  torch::optim::SGD Optimizer(Net->parameters(), 0.1);
  torch::Tensor Points = torch::randn({64, 20});
  torch::Tensor Labels = torch::randint(3, {64}, torch::kInt64);
  Seen[0].clear();
  for (int Step = 0; Step < 10; ++Step) {
    torch::Tensor Loss;
    {
      __LOOPSCOPE_SPAN(1, PHASE, "forward", 1, "main");
      Phase = 1;
      Loss = torch::nn::functional::cross_entropy(Net->forward(Points), Labels);
    }
    {
      __LOOPSCOPE_SPAN(2, PHASE, "backward", 2, "main");
      Phase = 2;
      Optimizer.zero_grad();
      Loss.backward();
    }
    Phase = 0;
    Optimizer.step();
    printf("loss %.9g\n", Loss.item<double>());
  }
  const char *Names[] = {"", "forward", "backward"};
  for (int P = 1; P < 3; ++P)
    for (const auto &[Name, Count] : Seen[P])
      printf("operator %s %d %s\n", Names[P], Count, Name.c_str());
}
