// A profile's timeline as a trace: what PyTorch's own would say of the same
// run. The overview computes on it and `export --to chrome` writes it, so
// steps, launches and roles are told apart in one place.
//
//   steps of training loops        -> ProfilerStep#N
//   draws                          -> enumerate(DataLoader)#loopscope.__next__
//   phases and functions           -> operators
//   CUDA calls, kernels, copies    -> runtime calls and device work, linked
#ifndef LOOPSCOPE_REPORT_PROFILETRACE_H
#define LOOPSCOPE_REPORT_PROFILETRACE_H

#include "Profile/KinetoTrace.h"
#include "Profile/Model.h"

#include <cstdint>
#include <map>
#include <vector>

namespace loopscope {

/// A trace and where its events come from.
struct ProfileTrace {
  KinetoTrace Trace;
  /// Per event: in GpuData::Events; None for spans.
  std::vector<uint32_t> GpuEventOf;
  /// Per track of the trace: in Profile::Threads; None for streams and for
  /// threads without a tree.
  std::vector<uint32_t> ThreadOf;
};

/// Host threads first, each track's events together. Empty unless the profile
/// was read with its timeline.
ProfileTrace traceOfProfile(const Profile &P);

/// The facts of a profile's devices alone, for recommendations.
std::vector<DeviceProperties> deviceProperties(const Profile &P);

/// The most memory that was in use on each device, by deviceNumber: of all
/// processes where NVML was asked, else what the program allocated.
std::map<int64_t, int64_t> peakMemory(const Profile &P);

/// How a device is told from the others: CUDA's ordinal, or its index where
/// profiles were merged.
int64_t deviceNumber(const Profile &P, uint32_t Device);

/// Blocks per multiprocessor of a kernel; negative: unknown.
double blocksPerSm(const Profile &P, const GpuEvent &E);

/// "Memcpy HtoD", "Memset": what device work is called in traces.
std::string deviceWorkName(const Profile &P, const GpuEvent &E);

/// "kernel", "copy", "launch_call": kinds in csv and SQLite.
const char *gpuKindWord(loopscope_gpu_kind Kind);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_PROFILETRACE_H
