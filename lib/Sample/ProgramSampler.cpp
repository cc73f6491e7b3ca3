// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A thread that reads the kernel's rings.

#include "Sample/ProgramSampler.h"

#include "Sample/CopiedStack.h"
#include "Sample/LoadedCode.h"
#include "Sample/PerfEvents.h"
#include "Sample/SampledProfile.h"

#include <loopscope/run_settings.h>

#include <algorithm>
#include <atomic>
#include <csignal>
#include <cstdint>
#include <sys/eventfd.h>
#include <thread>
#include <unistd.h>
#include <utility>

using namespace loopscope;

namespace {
constexpr uint64_t NsPerSecond = 1'000'000'000;

// A little less than the rate says: many loops take times that are a multiple
// of, or a simple fraction of, a round one.
uint64_t periodNs(uint32_t Hz) { return NsPerSecond / Hz * 991 / 1000; }
} // namespace

class ProgramSampler::Worker : private PerfVisitor {
public:
  Worker(int Pid, PerfEvents From, SampledProcess Process)
      : Pid(Pid), Events(std::move(From)), Profile(std::move(Process)),
        Wake(eventfd(0, EFD_CLOEXEC)) {
    // The program's signals are for the thread that passes them on.
    sigset_t All, Before;
    sigfillset(&All);
    pthread_sigmask(SIG_SETMASK, &All, &Before);
    Thread = std::thread([this] { work(); });
    pthread_sigmask(SIG_SETMASK, &Before, nullptr);
  }
  ~Worker() override {
    finish();
    close(Wake);
  }
  Worker(const Worker &) = delete;
  Worker &operator=(const Worker &) = delete;

  void finish() {
    if (!Thread.joinable())
      return;
    IsDone = true;
    uint64_t One = 1;
    (void)!write(Wake, &One, sizeof(One));
    Thread.join();
  }

private:
  void work() {
    constexpr int RoundMs = 100;
    bool IsLast = false;
    while (!IsLast) {
      Events.wait(Wake, RoundMs);
      IsLast = IsDone;
      PerfEvents::Sums Now = Events.sums();
      Events.read(*this);
      IsLast |= Programs > 1;
      constexpr uint64_t Worthwhile =
          LOOPSCOPE_WORTHWHILE_CPU_MS * uint64_t(1'000'000);
      if (!Profile.hasBegun() && Now.CpuNs >= Worthwhile)
        IsLast |= !Profile.begin();
      Profile.update(Now.CpuNs, std::max(Now.Lost, Lost));
    }
    Events.stop();
    Profile.finish();
  }

  void mapped(const PerfMapping &Mapping) override {
    if (Mapping.Pid != Pid || Programs > 1)
      return;
    if (!std::exchange(IsNamed, true))
      Profile.setProgram(Mapping.Path);
    if (const CodeSegment *New = Code.add(Mapping))
      Profile.add(*New);
  }
  void executed(int Of) override { Programs += Of == Pid ? 1 : 0; }
  void lost(uint64_t Samples) override { Lost += Samples; }
  void sampled(const PerfSample &Sample) override {
    if (Sample.Pid == Pid && Programs <= 1)
      Profile.add(Sample.Tid, walkCopy(Sample, Code));
  }

  int Pid;
  PerfEvents Events;
  LoadedCode Code;
  SampledProfile Profile;
  unsigned Programs = 0; // that the process has executed
  uint64_t Lost = 0;     // records, as they say
  bool IsNamed = false;  // by its first mapping
  int Wake;
  std::atomic<bool> IsDone = false;
  std::thread Thread;
};

ProgramSampler::ProgramSampler(std::unique_ptr<Worker> Of)
    : Of(std::move(Of)) {}
ProgramSampler::ProgramSampler(ProgramSampler &&) noexcept = default;
ProgramSampler::~ProgramSampler() = default;

Result<ProgramSampler> ProgramSampler::start(int Pid,
                                             const SamplerOptions &Options) {
  uint64_t PeriodNs = periodNs(Options.Hz);
  Result<PerfEvents> Events = PerfEvents::open(Pid, PeriodNs);
  if (!Events)
    return Events.error();
  SampledProcess Process{Pid,
                         Options.Command,
                         Options.Given,
                         Options.Output,
                         Options.IsPrivate,
                         Options.Hz,
                         PeriodNs,
                         Events->hasKernel()};
  return ProgramSampler(
      std::make_unique<Worker>(Pid, std::move(*Events), std::move(Process)));
}

void ProgramSampler::finish() { Of->finish(); }
