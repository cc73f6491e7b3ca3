// Operators in phases, outside phases, on another thread, with an exception passing
// through, asynchronous, containing phases, and with too many names.
#include "fake_torch.h"

#include <loopscope/hooks.h>

#include <cstdio>
#include <stdexcept>
#include <string>
#include <thread>

static void custom() {
  at::RecordFunction Op("mine::custom");
  __LOOPSCOPE_SPAN(5, PHASE, "inside", 5, "custom");
  run_operator("aten::relu", nullptr, 2);
}

static void fail() {
  at::RecordFunction Op("aten::fails");
  at::RecordFunction Inner("aten::throws");
  throw std::runtime_error("expected");
}

int main() {
  std::unique_ptr<at::RecordFunction> Async;
  {
    __LOOPSCOPE_SPAN(1, PHASE, "forward", 1, "main");
    run_operator("aten::linear", "aten::addmm", 100);
    custom();
    try {
      fail();
    } catch (const std::exception &E) {
      puts(E.what());
    }
    run_operator("aten::after", nullptr, 3);
    Async = std::make_unique<at::RecordFunction>("c10d::all_reduce", true);
  }
  {
    __LOOPSCOPE_SPAN(2, PHASE, "backward", 2, "main");
    std::thread Other([&] {
      run_operator("AddmmBackward0", "aten::mm", 7);
      Async->end();
    });
    Other.join();
    run_operator("aten::add_", nullptr, 5);
  }
  run_operator("aten::outside", nullptr, 4);
#ifdef MANY
  __LOOPSCOPE_SPAN(3, PHASE, "many", 3, "main");
  for (int I = 0; I < 3000; ++I)
    run_operator(("op " + std::to_string(I)).c_str(), nullptr, 1);
#endif
}
