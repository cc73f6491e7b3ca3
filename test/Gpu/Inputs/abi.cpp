// Compiles only if our declarations equal NVIDIA's, in every version of the records.
#include <cuda.h>
#include <cupti.h>
#if __has_include(<cupti_activity_deprecated.h>)
#include <cupti_activity_deprecated.h>
#endif

#include "gpu/cupti_abi.h"

#include <type_traits>

namespace ours = loopscope::runtime::cupti;

// A field of a record has NVIDIA's offset and size.
#define SAME(OURS, FIELD, THEIRS, THEIR_FIELD)                                 \
  static_assert(offsetof(ours::OURS, FIELD) == offsetof(THEIRS, THEIR_FIELD)); \
  static_assert(sizeof(ours::OURS::FIELD) == sizeof(THEIRS::THEIR_FIELD) ||    \
                sizeof(ours::OURS::FIELD) == 3 * sizeof(THEIRS::THEIR_FIELD))

#define KERNEL(T)                                                              \
  SAME(KernelRecord, Kind, T, kind);                                           \
  SAME(KernelRecord, Registers, T, registersPerThread);                        \
  SAME(KernelRecord, Start, T, start);                                         \
  SAME(KernelRecord, End, T, end);                                             \
  SAME(KernelRecord, Device, T, deviceId);                                     \
  SAME(KernelRecord, Context, T, contextId);                                   \
  SAME(KernelRecord, Stream, T, streamId);                                     \
  SAME(KernelRecord, Grid, T, gridX);                                          \
  SAME(KernelRecord, Block, T, blockX);                                        \
  SAME(KernelRecord, StaticShared, T, staticSharedMemory);                     \
  SAME(KernelRecord, DynamicShared, T, dynamicSharedMemory);                   \
  SAME(KernelRecord, Correlation, T, correlationId);                           \
  SAME(KernelRecord, Name, T, name);                                           \
  SAME(KernelRecord, GraphNode, T, graphNodeId);                               \
  SAME(KernelRecord, Graph, T, graphId)

#define WORK(OURS, T)                                                          \
  SAME(OURS, Kind, T, kind);                                                   \
  SAME(OURS, Bytes, T, bytes);                                                 \
  SAME(OURS, Start, T, start);                                                 \
  SAME(OURS, End, T, end);                                                     \
  SAME(OURS, Device, T, deviceId);                                             \
  SAME(OURS, Context, T, contextId);                                           \
  SAME(OURS, Stream, T, streamId);                                             \
  SAME(OURS, Correlation, T, correlationId);                                   \
  SAME(OURS, GraphNode, T, graphNodeId);                                       \
  SAME(OURS, Graph, T, graphId)

#define OVERHEAD(T)                                                            \
  SAME(OverheadRecord, Cause, T, overheadKind);                                \
  SAME(OverheadRecord, Start, T, start);                                       \
  SAME(OverheadRecord, End, T, end)

#define DEVICE(T)                                                              \
  SAME(DeviceRecord, Id, T, id);                                               \
  SAME(DeviceRecord, Name, T, name);                                           \
  SAME(DeviceRecord, IsVisible, T, isCudaVisible);                             \
  SAME(DeviceRecord, IsMig, T, isMigEnabled);                                  \
  SAME(DeviceRecord, GpuInstance, T, gpuInstanceId);                           \
  SAME(DeviceRecord, ComputeInstance, T, computeInstanceId);                   \
  SAME(DeviceRecord, GlobalMemory, T, globalMemorySize);                       \
  SAME(DeviceRecord, ComputeMajor, T, computeCapabilityMajor);                 \
  SAME(DeviceRecord, ComputeMinor, T, computeCapabilityMinor);                 \
  SAME(DeviceRecord, Multiprocessors, T, numMultiprocessors);                  \
  SAME(DeviceRecord, MaxWarps, T, maxWarpsPerMultiprocessor);                  \
  SAME(DeviceRecord, MaxBlocks, T, maxBlocksPerMultiprocessor);                \
  SAME(DeviceRecord, MaxShared, T, maxSharedMemoryPerMultiprocessor);          \
  SAME(DeviceRecord, MaxRegisters, T, maxRegistersPerMultiprocessor)

#define GRAPH(T)                                                               \
  SAME(GraphRecord, Correlation, T, correlationId);                            \
  SAME(GraphRecord, Start, T, start);                                          \
  SAME(GraphRecord, End, T, end);                                              \
  SAME(GraphRecord, Device, T, deviceId);                                      \
  SAME(GraphRecord, Graph, T, graphId);                                        \
  SAME(GraphRecord, Context, T, contextId);                                    \
  SAME(GraphRecord, Stream, T, streamId)

#define MEMORY(T)                                                              \
  SAME(MemoryRecord, Operation, T, memoryOperationType);                       \
  SAME(MemoryRecord, Type, T, memoryKind);                                     \
  SAME(MemoryRecord, Correlation, T, correlationId);                           \
  SAME(MemoryRecord, Address, T, address);                                     \
  SAME(MemoryRecord, Bytes, T, bytes);                                         \
  SAME(MemoryRecord, Time, T, timestamp);                                      \
  SAME(MemoryRecord, Device, T, deviceId);                                     \
  SAME(MemoryRecord, Context, T, contextId)

