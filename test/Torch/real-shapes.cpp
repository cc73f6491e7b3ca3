// Operators by shape are those that LibTorch's own profiler records with
// record_shapes in the same program: shapes, types, calls.
// REQUIRES: torch
// RUN: rm -rf %t && mkdir %t && cd %t
// RUN: %gxx -std=c++17 -O1 -Wall -Wextra -Werror -c %runtime_include %torch_include %source_root/tool/cmake/torch_facts.cpp -o facts.o
// RUN: %gxx -std=c++17 -O1 -w %runtime_include %torch_include %s facts.o -o work %torch_libraries %runtime_lib
// RUN: env LOOPSCOPE=off ./work > plain
// RUN: env LOOPSCOPE=shapes=on,report=none,output=on.loopscope ./work > on && cmp plain on
// RUN: %python %S/Inputs/check_shapes.py plain on.loopscope
#include <loopscope/hooks.h>
#include <torch/csrc/autograd/profiler_kineto.h>
#include <torch/torch.h>

#include <cstdio>
#include <map>
#include <string>
#include <tuple>

namespace profiler = torch::autograd::profiler;

static void train() {
  torch::manual_seed(1);
  torch::set_num_threads(1);
  torch::nn::Sequential Net(torch::nn::Conv1d(1, 4, 3), torch::nn::ReLU(),
                            torch::nn::Flatten(), torch::nn::Linear(72, 50),
                            torch::nn::Tanh(), torch::nn::Linear(50, 3));
  torch::optim::SGD Optimizer(Net->parameters(), 0.1);
  for (int Step = 0; Step < 10; ++Step) {
    __LOOPSCOPE_SPAN(1, PHASE, "step", 1, "train");
    // The last batch is smaller.
    torch::Tensor Points = torch::randn({Step == 9 ? 20 : 64, 1, 20});
    torch::Tensor Labels = torch::randint(3, {Points.size(0)}, torch::kInt64);
    torch::Tensor Out = Net->forward(Points);
    torch::Tensor Loss = torch::nn::functional::cross_entropy(Out, Labels) +
                         torch::cat({Out, Out}).pow(2).mean() * 0.01 +
                         Out.to(torch::kBFloat16).sum().to(torch::kFloat);
    Optimizer.zero_grad();
    Loss.backward();
    Optimizer.step();
    printf("loss %.9g\n", Loss.item<double>());
  }
}

// As a list of Python's.
template <typename List, typename Function>
static std::string listOf(const List &Of, Function WordOf) {
  std::string Result = "[";
  for (const auto &Each : Of)
    Result += (Result.size() == 1 ? "" : ", ") + WordOf(Each);
  return Result + "]";
}

int main() {
  { __LOOPSCOPE_SPAN(2, PHASE, "begin", 2, "main"); } // LibTorch is noticed here
  profiler::ProfilerConfig Config(profiler::ProfilerState::KINETO,
                                  /*report_input_shapes=*/true);
  std::set<profiler::ActivityType> Activities = {profiler::ActivityType::CPU};
  profiler::prepareProfiler(Config, Activities);
  profiler::enableProfiler(Config, Activities);
  train();
  std::map<std::tuple<std::string, std::string, std::string>, int> Calls;
  auto Result = profiler::disableProfiler();
  for (const auto &E : Result->events())
    if (E.name().rfind("[memory]", 0) != 0)
      ++Calls[{E.name(),
               listOf(E.shapes(),
                      [](const auto &Shape) {
                        return listOf(Shape, [](int64_t Size) {
                          return std::to_string(Size);
                        });
                      }),
               listOf(E.dtypes(), [](const std::string &Type) {
                 return Type.empty() ? "??" : Type;
               })}];
  for (const auto &[Key, Count] : Calls)
    printf("%d\t%s\t%s\t%s\n", Count, std::get<0>(Key).c_str(),
           std::get<1>(Key).c_str(), std::get<2>(Key).c_str());
}
