// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// perf_event_open, and its rings.

#include "Sample/PerfEvents.h"

#include "perf_registers.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstring>
#include <fstream>
#include <poll.h>
#include <string>
#include <sys/mman.h>
#include <sys/syscall.h>
#include <unistd.h>
#include <utility>

using namespace loopscope;

namespace {
// Programs in C and C++ use less, those with large arrays on the stack
// excepted.
constexpr uint32_t StackBytes = 32U << 10;
// What every user may lock for each CPU, unless it was changed
// (perf_event_mlock_kb). At 250 samples a second it lasts for 60 ms.
constexpr uint64_t MostRingBytes = 512U << 10;
constexpr uint64_t LeastRingBytes = 128U << 10; // for some samples

uint64_t pageBytes() { return static_cast<uint64_t>(sysconf(_SC_PAGESIZE)); }

perf_event_attr settings(uint64_t PeriodNs) {
  perf_event_attr Result{};
  Result.size = sizeof(Result);
  Result.type = PERF_TYPE_SOFTWARE;
  Result.config = PERF_COUNT_SW_TASK_CLOCK;
  Result.sample_period = PeriodNs;
  Result.sample_type =
      PERF_SAMPLE_TID | PERF_SAMPLE_REGS_USER | PERF_SAMPLE_STACK_USER;
  Result.sample_regs_user = runtime::PerfRegisters;
  Result.sample_stack_user = StackBytes;
  Result.disabled = 1;
  Result.enable_on_exec = 1;
  Result.inherit = 1;
  Result.exclude_hv = 1;
  Result.mmap = 1;
  Result.mmap2 = 1;
  Result.comm = 1;
  Result.comm_exec = 1;
  Result.watermark = 1;
  Result.wakeup_watermark = LeastRingBytes / 2;
  return Result;
}

// PERF_FORMAT_LOST, for which older headers have no name.
constexpr uint64_t FormatLost = 1U << 4;

// Only threads inherit the event, no processes. Older headers have no name for
// the bit.
void leaveOutChildren(perf_event_attr &Of) {
  constexpr uint64_t InheritThread = uint64_t(1) << 35;
  constexpr size_t Flags = offsetof(perf_event_attr, read_format) +
                           sizeof(perf_event_attr::read_format);
  uint64_t Word = 0;
  char *At = reinterpret_cast<char *>(&Of) + Flags;
  std::memcpy(&Word, At, sizeof(Word));
  Word |= InheritThread;
  std::memcpy(At, &Word, sizeof(Word));
}

int openEvent(const perf_event_attr &Wanted, int Pid, int Cpu) {
  return static_cast<int>(syscall(SYS_perf_event_open, &Wanted, Pid, Cpu, -1,
                                  PERF_FLAG_FD_CLOEXEC));
}

// Opens the event that says most, and sets WANTED to its settings: samples of
// the kernel's time are for privileged users; newer kernels tell threads from
// processes, and how many records were lost.
int openBest(perf_event_attr &Wanted, uint64_t PeriodNs, int Pid, int Cpu) {
  int Event = -1;
  for (bool WithKernel : {true, false})
    for (bool WithChildren : {false, true})
      for (bool CountsLost : {true, false}) {
        Wanted = settings(PeriodNs);
        Wanted.exclude_kernel = WithKernel ? 0 : 1;
        if (!WithChildren)
          leaveOutChildren(Wanted);
        if (CountsLost)
          Wanted.read_format = FormatLost;
        Event = openEvent(Wanted, Pid, Cpu);
        if (Event >= 0 || errno == ENODEV)
          return Event;
      }
  return Event;
}

std::string refusal(int Error) {
  std::string Level;
  std::ifstream("/proc/sys/kernel/perf_event_paranoid") >> Level;
  return fmt::format("the kernel refuses perf events ({}{}{})",
                     std::strerror(Error),
                     Level.empty() ? "" : "; perf_event_paranoid is ", Level);
}
} // namespace

