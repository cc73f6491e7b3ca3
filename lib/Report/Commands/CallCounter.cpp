// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that looks at the live profile, and breakpoints in the program.

#include "Report/Commands/CallCounter.h"

#include "Analysis/Samples/SampledProgram.h"
#include "Report/Commands/Breakpoint.h"
#include "Run/Read/AppendCalls.h"
#include "Run/Read/ProcessEnd.h"
#include "Run/Read/ProfileReader.h"
#include "Symbols/CallSites.h"
#include "Symbols/Symbols.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <csignal>
#include <filesystem>
#include <future>
#include <mutex>
#include <set>
#include <string_view>
#include <sys/resource.h>
#include <system_error>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace loopscope;
using Clock = std::chrono::steady_clock;

namespace {
constexpr size_t MostBreakpoints = 4; // of a thread
constexpr size_t MostThreads = 64;
// Fewer say too little about where the loop is.
constexpr uint64_t LeastSamples = 25;
// Of all calls together: at 20 microseconds each, they take 2 % of the time.
constexpr double CallsPerSecond = 1000;
// That may come at once, after fewer.
constexpr double CallsAtOnce = 200;

// A call in the source: the return addresses of its instructions.
using WantedCall = std::vector<uint64_t>;

// Where to count.
struct CountPlan {
  std::string Profile;
  int Pid = 0;
  std::set<int64_t> Threads;
  std::vector<WantedCall> Calls;

  bool covers(const CountPlan &Other) const {
    return Profile == Other.Profile &&
           std::includes(Threads.begin(), Threads.end(), Other.Threads.begin(),
                         Other.Threads.end()) &&
           std::includes(Calls.begin(), Calls.end(), Other.Calls.begin(),
                         Other.Calls.end());
  }
};

// All instructions of the call that PART's samples show; empty if there may be
// others.
std::vector<CodeAddress> allInstructions(const LoopPart &Part,
                                         const StackData &Of, Symbols &Names) {
  const std::vector<CodeAddress> &Seen = Part.Instructions;
  if (Seen.empty() || Seen.front().Object == LOOPSCOPE_NONE || Part.Line == 0)
    return {};
  const CodeObject &In = Of.Objects[Seen.front().Object];
  auto PlaceOf = [&](uint64_t Address) {
    SourceFrame At = Names.framesAt(In.Path, In.BuildId, Address).front();
    return std::pair(At.LineFile, At.Line);
  };
  constexpr size_t MostOfFunction = 256;
  std::vector<CodeAddress> Result;
  for (uint64_t Each :
       callsOfSameFunction(In.Path, Seen.front().Address, MostOfFunction))
    if (PlaceOf(Each) == std::pair(Part.File, Part.Line))
      Result.push_back({Seen.front().Object, Each});
  bool HasAll =
      std::includes(Result.begin(), Result.end(), Seen.begin(), Seen.end());
  return HasAll ? Result : std::vector<CodeAddress>();
}

// Whether the process that wrote R still runs and is the one that we know by
// its number: a container has numbers of its own.
bool isOurs(const Run &R) {
  std::error_code Failed;
  std::string Executable =
      std::filesystem::read_symlink(fmt::format("/proc/{}/exe", R.Pid), Failed);
  // A long path has lost its beginning.
  std::string_view Known = R.Program;
  if (constexpr std::string_view Cut = "..."; Known.starts_with(Cut))
    Known.remove_prefix(Cut.size());
  return R.Ended == End::Running && isHere(R) && !Failed && !Known.empty() &&
         Executable.ends_with(Known);
}

CountPlan planFor(const Run &R) {
  CountPlan Result{R.Path, R.Pid, {}, {}};
  SampledProgram Found = sampledProgram(R);
  const LoopCandidate *Loop = Found.likeliestLoop();
  if (Loop == nullptr || Loop->Count < LeastSamples ||
      Loop->ThreadIds.size() > MostThreads)
    return Result;
  Result.Threads = Loop->ThreadIds;
  size_t Left = MostBreakpoints;
  Symbols Names;
  for (const LoopPart &Part : Loop->Parts) {
    WantedCall Next;
    for (const CodeAddress &At : allInstructions(Part, R.Stacks, Names))
      Next.push_back(At.Address + 1 + R.Stacks.Objects[At.Object].Bias);
    if (Next.empty() || Next.size() > Left)
      continue;
    Left -= Next.size();
    Result.Calls.push_back(std::move(Next));
  }
  std::sort(Result.Calls.begin(), Result.Calls.end());
  return Result;
}

// The breakpoints of one instruction, on all threads.
struct Counted {
  uint64_t Return;
  uint32_t Group;
  std::vector<Breakpoint> On;

  uint64_t count() const {
    uint64_t Result = 0;
    for (const Breakpoint &Each : On)
      Result += Each.count();
    return Result;
  }
};

// Counting by a plan, until it is destroyed.
class Counting {
public:
  static std::unique_ptr<Counting> begin(CountPlan By) {
    std::unique_ptr<Counting> Result(new Counting(std::move(By)));
    return Result->set() ? std::move(Result) : nullptr;
  }

