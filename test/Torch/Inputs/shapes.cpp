// Operators with random inputs, on several threads; shapes SEED CALLS.
// Prints how often each was called with which inputs, as the report should show it.
#include "fake_torch.h"

#include <loopscope/hooks.h>
#include <loopscope/torch_facts.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <map>
#include <random>
#include <string>
#include <thread>
#include <tuple>
#include <unistd.h>

// What torch_facts.cpp does with LibTorch's headers.
static const std::vector<at::Tensor> &inputsOf(const void *Function) {
  return static_cast<const at::RecordFunction *>(Function)->inputs();
}
static std::string shapesOf(const std::vector<at::Tensor> &Inputs) {
  std::string Text = "[";
  for (const at::Tensor &Each : Inputs) {
    Text += Text.size() == 1 ? "[" : ", [";
    for (size_t I = 0; I < Each.Sizes.size(); ++I)
      Text += (I == 0 ? "" : ", ") + std::to_string(Each.Sizes[I]);
    Text += "]";
  }
  return Text + "]";
}
static std::string typesOf(const std::vector<at::Tensor> &Inputs) {
  std::string Text = "[";
  for (const at::Tensor &Each : Inputs)
    Text += (Text.size() == 1 ? "" : ", ") + Each.Type;
  return Text + "]";
}
static void describe(const void *, loopscope_torch_operator *Into) {
  *Into = {-1, 1, 0};
}
static uint64_t hashInputs(const void *Function) {
  const auto &Inputs = inputsOf(Function);
  return std::hash<std::string>()(shapesOf(Inputs) + typesOf(Inputs));
}
static void writeInputs(const void *Function, char *Text, size_t Size) {
  const auto &Inputs = inputsOf(Function);
  snprintf(Text, Size, "%s %s", shapesOf(Inputs).c_str(),
           typesOf(Inputs).c_str());
}
static const loopscope_torch_facts Facts = {
    LOOPSCOPE_TORCH_FACTS_VERSION, 2, 13, 0, describe, hashInputs, writeInputs};
#ifndef WITHOUT_FACTS
__attribute__((constructor)) static void attach() {
  loopscope_torch_attach(&Facts);
}
#endif

static std::map<std::tuple<std::string, std::string, std::string>, int> Truth;

static void run(std::string Name, std::vector<at::Tensor> Inputs) {
  ++Truth[{Name, shapesOf(Inputs), typesOf(Inputs)}];
  at::RecordFunction Op(Name, false, -1, 1, 0, Inputs);
  usleep(20);
}

int main(int, char **Arguments) {
  std::mt19937 Random(atoi(Arguments[1]));
  auto Choose = [&](unsigned Count) { return unsigned(Random() % Count); };
  const char *Types[] = {"float", "long int", "c10::BFloat16", "Scalar", "-"};
  { __LOOPSCOPE_SPAN(1, PHASE, "begin", 1, "main"); }
  for (int I = atoi(Arguments[2]); I > 0; --I) {
    auto Call = [&] {
      __LOOPSCOPE_SPAN(2, PHASE, "forward", 2, "main");
      std::vector<at::Tensor> Inputs(Choose(3));
      for (at::Tensor &Each : Inputs) {
        Each.Type = Types[Choose(5)];
        if (Each.Type[0] != 'S' && Each.Type[0] != '-')
          Each.Sizes.resize(Choose(3));
        for (int64_t &Size : Each.Sizes)
          Size = 1 + Choose(2);
      }
      std::string Name = "aten::op" + std::to_string(Choose(40));
      at::RecordFunction Outer("aten::outer", false, -1, 1, 0,
                               {{{int64_t(Choose(3))}, "float"}});
      ++Truth[{"aten::outer", "", ""}]; // by its sum
      run(Name, std::move(Inputs));
    };
    if (Choose(4) == 0)
      std::thread(Call).join();
    else
      Call();
  }
  // More shapes than are kept apart.
  __LOOPSCOPE_SPAN(3, PHASE, "many", 3, "main");
  for (int I = 0; I < 100; ++I)
    for (int Times = 0; Times < 2; ++Times) {
      at::RecordFunction Op("aten::many", false, -1, 1, 0, {{{I}, "float"}});
    }
  for (const auto &[Key, Count] : Truth)
    printf("%d\t%s\t%s\t%s\n", Count, std::get<0>(Key).c_str(),
           std::get<1>(Key).c_str(), std::get<2>(Key).c_str());
}
