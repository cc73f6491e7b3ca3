// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Readers and parsers of /proc.

#include "host.h"

#include "base/kernel_time.h"
#include "base/own_files.h"
#include "base/system.h"
#include "proc_text.h"
#include "process/facts.h"

#include <string.h>
#include <time.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
uint64_t processCpuNs() {
  timespec Time{};
  if (clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &Time) != 0)
    return 0;
  return static_cast<uint64_t>(Time.tv_sec) * NsPerSecond +
         static_cast<uint64_t>(Time.tv_nsec);
}

double percent(uint64_t Part, uint64_t Whole) {
  return 100 * static_cast<double>(Part) / static_cast<double>(Whole);
}
} // namespace

bool loopscope::runtime::parseCpuTimes(const char *Text, CpuTimes &Result) {
  if (strncmp(Text, "cpu ", 4) != 0)
    return false;
  const char *At = Text + 4;
  // Fields: user nice system idle iowait irq softirq steal; user includes guest
  // times. The first four exist in every Linux.
  constexpr int Idle = 3, Wait = 4, Fields = 8, Least = 4;
  CpuTimes Times;
  for (int I = 0; I < Fields; ++I) {
    uint64_t Field = 0;
    if (!takeNumber(At, Field)) {
      if (I < Least)
        return false;
      break;
    }
    Times.Total += Field;
    if (I != Idle && I != Wait)
      Times.Busy += Field;
  }
  Result = Times;
  return true;
}

bool loopscope::runtime::parseHostMemory(const char *Text, HostMemory &Result) {
  HostMemory Memory;
  bool Found = findNumber(Text, "MemTotal:", Memory.Total) &&
               findNumber(Text, "MemAvailable:", Memory.Available) &&
               findNumber(Text, "SwapTotal:", Memory.SwapTotal) &&
               findNumber(Text, "SwapFree:", Memory.SwapFree);
  if (!Found || Memory.Total == 0 || Memory.Available > Memory.Total ||
      Memory.SwapFree > Memory.SwapTotal)
    return false;
  Result = Memory;
  return true;
}

bool loopscope::runtime::parseProcessState(const char *Text,
                                           ProcessState &Result) {
  // "4711 (any) name) S ...": fields are counted after the last bracket.
  const char *At = strrchr(Text, ')');
  if (At == nullptr || At[1] != ' ' || At[2] == 0)
    return false;
  ProcessState Process;
  Process.State = At[2];
  At += 3;
  constexpr int Threads = 20, Resident = 24, Exit = 52;
  int Last = Process.State == 'Z' ? Exit : Resident;
  for (int Field = 4; Field <= Last; ++Field) {
    while (*At == ' ')
      ++At;
    bool Negative = *At == '-';
    At += Negative;
    uint64_t Number = 0;
    if (!takeNumber(At, Number))
      return false;
    if (Field == Threads)
      Process.Threads = Number;
    else if (Field == Resident)
      Process.ResidentPages = Negative ? 0 : Number;
    else if (Field == Exit)
      Process.ExitCode = static_cast<int>(Number >> 8 & 0xff);
  }
  Result = Process;
  return true;
}

void HostReader::readProcessors(Reading *Into) {
  // Only the first line is needed.
  char Text[512];
  CpuTimes Times;
  if (readFile("/proc/stat", Text, sizeof(Text)) == 0 ||
      !parseCpuTimes(Text, Times))
    return;
  if (HasTimes && Times.Total > LastTimes.Total && Times.Busy >= LastTimes.Busy)
    Into[CpuPercent] = {
        percent(Times.Busy - LastTimes.Busy, Times.Total - LastTimes.Total),
        true};
  LastTimes = Times;
  HasTimes = true;
}

void HostReader::readMemory(Reading *Into) {
  char Text[2048];
  HostMemory Memory;
  if (readFile("/proc/meminfo", Text, sizeof(Text)) == 0 ||
      !parseHostMemory(Text, Memory))
    return;
  Into[CpuVmPercent] = {percent(Memory.Total - Memory.Available, Memory.Total),
                        true};
  if (Memory.SwapTotal != 0)
    Into[CpuSwapPercent] = {
        percent(Memory.SwapTotal - Memory.SwapFree, Memory.SwapTotal), true};
}

void HostReader::readProcess(Reading *Into) {
  uint64_t WallNs = monotonicNs();
  uint64_t CpuNs = processCpuNs();
  if (LastWallNs != 0 && WallNs > LastWallNs && CpuNs >= LastCpuNs &&
      CpuNs != 0)
    Into[ProcessCpuPercent] = {percent(CpuNs - LastCpuNs, WallNs - LastWallNs),
                               true};
  LastWallNs = WallNs;
  LastCpuNs = CpuNs;
  char Text[1024];
  ProcessState Process;
  HasProc = readFile("/proc/self/stat", Text, sizeof(Text)) != 0 &&
            parseProcessState(Text, Process);
  if (!HasProc)
    return;
  MainEnded = Process.State == 'Z' || Process.State == 'X';
  MainExitCode = Process.ExitCode;
  Into[ProcessRss] = {static_cast<double>(Process.ResidentPages) *
                          static_cast<double>(sysconf(_SC_PAGESIZE)),
                      true};
  uint64_t Ours = 1 + ownFilesThreads();
  if (Process.Threads > Ours)
    Into[ProcessThreads] = {static_cast<double>(Process.Threads - Ours), true};
}
