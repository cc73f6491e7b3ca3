// Threads that run operators in random order, one at a time: callers with phases,
// engines, loaders; served SEED STEPS. Prints how often each path of phases and
// operators should be recorded, by the rule in the guide.
#include "fake_torch.h"

#include <loopscope/loopscope.h>

#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <map>
#include <mutex>
#include <pthread.h>
#include <random>
#include <string>
#include <thread>
#include <vector>

// A thread that executes tasks on request, while the requester waits.
class Actor {
public:
  explicit Actor(std::string Name) : Name(std::move(Name)) {
    Thread = std::thread([this] { serve(); });
  }
  ~Actor() {
    tell(nullptr);
    Thread.join();
  }
  void tell(std::function<void()> What) {
    std::unique_lock Lock(Mutex);
    Order = std::move(What);
    HasOrder = true;
    Changed.notify_all();
    Changed.wait(Lock, [this] { return !HasOrder; });
  }

private:
  void serve() {
    pthread_setname_np(pthread_self(), Name.c_str());
    for (bool IsLast = false; !IsLast;) {
      std::unique_lock Lock(Mutex);
      Changed.wait(Lock, [this] { return HasOrder; });
      IsLast = !Order;
      if (!IsLast)
        Order();
      HasOrder = false;
      Changed.notify_all();
    }
  }
  std::string Name;
  std::mutex Mutex;
  std::condition_variable Changed;
  std::function<void()> Order;
  bool HasOrder = false;
  std::thread Thread;
};

static const loopscope_site Sites[] = {
    LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "forward", 1, "f"),
    LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "backward", 2, "f"),
    LOOPSCOPE_SITE(LOOPSCOPE_KIND_WAIT, "gather", 3, "f")};

// A thread and its expected records.
struct Person {
  enum { Main, User, Engine, Loader } Kind;
  std::string Name;
  std::unique_ptr<Actor> Does; // null: the main thread
  bool IsCaller = false;
  std::vector<const char *> Phases;
  std::vector<loopscope_token> Tokens;

  void run(const std::function<void()> &What) {
    Does ? Does->tell(What) : What();
  }
};

static std::map<std::string, int> Truth;

static void count(std::string Path, const std::string &Name,
                  const std::string &Inner, int Times) {
  Truth[Path += "/" + Name] += Times;
  if (!Inner.empty())
    Truth[Path + "/" + Inner] += Times;
}

static std::string pathOf(const Person &P) {
  std::string Path;
  for (const char *Each : P.Phases)
    Path += std::string("/") + Each;
  return Path;
}

int main(int, char **Arguments) {
  std::mt19937 Random(atoi(Arguments[1]));
  auto Choose = [&](unsigned Count) { return unsigned(Random() % Count); };
  loopscope_leave(loopscope_enter(&Sites[0])); // LibTorch is noticed here
  std::vector<Person> People(7);
  People[0] = {Person::Main, "main", nullptr, false, {}, {}};
  auto Start = [&](int I, decltype(Person::Kind) Kind, const char *Name) {
    People[I] = {Kind, Name, std::make_unique<Actor>(Name), false, {}, {}};
  };
  Start(1, Person::Engine, "pt_autograd_0");
  Start(2, Person::Engine, "pt_autograd_1");
  Start(3, Person::Loader, "loader");
  Start(4, Person::User, "user A");
  Start(5, Person::User, "user B");
  Start(6, Person::User, "user C");
  const std::string Task = "autograd::engine::evaluate_function: AddBackward0";
  // Each engine begins with a task, and the loader with something else.
  for (Person *P : {&People[1], &People[2], &People[3]}) {
    std::string First = P->Kind == Person::Engine ? Task : "aten::stack";
    P->run([&] { run_operator(First.c_str(), nullptr, 1); });
    count("", First, "", 1);
  }
  unsigned Users = 1 + Choose(4); // number of participants
  for (int Step = atoi(Arguments[2]); Step > 0; --Step) {
    unsigned Who = Choose(4 + Users - 1);
    Person &P = People[Who];
    bool Works = P.Kind == Person::Engine || P.Kind == Person::Loader;
    unsigned What = Works ? 9 : Choose(10);
    if (What < 3 && P.Phases.size() < 3) {
      unsigned Which = Choose(3);
      P.Phases.push_back(Sites[Which].__name);
      P.run([&] { P.Tokens.push_back(loopscope_enter(&Sites[Which])); });
    } else if (What < 6 && !P.Phases.empty()) {
      P.run([&] { loopscope_leave(P.Tokens.back()); });
      P.Phases.pop_back();
      P.Tokens.pop_back();
    } else if (What == 6 && P.Kind == Person::User && Choose(4) == 0) {
      std::string Name = P.Name;
      Start(int(Who), Person::User, Name.c_str());
    } else if (What >= 7) {
      int Times = 1 + int(Choose(3));
      std::string Name = !Works              ? "aten::linear"
                         : Choose(4) != 0    ? Task
                         : Choose(2) != 0    ? "aten::copy_"
                                             : "AccumulateGrad";
      std::string Inner = Choose(2) != 0 ? "aten::mm" : "";
      std::string Path = pathOf(P);
      if (P.Kind == Person::Engine) {
        Person *Caller = nullptr;
        int Callers = 0;
        for (Person &Each : People)
          if (Each.IsCaller) {
            Caller = &Each;
            ++Callers;
          }
        if (Callers == 1 && !Caller->Phases.empty()) {
          Path = "/" + std::string(Caller->Phases.back()) + " (on " + P.Name + ")";
          Truth[Path] += Times;
        }
      }
      P.run([&] {
        run_operator(Name.c_str(), Inner.empty() ? nullptr : Inner.c_str(), Times);
      });
      count(Path, Name, Inner, Times);
      P.IsCaller |= P.Kind == Person::Main ||
                    (P.Kind == Person::User && !P.Phases.empty());
    }
  }
  for (Person &P : People)
    while (!P.Tokens.empty()) {
      P.run([&] { loopscope_leave(P.Tokens.back()); });
      P.Tokens.pop_back();
    }
  for (const auto &[Path, Count] : Truth)
    printf("%d %s\n", Count, Path.c_str());
}
