// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device sampler: in each round of the background thread it reads the host,
// the process and the GPUs, and charges the values to the node that stands in
// for threads without a span.

#include "extension.h"

#include "base/clock.h"
#include "base/kernel_time.h"
#include "base/option_words.h"
#include "base/own_files.h"
#include "base/system.h"
#include "host.h"
#include "limits.h"
#include "metrics.h"
#include "nvml.h"
#include "process/background.h"
#include "process/facts.h"
#include "process/options.h"
#include "profile/profile_file.h"
#include "tree/extension.h"
#include "tree/threads.h"
#include "use_reader.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
// The default interval uses at most a tenth of a percent of a core for the host
// and one percent for all GPUs, whatever a reading costs here: for each
// nanosecond of processor time that a reading took, its source rests for this
// many nanoseconds. NVML renews its values every 100 ms, and then they cost up
// to 1.3 ms each (H100).
constexpr uint64_t RestOfHostSource = 8000;
constexpr uint64_t RestOfGpus = 100; // multiplied by the number of GPUs

// The time between two readings of the hardware's use: at least so much, and a
// random part of the time in which values are renewed, so that steps of any
// length meet readings of every age.
constexpr uint64_t LeastUseNs[DeviceUseSources] = {LeastDeviceUseMs * NsPerMs,
                                                   NsPerSecond};
constexpr uint64_t RandomUseNs = DeviceUseAgeMs * NsPerMs;

// Indexed by HostMetric and by GpuMetric.
#define LOOPSCOPE_METRIC_INFO_(IDENTIFIER, NAME, UNIT) {NAME, UNIT},
const MetricInfo HostMetrics[HostMetricCount] = {
    LOOPSCOPE_HOST_METRICS(LOOPSCOPE_METRIC_INFO_)};
const MetricInfo GpuMetrics[GpuMetricCount] = {
    LOOPSCOPE_GPU_METRICS(LOOPSCOPE_METRIC_INFO_)};
#undef LOOPSCOPE_METRIC_INFO_

constexpr int MostMetrics = int(HostMetricCount) > int(GpuMetricCount)
                                ? int(HostMetricCount)
                                : int(GpuMetricCount);
constexpr uint32_t NotAdded = LOOPSCOPE_NONE;

// The profile's indices of one device's metrics; NotAdded before a metric's
// first value.
struct Indices {
  uint32_t Of[MostMetrics];
};

// The sampling state of one profile. Only the thread uses it.
struct Sampling {
  HostReader Host;
  LimitsReader Limits;
  NvmlReader Gpus;
  Indices HostIndices;
  Indices GpuIndices[MaxGpus];
  uint64_t HostDueNs[5];
  uint64_t GpuDueNs[MaxGpus];
  UseReader Uses[MaxGpus];
  uint64_t UseDueNs[MaxGpus][DeviceUseSources];
  uint64_t Random;
  uint32_t Node; // charged with the round
  bool OutOfMemory;
};
Sampling Work;

// Stores the values of one device in the profile.
void store(const MetricInfo *Infos, const Reading *Readings, int Count,
           Indices &Known, uint32_t Device, const char *DeviceName) {
  for (int I = 0; I < Count; ++I) {
    if (!Readings[I].Known)
      continue;
    callExtensions<void, const char *, double>(
        &Extension::DeviceRead, Infos[I].Name, Readings[I].Value);
    if (Known.Of[I] == NotAdded)
      Known.Of[I] = addMetric(Infos[I], Device, DeviceName);
    if (Known.Of[I] == NotAdded ||
        !addSample(Known.Of[I], Work.Node, Readings[I].Value))
      Work.OutOfMemory = true;
  }
}

// Calls READ if its source is due at NS, and sets when it is due again.
template <typename Function>
void readIfDue(uint64_t &DueNs, uint64_t Ns, uint64_t Rest, Function Read) {
  if (Ns < DueNs)
    return;
  uint64_t Before = roundsCpuNs();
  Read();
  if (!Process.Settings.RoundsGiven)
    DueNs = Ns + (roundsCpuNs() - Before) * Rest;
}

void readHost(uint64_t Ns) {
  Reading Readings[HostMetricCount];
  withOwnFiles([&] {
    readIfDue(Work.HostDueNs[0], Ns, RestOfHostSource,
              [&] { Work.Host.readProcess(Readings); });
    readIfDue(Work.HostDueNs[1], Ns, RestOfHostSource,
              [&] { Work.Host.readProcessors(Readings); });
    readIfDue(Work.HostDueNs[2], Ns, RestOfHostSource,
              [&] { Work.Host.readMemory(Readings); });
    readIfDue(Work.HostDueNs[3], Ns, RestOfHostSource,
              [&] { Work.Limits.readThrottling(Ns, Readings); });
    readIfDue(Work.HostDueNs[4], Ns, RestOfHostSource,
              [&] { Work.Limits.readPressure(Ns, Readings); });
  });
  store(HostMetrics, Readings, HostMetricCount, Work.HostIndices,
        LOOPSCOPE_NONE, "");
}

void readGpus(uint64_t Ns) {
  TextBuffer<sizeof(loopscope_profile_header::sampler_note)> Note;
  Work.Gpus.find(Note);
  uint32_t Count = Work.Gpus.count();
  for (uint32_t I = 0; I < Count; ++I)
    readIfDue(Work.GpuDueNs[I], Ns, RestOfGpus * Count, [&] {
      Reading Readings[GpuMetricCount];
      Work.Gpus.read(I, Readings, Note);
      store(GpuMetrics, Readings, GpuMetricCount, Work.GpuIndices[I],
            Work.Gpus.ordinal(I), Work.Gpus.name(I));
    });
  if (Note.size() != 0)
    noteMissingSamples(Note.c_str());
}