KERNEL(CUpti_ActivityKernel9);
WORK(CopyRecord, CUpti_ActivityMemcpy5);
WORK(PeerCopyRecord, CUpti_ActivityMemcpyPtoP4);
WORK(SetRecord, CUpti_ActivityMemset4);
SAME(CopyRecord, CopyKind, CUpti_ActivityMemcpy5, copyKind);
SAME(PeerCopyRecord, CopyKind, CUpti_ActivityMemcpyPtoP4, copyKind);
SAME(PeerCopyRecord, TargetDevice, CUpti_ActivityMemcpyPtoP4, dstDeviceId);
OVERHEAD(CUpti_ActivityOverhead);
DEVICE(CUpti_ActivityDevice4);
MEMORY(CUpti_ActivityMemory3);
GRAPH(CUpti_ActivityGraphTrace2);
static_assert(sizeof(CUpti_ActivityGraphTrace2) == 56);
static_assert(sizeof(CUpti_ActivityMemory3) == 120);
#if CUPTI_API_VERSION >= 130000
KERNEL(CUpti_ActivityKernel7);
KERNEL(CUpti_ActivityKernel8);
KERNEL(CUpti_ActivityKernel10);
WORK(CopyRecord, CUpti_ActivityMemcpy6);
WORK(PeerCopyRecord, CUpti_ActivityMemcpyPtoP3);
WORK(SetRecord, CUpti_ActivityMemset3);
OVERHEAD(CUpti_ActivityOverhead2);
OVERHEAD(CUpti_ActivityOverhead3);
SAME(OverheadRecord, Data, CUpti_ActivityOverhead3, overheadData);
DEVICE(CUpti_ActivityDevice5);
MEMORY(CUpti_ActivityMemory2);
MEMORY(CUpti_ActivityMemory4);
static_assert(offsetof(CUpti_ActivityMemory4, name) == 64);
static_assert(offsetof(CUpti_ActivityMemory4, source) == 120);
static_assert(sizeof(CUpti_SubscriberParams) ==
              (CUPTI_API_VERSION >= 130200 ? sizeof(ours::SubscriberParameters)
                                           : ours::SubscriberParametersOf130));
#if CUPTI_API_VERSION >= 130300
SAME(SubscriberParameters, AllowSeveral, CUpti_SubscriberParams,
     allowMultipleSubscribers);
static_assert(ours::TimestampAttribute ==
              CUPTI_ACTIVITY_ATTR_TIMESTAMP_CALLBACK);
static_assert(
    std::is_same_v<decltype(&cuptiActivityEnableAndDump_v2),
                   CUptiResult (*)(CUpti_SubscriberHandle, CUpti_ActivityKind,
                                   CUpti_ActivityConfig *)>);
#endif
SAME(SubscriberParameters, OldName, CUpti_SubscriberParams, oldSubscriberName);
// The replay library's sizes of the records.
static_assert(sizeof(CUpti_ActivityKernel9) == 208);
static_assert(sizeof(CUpti_ActivityKernel10) == 216);
static_assert(sizeof(CUpti_ActivityMemcpy5) == 88);
static_assert(sizeof(CUpti_ActivityMemcpy6) == 96);
static_assert(sizeof(CUpti_ActivityMemcpyPtoP4) == 96);
static_assert(sizeof(CUpti_ActivityMemset4) == 88);
static_assert(sizeof(CUpti_ActivityOverhead2) == 48);
static_assert(sizeof(CUpti_ActivityOverhead3) == 56);
static_assert(sizeof(CUpti_ActivityDevice4) == 176);
static_assert(sizeof(CUpti_ActivityDevice5) == 184);
static_assert(sizeof(CUpti_ActivityMemory4) == 128);
#endif

SAME(CallbackData, Site, CUpti_CallbackData, callbackSite);
SAME(CallbackData, FunctionName, CUpti_CallbackData, functionName);
SAME(CallbackData, SymbolName, CUpti_CallbackData, symbolName);
SAME(CallbackData, CorrelationData, CUpti_CallbackData, correlationData);
SAME(CallbackData, CorrelationId, CUpti_CallbackData, correlationId);

SAME(ResourceData, Context, CUpti_ResourceData, context);
SAME(ResourceData, Descriptor, CUpti_ResourceData, resourceDescriptor);
SAME(GraphData, Node, CUpti_GraphData, node);
SAME(GraphData, OriginalNode, CUpti_GraphData, originalNode);

#define VALUE(OURS, THEIRS)                                                    \
  static_assert(static_cast<int>(ours::OURS) == static_cast<int>(THEIRS))