Result<PerfEvents> PerfEvents::open(int Pid, uint64_t PeriodNs) {
  if (runtime::PerfRegisters == 0)
    return Error{"perf events are used on x86-64 only"};
  PerfEvents Result;
  perf_event_attr Wanted{};
  auto Cpus = static_cast<int>(sysconf(_SC_NPROCESSORS_CONF));
  for (int Cpu = 0; Cpu < Cpus; ++Cpu) {
    Ring Next;
    Next.Event = Result.Rings.empty() ? openBest(Wanted, PeriodNs, Pid, Cpu)
                                      : openEvent(Wanted, Pid, Cpu);
    if (Next.Event < 0 && errno == ENODEV)
      continue; // the CPU is off
    if (Next.Event < 0)
      return Error{refusal(errno)};
    Result.Rings.push_back(Next);
    if (!Result.mapRing(Result.Rings.back()))
      return Error{fmt::format("the kernel lends no memory for perf events "
                               "({}; perf_event_mlock_kb)",
                               std::strerror(errno))};
  }
  if (Result.Rings.empty())
    return Error{refusal(ENODEV)};
  Result.HasKernel = Wanted.exclude_kernel == 0;
  return Result;
}

PerfEvents::PerfEvents(PerfEvents &&From) noexcept
    : Rings(std::exchange(From.Rings, {})), Joined(std::move(From.Joined)),
      HasKernel(From.HasKernel) {}

PerfEvents::~PerfEvents() { stop(); }

void PerfEvents::stop() {
  for (const Ring &Each : Rings) {
    if (Each.Memory != nullptr)
      munmap(Each.Memory, pageBytes() + Each.Bytes);
    close(Each.Event);
  }
  Rings.clear();
}

bool PerfEvents::mapRing(Ring &Into) {
  for (uint64_t Bytes = MostRingBytes; Bytes >= LeastRingBytes; Bytes /= 2) {
    void *Memory = mmap(nullptr, pageBytes() + Bytes, PROT_READ | PROT_WRITE,
                        MAP_SHARED, Into.Event, 0);
    if (Memory == MAP_FAILED)
      continue;
    Into.Memory = static_cast<char *>(Memory);
    Into.Bytes = Bytes;
    return true;
  }
  return false;
}

PerfEvents::Sums PerfEvents::sums() const {
  Sums Result;
  for (const Ring &Each : Rings) {
    uint64_t Values[] = {0, 0};
    if (::read(Each.Event, Values, sizeof(Values)) < 0)
      continue;
    Result.CpuNs += Values[0];
    Result.Lost += Values[1];
  }
  return Result;
}

void PerfEvents::wait(int Wake, int Milliseconds) {
  std::vector<pollfd> All = {{Wake, POLLIN, 0}};
  // poll() leaves out negative numbers.
  for (const Ring &Each : Rings)
    All.push_back({Each.HasEnded ? -1 : Each.Event, POLLIN, 0});
  if (poll(All.data(), All.size(), Milliseconds) <= 0)
    return;
  for (size_t I = 0; I < Rings.size(); ++I)
    Rings[I].HasEnded |= (All[I + 1].revents & (POLLHUP | POLLERR)) != 0;
}

void PerfEvents::read(PerfVisitor &Visitor) {
  for (Ring &Each : Rings) {
    auto *Control = reinterpret_cast<perf_event_mmap_page *>(Each.Memory);
    Each.Head = __atomic_load_n(&Control->data_head, __ATOMIC_ACQUIRE);
    visit(Each, false, Visitor);
  }
  for (Ring &Each : Rings) {
    visit(Each, true, Visitor);
    auto *Control = reinterpret_cast<perf_event_mmap_page *>(Each.Memory);
    __atomic_store_n(&Control->data_tail, Each.Head, __ATOMIC_RELEASE);
  }
}

void PerfEvents::visit(const Ring &Of, bool Samples, PerfVisitor &Visitor) {
  const auto *Control =
      reinterpret_cast<const perf_event_mmap_page *>(Of.Memory);
  const char *Data = Of.Memory + pageBytes();
  for (uint64_t At = Control->data_tail; At < Of.Head;) {
    uint64_t Place = At % Of.Bytes;
    perf_event_header Head{};
    // Records are whole words, so the header has no seam.
    std::memcpy(&Head, Data + Place, sizeof(Head));
    if (Head.size < sizeof(Head))
      return;
    const char *Record = Data + Place;
    if (Place + Head.size > Of.Bytes) {
      Joined.assign(Record, Data + Of.Bytes);
      Joined.insert(Joined.end(), Data, Data + Place + Head.size - Of.Bytes);
      Record = Joined.data();
    }
    visitRecord(reinterpret_cast<const perf_event_header *>(Record), Samples,
                Visitor);
    At += Head.size;
  }
}