// Runs one round. False: no more rounds.
bool sample() {
  uint64_t Ns = monotonicNs();
  Work.Node = standInNode();
  readHost(Ns);
  // If a program's main thread left with pthread_exit, the program ends with
  // its last thread, which must not be this one. If the main thread has a tree,
  // its end is noticed immediately (endThread).
  if (Work.Host.mainThreadEnded() ||
      (!Work.Host.hasProc() && !mainThreadHasTree())) {
    endBackgroundWith(Work.Host.mainThreadExitCode());
    return false;
  }
  readGpus(Ns);
  if (Work.OutOfMemory)
    noteMissingSamples("no memory for more metrics");
  __atomic_store_n(&Header->sampler_cost_ns, roundsCpuNs(), __ATOMIC_RELAXED);
  __atomic_store_n(&Header->sampler_rounds, Header->sampler_rounds + 1,
                   __ATOMIC_RELAXED);
  return !Work.OutOfMemory;
}

// Whether collection knows what the GPUs work on.
bool isUseWanted() {
  return __atomic_load_n(&Header->gpu_state, __ATOMIC_RELAXED) ==
             LOOPSCOPE_GPU_ON &&
         __atomic_load_n(&Header->gpu_launches, __ATOMIC_RELAXED) != 0;
}

uint64_t randomNs() {
  uint64_t &R = Work.Random; // xorshift
  R ^= R << 13;
  R ^= R >> 7;
  R ^= R << 17;
  return R % RandomUseNs;
}

uint64_t useDueAt() {
  uint64_t Earliest = UINT64_MAX;
  if (isUseWanted())
    for (uint32_t I = 0; I < Work.Gpus.count(); ++I)
      for (uint64_t Each : Work.UseDueNs[I])
        Earliest = Each < Earliest ? Each : Earliest;
  return Earliest;
}

void readUse(uint32_t Gpu, uint32_t Source, Text &Note) {
  uint64_t Ns = monotonicNs();
  uint64_t &DueNs = Work.UseDueNs[Gpu][Source];
  if (Ns < DueNs)
    return;
  void *Handle = Work.Gpus.handle(Gpu);
  auto Of = static_cast<DeviceUseSource>(Source);
  if (Handle == nullptr || !Work.Uses[Gpu].hasAny(Of)) {
    DueNs = UINT64_MAX; // wakes the thread no more
    return;
  }
  DeviceUse Read;
  Read.HostNode = standInNode();
  uint64_t Before = roundsCpuNs();
  bool HasRead =
      Work.Uses[Gpu].read(Of, Handle, Work.Gpus.ordinal(Gpu), Ns, Read, Note);
  uint64_t Rest = (roundsCpuNs() - Before) * RestOfGpus * Work.Gpus.count();
  DueNs =
      Ns + (Rest > LeastUseNs[Source] ? Rest : LeastUseNs[Source]) + randomNs();
  if (HasRead)
    callExtensions<void, const DeviceUse &>(&Extension::DeviceUsed, Read);
}

void readUses() {
  TextBuffer<sizeof(loopscope_profile_header::sampler_note)> Note;
  for (uint32_t I = 0; I < Work.Gpus.count(); ++I)
    for (uint32_t Source = 0; Source < DeviceUseSources; ++Source)
      readUse(I, Source, Note);
  if (Note.size() != 0)
    noteMissingSamples(Note.c_str());
}

// The values to compare the first round with.
void readFirst() {
  Work = {};
  Work.Random = now() | 1;
  memset(&Work.HostIndices, 0xff, sizeof(Work.HostIndices));
  memset(&Work.GpuIndices, 0xff, sizeof(Work.GpuIndices));
  Reading First[HostMetricCount];
  Work.Host.readProcess(First);
  Work.Host.readProcessors(First);
  Work.Limits.readThrottling(monotonicNs(), First);
  Work.Limits.readPressure(monotonicNs(), First);
}

void resetSampling() {
  // NVML locks that the thread held stay locked in the child forever.
  forbidNvmlIfBusy();
  resetMetrics();
}
// Parses "off", or an interval in milliseconds with or without "ms".
bool parseDevices(char *Value, Options &Core, Text &Message) {
  constexpr int64_t Least = 10;
  constexpr int64_t Most = 3600 * 1000;
  if (strcmp(Value, "off") == 0) {
    Core.RoundMs = 0;
    return true;
  }
  size_t Length = strlen(Value);
  if (Length > 2 && strcmp(Value + Length - 2, "ms") == 0)
    Value[Length - 2] = 0;
  int64_t Interval = 0;
  if (!parseNumber(Value, Interval) || Interval < Least || Interval > Most) {
    Message << "LOOPSCOPE: 'devices' takes off, or the time between samples, "
            << Least << "ms to " << Most << "ms, such as devices=500ms";
    return false;
  }
  Core.RoundMs = static_cast<uint64_t>(Interval);
  Core.RoundsGiven = true;
  return true;
}

constexpr OptionWord Words[] = {{"devices=off|MILLISECONDS", parseDevices}};
} // namespace

const Extension loopscope::runtime::DevicesExtension = {
    .Name = "devices",
    .Words = Words,
    .Start = readNvmlPath,
    .BackgroundStarted = readFirst,
    .Tick = sample,
    .TimedAt = useDueAt,
    .Timed = readUses,
    .ChildOfFork = resetSampling,
};