VALUE(Driver, CUPTI_CB_DOMAIN_DRIVER_API);
VALUE(Runtime, CUPTI_CB_DOMAIN_RUNTIME_API);
VALUE(Resources, CUPTI_CB_DOMAIN_RESOURCE);
VALUE(ContextEnds, CUPTI_CBID_RESOURCE_CONTEXT_DESTROY_STARTING);
VALUE(ModuleUnloads, CUPTI_CBID_RESOURCE_MODULE_UNLOAD_STARTING);
VALUE(GraphNodeCreated, CUPTI_CBID_RESOURCE_GRAPHNODE_CREATED);
VALUE(GraphNodeCloned, CUPTI_CBID_RESOURCE_GRAPHNODE_CLONED);
VALUE(Enter, CUPTI_API_ENTER);
VALUE(Exit, CUPTI_API_EXIT);
VALUE(CopyKind, CUPTI_ACTIVITY_KIND_MEMCPY);
VALUE(SetKind, CUPTI_ACTIVITY_KIND_MEMSET);
VALUE(DeviceKind, CUPTI_ACTIVITY_KIND_DEVICE);
VALUE(ContextKind, CUPTI_ACTIVITY_KIND_CONTEXT);
VALUE(ConcurrentKernelKind, CUPTI_ACTIVITY_KIND_CONCURRENT_KERNEL);
VALUE(OverheadKind, CUPTI_ACTIVITY_KIND_OVERHEAD);
VALUE(PeerCopyKind, CUPTI_ACTIVITY_KIND_MEMCPY2);
VALUE(GraphKind, CUPTI_ACTIVITY_KIND_GRAPH_TRACE);
VALUE(MemoryKind, CUPTI_ACTIVITY_KIND_MEMORY2);
VALUE(Allocation, CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_ALLOCATION);
VALUE(Release, CUPTI_ACTIVITY_MEMORY_OPERATION_TYPE_RELEASE);
VALUE(PinnedMemory, CUPTI_ACTIVITY_MEMORY_KIND_PINNED);
VALUE(DeviceMemory, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE);
VALUE(ArrayMemory, CUPTI_ACTIVITY_MEMORY_KIND_ARRAY);
VALUE(ManagedMemory, CUPTI_ACTIVITY_MEMORY_KIND_MANAGED);
VALUE(DeviceVariable, CUPTI_ACTIVITY_MEMORY_KIND_DEVICE_STATIC);
VALUE(ManagedVariable, CUPTI_ACTIVITY_MEMORY_KIND_MANAGED_STATIC);
VALUE(FlushForced, CUPTI_ACTIVITY_FLAG_FLUSH_FORCED);
VALUE(BufferFlush, CUPTI_ACTIVITY_OVERHEAD_CUPTI_BUFFER_FLUSH);
VALUE(Instrumentation, CUPTI_ACTIVITY_OVERHEAD_CUPTI_INSTRUMENTATION);
VALUE(Resource, CUPTI_ACTIVITY_OVERHEAD_CUPTI_RESOURCE);
VALUE(OutOfMemory, CUPTI_ERROR_OUT_OF_MEMORY);
VALUE(MaxLimitReached, CUPTI_ERROR_MAX_LIMIT_REACHED);
VALUE(NotCompatible, CUPTI_ERROR_NOT_COMPATIBLE);
VALUE(NotInitialized, CUPTI_ERROR_NOT_INITIALIZED);
VALUE(InsufficientPrivileges, CUPTI_ERROR_INSUFFICIENT_PRIVILEGES);
VALUE(MultipleSubscribers, CUPTI_ERROR_MULTIPLE_SUBSCRIBERS_NOT_SUPPORTED);
VALUE(Unknown, CUPTI_ERROR_UNKNOWN);

// Newer than the first CUPTI 12.
#if CUPTI_API_VERSION >= 28
VALUE(State, CUPTI_CB_DOMAIN_STATE);
VALUE(FatalError, CUPTI_CBID_STATE_FATAL_ERROR);
VALUE(LazyFunctionLoading, CUPTI_ACTIVITY_OVERHEAD_LAZY_FUNCTION_LOADING);
VALUE(CommandBufferFull, CUPTI_ACTIVITY_OVERHEAD_COMMAND_BUFFER_FULL);
VALUE(MigDeviceNotSupported, CUPTI_ERROR_MIG_DEVICE_NOT_SUPPORTED);
#endif

// The signatures of the functions that we call.
template <typename> struct Arguments;
template <typename R, typename... A> struct Arguments<R (*)(A...)> {
  static constexpr size_t Count = sizeof...(A);
};
static_assert(Arguments<decltype(&cuptiSubscribe)>::Count == 3);
static_assert(Arguments<decltype(&cuptiEnableCallback)>::Count == 4);
static_assert(Arguments<decltype(&cuptiActivityGetNextRecord)>::Count == 3);
static_assert(Arguments<decltype(&cuptiActivityGetNumDroppedRecords)>::Count ==
              3);
static_assert(Arguments<CUpti_BuffersCallbackRequestFunc>::Count == 3);
static_assert(Arguments<CUpti_BuffersCallbackCompleteFunc>::Count == 5);
