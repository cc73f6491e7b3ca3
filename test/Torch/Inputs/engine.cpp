// Backward passes whose tasks run on their own thread, as autograd's do for a
// GPU.
#include "fake_torch.h"

#include <loopscope/hooks.h>

#include <functional>
#include <future>
#include <pthread.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

static const char *Task = "autograd::engine::evaluate_function: MmBackward0";
static bool IsNamed;

// Runs WHAT, then ends.
static void onThread(const std::function<void()> &What) {
  std::thread Other(What);
  Other.join();
}

// The engine's thread: runs tasks while the main thread waits.
class Engine {
public:
  Engine() : Thread([this] { work(); }) {}
  ~Engine() {
    run(nullptr);
    Thread.join();
  }
  void run(std::function<void()> What) {
    std::promise<void> End;
    Work.set_value({std::move(What), &End});
    End.get_future().wait();
  }

private:
  struct Order {
    std::function<void()> What;
    std::promise<void> *End;
  };
  void work() {
    if (IsNamed)
      pthread_setname_np(pthread_self(), "pt_autograd_0");
    for (bool IsLast = false; !IsLast;) {
      Order Next = Work.get_future().get();
      Work = {};
      IsLast = !Next.What;
      if (!IsLast)
        Next.What();
      Next.End->set_value();
    }
  }
  std::promise<Order> Work;
  std::thread Thread;
};

static void custom() {
  at::RecordFunction Op(Task);
  __LOOPSCOPE_SPAN(5, PHASE, "custom", 5, "custom");
  run_operator("aten::sin", nullptr, 1);
}

int main(int Count, char **) {
  IsNamed = Count == 1;
  {
    Engine Autograd;
    {
      __LOOPSCOPE_SPAN(1, PHASE, "forward", 1, "main");
      run_operator("aten::linear", nullptr, 1);
    }
    Autograd.run([] { run_operator(Task, "aten::mm", 3); });
    for (int I = 0; I < 2; ++I) {
      __LOOPSCOPE_SPAN(2, PHASE, "backward", 2, "main");
      Autograd.run([] { run_operator(Task, "aten::mm", 4); });
      if (I == 0)
        Autograd.run([] {
          custom();
          run_operator("aten::copy_", nullptr, 1);
        });
      else
        onThread([&] {
          __LOOPSCOPE_SPAN(3, PHASE, "second", 3, "main");
          run_operator("aten::relu", nullptr, 1);
          Autograd.run([] { run_operator(Task, "aten::mm", 4); });
        });
    }
    __LOOPSCOPE_SPAN(4, PHASE, "step", 4, "main");
    {
      __LOOPSCOPE_SPAN(6, PHASE, "backward", 6, "main");
      Autograd.run([] { run_operator(Task, "aten::mm", 5); });
    }
  }
  if (fork() == 0) {
    Engine Autograd;
    __LOOPSCOPE_SPAN(7, PHASE, "child", 7, "main");
    run_operator("aten::neg", nullptr, 1);
    Autograd.run([] { run_operator(Task, "aten::mm", 2); });
    return 0;
  }
  return wait(nullptr) < 0;
}
