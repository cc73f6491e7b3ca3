// Compiles only if our declarations of PM sampling equal those of NVIDIA's headers: offsets and sizes
// of fields, and the size that each struct says of itself in this version.
#include <cuda.h>
#include <cupti_result.h>
#include <cupti_version.h>

#include <cupti_pmsampling.h>
#include <cupti_profiler_host.h>
#include <cupti_profiler_target.h>
#include <cupti_target.h>

#include "gpu/pm_abi.h"

namespace ours = loopscope::runtime::cupti;

#define SAME(OURS, FIELD, THEIRS, THEIR_FIELD)                                 \
  static_assert(offsetof(ours::OURS, FIELD) == offsetof(THEIRS, THEIR_FIELD)); \
  static_assert(sizeof(ours::OURS::FIELD) == sizeof(THEIRS::THEIR_FIELD))
#define STRUCT(OURS, THEIRS)                                                   \
  SAME(OURS, Size, THEIRS, structSize);                                        \
  SAME(OURS, Private, THEIRS, pPriv)
// The struct's size doesn't depend on the version.
#define FIXED(OURS, THEIRS)                                                    \
  STRUCT(OURS, THEIRS);                                                        \
  static_assert(sizeof(ours::OURS) == THEIRS##_STRUCT_SIZE)

FIXED(ProfilerInitialize, CUpti_Profiler_Initialize_Params);

STRUCT(ChipName, CUpti_Device_GetChipName_Params);
static_assert(sizeof(ours::ChipName) == CUpti_Device_GetChipName_Params_STRUCT_SIZE);
SAME(ChipName, Device, CUpti_Device_GetChipName_Params, deviceIndex);
SAME(ChipName, Name, CUpti_Device_GetChipName_Params, pChipName);

FIXED(Availability, CUpti_PmSampling_GetCounterAvailability_Params);
SAME(Availability, Device, CUpti_PmSampling_GetCounterAvailability_Params, deviceIndex);
SAME(Availability, ImageSize, CUpti_PmSampling_GetCounterAvailability_Params, counterAvailabilityImageSize);
SAME(Availability, Image, CUpti_PmSampling_GetCounterAvailability_Params, pCounterAvailabilityImage);

STRUCT(HostInitialize, CUpti_Profiler_Host_Initialize_Params);
static_assert(ours::hostInitializeSize(CUPTI_API_VERSION) ==
              CUpti_Profiler_Host_Initialize_Params_STRUCT_SIZE);
SAME(HostInitialize, Kind, CUpti_Profiler_Host_Initialize_Params, profilerType);
SAME(HostInitialize, Chip, CUpti_Profiler_Host_Initialize_Params, pChipName);
SAME(HostInitialize, Availability, CUpti_Profiler_Host_Initialize_Params, pCounterAvailabilityImage);
SAME(HostInitialize, Host, CUpti_Profiler_Host_Initialize_Params, pHostObject);

FIXED(OfHost, CUpti_Profiler_Host_Deinitialize_Params);
SAME(OfHost, Host, CUpti_Profiler_Host_Deinitialize_Params, pHostObject);

FIXED(AddMetrics, CUpti_Profiler_Host_ConfigAddMetrics_Params);
SAME(AddMetrics, Host, CUpti_Profiler_Host_ConfigAddMetrics_Params, pHostObject);
SAME(AddMetrics, Names, CUpti_Profiler_Host_ConfigAddMetrics_Params, ppMetricNames);
SAME(AddMetrics, Count, CUpti_Profiler_Host_ConfigAddMetrics_Params, numMetrics);

FIXED(ConfigSize, CUpti_Profiler_Host_GetConfigImageSize_Params);
SAME(ConfigSize, Host, CUpti_Profiler_Host_GetConfigImageSize_Params, pHostObject);
SAME(ConfigSize, ImageSize, CUpti_Profiler_Host_GetConfigImageSize_Params, configImageSize);

FIXED(ConfigImage, CUpti_Profiler_Host_GetConfigImage_Params);
SAME(ConfigImage, Host, CUpti_Profiler_Host_GetConfigImage_Params, pHostObject);
SAME(ConfigImage, ImageSize, CUpti_Profiler_Host_GetConfigImage_Params, configImageSize);
SAME(ConfigImage, Image, CUpti_Profiler_Host_GetConfigImage_Params, pConfigImage);

FIXED(PassCount, CUpti_Profiler_Host_GetNumOfPasses_Params);
SAME(PassCount, ImageSize, CUpti_Profiler_Host_GetNumOfPasses_Params, configImageSize);
SAME(PassCount, Image, CUpti_Profiler_Host_GetNumOfPasses_Params, pConfigImage);
SAME(PassCount, Passes, CUpti_Profiler_Host_GetNumOfPasses_Params, numOfPasses);

FIXED(Evaluate, CUpti_Profiler_Host_EvaluateToGpuValues_Params);
SAME(Evaluate, Host, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pHostObject);
SAME(Evaluate, Data, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pCounterDataImage);
SAME(Evaluate, DataSize, CUpti_Profiler_Host_EvaluateToGpuValues_Params, counterDataImageSize);
SAME(Evaluate, Index, CUpti_Profiler_Host_EvaluateToGpuValues_Params, rangeIndex);
SAME(Evaluate, Names, CUpti_Profiler_Host_EvaluateToGpuValues_Params, ppMetricNames);
SAME(Evaluate, Count, CUpti_Profiler_Host_EvaluateToGpuValues_Params, numMetrics);
SAME(Evaluate, Values, CUpti_Profiler_Host_EvaluateToGpuValues_Params, pMetricValues);

FIXED(EnableSampling, CUpti_PmSampling_Enable_Params);
SAME(EnableSampling, Device, CUpti_PmSampling_Enable_Params, deviceIndex);
SAME(EnableSampling, Sampler, CUpti_PmSampling_Enable_Params, pPmSamplingObject);

FIXED(OfSampler, CUpti_PmSampling_Start_Params);
SAME(OfSampler, Sampler, CUpti_PmSampling_Start_Params, pPmSamplingObject);
FIXED(OfSampler, CUpti_PmSampling_Stop_Params);
SAME(OfSampler, Sampler, CUpti_PmSampling_Stop_Params, pPmSamplingObject);

STRUCT(SamplingConfig, CUpti_PmSampling_SetConfig_Params);
static_assert(ours::samplingConfigSize(CUPTI_API_VERSION) ==
              CUpti_PmSampling_SetConfig_Params_STRUCT_SIZE);
SAME(SamplingConfig, Sampler, CUpti_PmSampling_SetConfig_Params, pPmSamplingObject);
SAME(SamplingConfig, ImageSize, CUpti_PmSampling_SetConfig_Params, configSize);
SAME(SamplingConfig, Image, CUpti_PmSampling_SetConfig_Params, pConfig);
SAME(SamplingConfig, HardwareBytes, CUpti_PmSampling_SetConfig_Params, hardwareBufferSize);
SAME(SamplingConfig, Interval, CUpti_PmSampling_SetConfig_Params, samplingInterval);
SAME(SamplingConfig, Trigger, CUpti_PmSampling_SetConfig_Params, triggerMode);

FIXED(DataSize, CUpti_PmSampling_GetCounterDataSize_Params);
SAME(DataSize, Sampler, CUpti_PmSampling_GetCounterDataSize_Params, pPmSamplingObject);
SAME(DataSize, Names, CUpti_PmSampling_GetCounterDataSize_Params, pMetricNames);
SAME(DataSize, Count, CUpti_PmSampling_GetCounterDataSize_Params, numMetrics);
SAME(DataSize, MostSamples, CUpti_PmSampling_GetCounterDataSize_Params, maxSamples);
SAME(DataSize, Bytes, CUpti_PmSampling_GetCounterDataSize_Params, counterDataSize);

FIXED(DataInitialize, CUpti_PmSampling_CounterDataImage_Initialize_Params);
SAME(DataInitialize, Sampler, CUpti_PmSampling_CounterDataImage_Initialize_Params, pPmSamplingObject);
SAME(DataInitialize, Bytes, CUpti_PmSampling_CounterDataImage_Initialize_Params, counterDataSize);
SAME(DataInitialize, Data, CUpti_PmSampling_CounterDataImage_Initialize_Params, pCounterData);

STRUCT(DecodeData, CUpti_PmSampling_DecodeData_Params);
static_assert(ours::DecodeDataSize == CUpti_PmSampling_DecodeData_Params_STRUCT_SIZE);
SAME(DecodeData, Sampler, CUpti_PmSampling_DecodeData_Params, pPmSamplingObject);
SAME(DecodeData, Data, CUpti_PmSampling_DecodeData_Params, pCounterDataImage);
SAME(DecodeData, DataSize, CUpti_PmSampling_DecodeData_Params, counterDataImageSize);
SAME(DecodeData, StopReason, CUpti_PmSampling_DecodeData_Params, decodeStopReason);
SAME(DecodeData, Overflow, CUpti_PmSampling_DecodeData_Params, overflow);

FIXED(DataInfo, CUpti_PmSampling_GetCounterDataInfo_Params);
SAME(DataInfo, Data, CUpti_PmSampling_GetCounterDataInfo_Params, pCounterDataImage);
SAME(DataInfo, DataSize, CUpti_PmSampling_GetCounterDataInfo_Params, counterDataImageSize);
SAME(DataInfo, Total, CUpti_PmSampling_GetCounterDataInfo_Params, numTotalSamples);
SAME(DataInfo, Populated, CUpti_PmSampling_GetCounterDataInfo_Params, numPopulatedSamples);
SAME(DataInfo, Completed, CUpti_PmSampling_GetCounterDataInfo_Params, numCompletedSamples);

FIXED(SampleInfo, CUpti_PmSampling_CounterData_GetSampleInfo_Params);
SAME(SampleInfo, Sampler, CUpti_PmSampling_CounterData_GetSampleInfo_Params, pPmSamplingObject);
SAME(SampleInfo, Data, CUpti_PmSampling_CounterData_GetSampleInfo_Params, pCounterDataImage);
SAME(SampleInfo, DataSize, CUpti_PmSampling_CounterData_GetSampleInfo_Params, counterDataImageSize);
SAME(SampleInfo, Index, CUpti_PmSampling_CounterData_GetSampleInfo_Params, sampleIndex);
SAME(SampleInfo, Start, CUpti_PmSampling_CounterData_GetSampleInfo_Params, startTimestamp);
SAME(SampleInfo, End, CUpti_PmSampling_CounterData_GetSampleInfo_Params, endTimestamp);

#define VALUE(OURS, THEIRS)                                                    \
  static_assert(static_cast<int>(ours::OURS) == static_cast<int>(THEIRS))
VALUE(KindPmSampling, CUPTI_PROFILER_TYPE_PM_SAMPLING);
VALUE(TimeTrigger, CUPTI_PM_SAMPLING_TRIGGER_MODE_GPU_TIME_INTERVAL);
VALUE(EndOfRecords, CUPTI_PM_SAMPLING_DECODE_STOP_REASON_END_OF_RECORDS);
VALUE(HardwareBusy, CUPTI_ERROR_HARDWARE_BUSY);
#if CUPTI_API_VERSION >= 26
SAME(SamplingConfig, AppendMode, CUpti_PmSampling_SetConfig_Params, hwBufferAppendMode);
VALUE(KeepLatest, CUPTI_PM_SAMPLING_HARDWARE_BUFFER_APPEND_MODE_KEEP_LATEST);
#endif
#if CUPTI_API_VERSION >= 130200
SAME(HostInitialize, SinglePassSet, CUpti_Profiler_Host_Initialize_Params, pSinglePassMetricSetName);
#endif
