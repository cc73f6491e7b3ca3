// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// CUPTI's PM sampling of one device: the hardware writes its counters into a
// buffer at an even interval, and a thread of ours decodes them.
//
// Sampling is never disabled, and the profiler never deinitialised: CUPTI's
// headers promise little about that, and other users of it say that it ends the
// rest of CUPTI, too.

#ifndef LOOPSCOPE_GPU_PM_SAMPLER_H
#define LOOPSCOPE_GPU_PM_SAMPLER_H

#include "cupti.h"
#include "pm_abi.h"
#include "reason.h"
#include "tree/device_use.h"

namespace loopscope::runtime {

/// CUPTI's functions, which all take one struct.
enum class PmCall : uint32_t {
  Initialize,
  GetChipName,
  GetAvailability,
  InitializeHost,
  DeinitializeHost,
  AddMetrics,
  GetConfigSize,
  GetConfigImage,
  GetPasses,
  Evaluate,
  Enable,
  SetConfig,
  GetDataSize,
  InitializeData,
  Start,
  Stop,
  Decode,
  GetDataInfo,
  GetSampleInfo,
};
constexpr uint32_t PmCalls = 19;

struct PmFunctions {
  cupti::Result (*Of[PmCalls])(void *Parameters) = {};

  /// Finds them in the loaded CUPTI; false before CUPTI 12.6.
  bool find(const Cupti &Api);
};

struct PmSample {
  uint64_t StartNs;
  uint64_t EndNs;
  double Values[DeviceUseCount]; ///< by use; less than 0: not a number
};

class PmSampler {
public:
  /// Starts to sample DEVICE. False: WHY says why not.
  bool start(const PmFunctions &Functions, const Cupti &Api, uint32_t Device,
             uint64_t IntervalNs, Reason &Why);

  /// Bit set of what is sampled.
  uint32_t uses() const { return Uses; }

  /// Calls TAKE for each sample since the last call, in order. False: there
  /// will be no more, and WHY says why.
  template <typename Function> bool read(Function Take, Reason &Why) {
    // A device that is faster than we are mustn't hold up the rest.
    constexpr unsigned MostImages = 64;
    for (unsigned I = 0; I < MostImages; ++I) {
      size_t Completed = 0;
      bool IsAll = false;
      if (!decode(Completed, IsAll, Why))
        return false;
      for (size_t At = 0; At < Completed; ++At) {
        PmSample Sample;
        if (!evaluate(At, Sample, Why))
          return false;
        Take(Sample);
      }
      if (Completed != 0 && !clear(Why))
        return false;
      if (IsAll || Completed == 0)
        break;
    }
    return true;
  }

  /// Samples no more; what there is can still be read.
  void stop();

private:
  static constexpr size_t MostMetrics = 10;
  static constexpr size_t MostName = 96;
  struct Image {
    uint8_t *Bytes = nullptr;
    size_t Size = 0;
    bool allocate(size_t Wanted, Reason &Why);
  };

  bool did(PmCall Call, void *Parameters, Reason &Why);
  bool findChip(Reason &Why);
  bool chooseMetrics(Reason &Why);
  bool makeConfig(uint32_t RowsWanted, size_t &Passes, Reason &Why);
  bool beginHost(Reason &Why);
  void endHost();
  bool canAdd(const char **Metrics, size_t MetricCount);
  bool findNames(Reason &Why);
  bool configure(uint64_t IntervalNs, Reason &Why);
  bool decode(size_t &Completed, bool &IsAll, Reason &Why);
  bool evaluate(size_t Index, PmSample &Result, Reason &Why);
  bool clear(Reason &Why);

  const PmFunctions *Functions = nullptr;
  const Cupti *Api = nullptr;
  uint32_t Device = 0;
  const char *Chip = nullptr;
  Image Availability;
  Image Config;
  Image Data;
  void *Host = nullptr;
  void *Sampler = nullptr;
  uint32_t Uses = 0;
  size_t Count = 0;           // of metrics
  uint32_t Rows[MostMetrics]; // of the table, by metric
  const char *Names[MostMetrics];
  char Texts[MostMetrics][MostName]; // metrics' names, by row
};

} // namespace loopscope::runtime

#endif // LOOPSCOPE_GPU_PM_SAMPLER_H
