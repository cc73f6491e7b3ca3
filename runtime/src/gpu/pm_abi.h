// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of CUPTI's binary interface for sampling performance monitors (PM
// sampling), declared here like that in cupti_abi.h. CUPTI 12.6 and later; a
// test compares it with NVIDIA's headers where they are installed.
//
// Every call takes one struct, which begins with its own size: up to the end of
// the last field that the running version knows, not the size that the compiler
// gives it.

#ifndef LOOPSCOPE_GPU_PM_ABI_H
#define LOOPSCOPE_GPU_PM_ABI_H

#include "cupti_abi.h"

namespace loopscope::runtime::cupti {

/// The size of a struct up to the end of FIELD.
#define LOOPSCOPE_PM_SIZE(STRUCT, FIELD)                                       \
  (offsetof(STRUCT, FIELD) + sizeof(STRUCT::FIELD))

/// CUPTI's version from which a field is there.
constexpr uint32_t FirstWithAppendMode = 26;         // CUDA 12.8
constexpr uint32_t FirstWithSinglePassSets = 130200; // CUDA 13.2

/// cuptiProfilerInitialize.
struct ProfilerInitialize {
  size_t Size;
  void *Private;
};

/// cuptiDeviceGetChipName.
struct ChipName {
  size_t Size;
  void *Private;
  size_t Device;
  const char *Name; ///< result
};

/// cuptiPmSamplingGetCounterAvailability; without an image, it gives its size.
struct Availability {
  size_t Size;
  void *Private;
  size_t Device;
  size_t ImageSize;
  uint8_t *Image;
};

/// cuptiProfilerHostInitialize.
struct HostInitialize {
  size_t Size;
  void *Private;
  uint32_t Kind; ///< KindPmSampling
  const char *Chip;
  const uint8_t *Availability;
  void *Host;                ///< result
  const char *SinglePassSet; ///< since FirstWithSinglePassSets; may be null
};
constexpr uint32_t KindPmSampling = 1;
constexpr size_t hostInitializeSize(uint32_t Version) {
  return Version >= FirstWithSinglePassSets
             ? LOOPSCOPE_PM_SIZE(HostInitialize, SinglePassSet)
             : LOOPSCOPE_PM_SIZE(HostInitialize, Host);
}

/// cuptiProfilerHostDeinitialize.
struct OfHost {
  size_t Size;
  void *Private;
  void *Host;
};

/// cuptiProfilerHostConfigAddMetrics. Seen in 12.6, 12.9 and 13.0: each call's
/// metrics take passes of their own, and after a refused name the host object
/// refuses all.
struct AddMetrics {
  size_t Size;
  void *Private;
  void *Host;
  const char **Names;
  size_t Count;
};

/// cuptiProfilerHostGetConfigImageSize.
struct ConfigSize {
  size_t Size;
  void *Private;
  void *Host;
  size_t ImageSize; ///< result
};

/// cuptiProfilerHostGetConfigImage.
struct ConfigImage {
  size_t Size;
  void *Private;
  void *Host;
  size_t ImageSize;
  uint8_t *Image;
};

/// cuptiProfilerHostGetNumOfPasses.
struct PassCount {
  size_t Size;
  void *Private;
  size_t ImageSize;
  uint8_t *Image;
  size_t Passes; ///< result
};

/// cuptiProfilerHostEvaluateToGpuValues.
struct Evaluate {
  size_t Size;
  void *Private;
  void *Host;
  const uint8_t *Data;
  size_t DataSize;
  size_t Index; ///< of the sample
  const char **Names;
  size_t Count;
  double *Values; ///< result
};

/// cuptiPmSamplingEnable.
struct EnableSampling {
  size_t Size;
  void *Private;
  size_t Device;
  void *Sampler; ///< result
};

/// cuptiPmSamplingStart and cuptiPmSamplingStop.
struct OfSampler {
  size_t Size;
  void *Private;
  void *Sampler;
};

/// cuptiPmSamplingSetConfig.
struct SamplingConfig {
  size_t Size;
  void *Private;
  void *Sampler;
  size_t ImageSize;
  const uint8_t *Image;
  size_t HardwareBytes; ///< of the buffer that the device writes to
  uint64_t Interval;
  uint32_t Trigger;    ///< TimeTrigger: Interval is nanoseconds
  uint32_t AppendMode; ///< since FirstWithAppendMode
};
constexpr uint32_t TimeTrigger = 1;
constexpr uint32_t KeepLatest = 1;
constexpr size_t samplingConfigSize(uint32_t Version) {
  return Version >= FirstWithAppendMode
             ? LOOPSCOPE_PM_SIZE(SamplingConfig, AppendMode)
             : LOOPSCOPE_PM_SIZE(SamplingConfig, Trigger);
}

/// cuptiPmSamplingGetCounterDataSize.
struct DataSize {
  size_t Size;
  void *Private;
  void *Sampler;
  const char **Names;
  size_t Count;
  uint32_t MostSamples;
  size_t Bytes; ///< result
};

/// cuptiPmSamplingCounterDataImageInitialize.
struct DataInitialize {
  size_t Size;
  void *Private;
  void *Sampler;
  size_t Bytes;
  uint8_t *Data;
};

/// cuptiPmSamplingDecodeData.
struct DecodeData {
  size_t Size;
  void *Private;
  void *Sampler;
  uint8_t *Data;
  size_t DataSize;
  uint32_t StopReason; ///< result
  uint8_t Overflow;    ///< result: the hardware's buffer was full
};
constexpr uint32_t EndOfRecords = 2; ///< of the hardware's buffer
constexpr size_t DecodeDataSize = LOOPSCOPE_PM_SIZE(DecodeData, Overflow);

/// cuptiPmSamplingGetCounterDataInfo.
struct DataInfo {
  size_t Size;
  void *Private;
  const uint8_t *Data;
  size_t DataSize;
  size_t Total;     ///< result
  size_t Populated; ///< result
  size_t Completed; ///< result
};

/// cuptiPmSamplingCounterDataGetSampleInfo.
struct SampleInfo {
  size_t Size;
  void *Private;
  void *Sampler;
  const uint8_t *Data;
  size_t DataSize;
  size_t Index;
  uint64_t Start; ///< result, by the timestamp callback
  uint64_t End;   ///< result
};

} // namespace loopscope::runtime::cupti

#endif // LOOPSCOPE_GPU_PM_ABI_H