  const CountPlan &plan() const { return By; }

  /// Stops if the calls were too many up to now.
  void look() {
    Clock::time_point Now = Clock::now();
    uint64_t Count = count();
    double Seconds = std::chrono::duration<double>(Now - LastLook).count();
    Allowed = std::min(Allowed + CallsPerSecond * Seconds -
                           static_cast<double>(Count - LastCount),
                       CallsAtOnce);
    if (Allowed < 0 && !IsStopped)
      stop();
    LastLook = Now;
    LastCount = Count;
  }

  std::vector<loopscope_call_count> result() {
    uint32_t Flags = IsStopped ? LOOPSCOPE_CALLS_TOO_MANY : 0;
    if (!IsStopped)
      stop();
    auto Ns = std::chrono::duration_cast<std::chrono::nanoseconds>(End - Start);
    std::vector<loopscope_call_count> Result;
    for (const Counted &Each : All)
      Result.push_back({Each.Return, Each.count(),
                        static_cast<uint64_t>(Ns.count()), Each.Group, Flags});
    return Result;
  }

private:
  explicit Counting(CountPlan By) : By(std::move(By)) {}

  // All breakpoints, or none.
  bool set() {
    Start = LastLook = Clock::now();
    for (const WantedCall &Call : By.Calls)
      for (uint64_t Return : Call) {
        All.push_back(
            {Return, static_cast<uint32_t>(&Call - By.Calls.data()), {}});
        for (int64_t Thread : By.Threads) {
          auto Next = Breakpoint::set(static_cast<int>(Thread), Return);
          if (!Next)
            return false;
          All.back().On.push_back(std::move(*Next));
        }
      }
    return !All.empty();
  }

  void stop() {
    End = Clock::now();
    IsStopped = true;
    for (Counted &Each : All)
      for (Breakpoint &On : Each.On)
        On.stop();
  }

  uint64_t count() const {
    uint64_t Result = 0;
    for (const Counted &Each : All)
      Result += Each.count();
    return Result;
  }

  CountPlan By;
  std::vector<Counted> All;
  Clock::time_point Start, LastLook, End;
  uint64_t LastCount = 0;
  double Allowed = CallsAtOnce;
  bool IsStopped = false;
};
} // namespace

class CallCounter::Worker {
public:
  explicit Worker(std::function<std::vector<std::string>()> Profiles)
      : Profiles(std::move(Profiles)) {
    // The program's signals are for the thread that passes them on.
    sigset_t All, Before;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
    Thread = std::thread([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }

  void finish() {
    {
      std::lock_guard Locked(Mutex);
      IsDone = true;
    }
    Done.notify_all();
    if (Thread.joinable())
      Thread.join();
    if (Now)
      appendCalls(Now->plan().Profile, Now->plan().Pid, Now->result());
    Now.reset();
  }

private:
  // Waits; true: the program has ended.
  bool sleep(Clock::duration Time) {
    std::unique_lock Locked(Mutex);
    return Done.wait_for(Locked, Time, [this] { return IsDone; });
  }

  void work() {
    using namespace std::chrono_literals;
    constexpr Clock::duration LongestPause = 100ms;
    Clock::duration UntilSearch = 1s;
    Clock::time_point Begin = Clock::now();
    Clock::duration Pause = LongestPause;
    // A search may take seconds, in which calls may become too many.
    std::future<CountPlan> Searched;
    while (!sleep(Pause)) {
      if (Now)
        Now->look();
      Pause = std::min(2 * Pause, LongestPause);
      if (Searched.valid()) {
        if (Searched.wait_for(0s) == std::future_status::ready &&
            follow(Searched.get()))
          Pause = 5ms; // a first short look, in case there are too many
      } else if (Clock::now() - Begin >= UntilSearch) {
        UntilSearch *= 2;
        Searched = std::async(std::launch::async, [this] { return search(); });
      }
    }
  }

  // The plan for the first profile that gives one.
  CountPlan search() const {
    // Less urgent than the program.
    constexpr int Patient = 10;
    setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), Patient);
    for (const std::string &Path : Profiles()) {
      Result<Run> R = readProfile(Path);
      if (!R || !hasSamplesOnly(*R) || !isOurs(*R))
        continue;
      CountPlan Next = planFor(*R);
      if (!Next.Calls.empty())
        return Next;
    }
    return {};
  }

  // Whether counting began anew.
  bool follow(CountPlan Next) {
    if (Next.Calls.empty() || (Now && Now->plan().covers(Next)))
      return false;
    Now.reset(); // its breakpoints are in the way
    Now = Counting::begin(std::move(Next));
    return Now != nullptr;
  }

  std::function<std::vector<std::string>()> Profiles;
  std::unique_ptr<Counting> Now;
  std::mutex Mutex;
  std::condition_variable Done;
  bool IsDone = false;
  std::thread Thread;
};

CallCounter::CallCounter(std::function<std::vector<std::string>()> Profiles)
    : Of(std::make_unique<Worker>(std::move(Profiles))) {}

CallCounter::~CallCounter() { Of->finish(); }

void CallCounter::finish() { Of->finish(); }
