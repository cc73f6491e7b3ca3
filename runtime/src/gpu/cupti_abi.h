// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The part of CUPTI's binary interface that the runtime uses, declared here so
// that the build needs no CUDA headers. CUPTI 12 and 13; a test compares it
// with NVIDIA's headers where they are installed.
//
// Between these versions records only grew at the end, so one prefix fits all
// of them: kernels 7 to 10, copies 5 and 6, peer copies 3 and 4, sets 3 and 4,
// overheads 1 to 3, devices 4 and 5, memory 2 to 4, graphs 1 and 2. CUPTI
// itself iterates over records, because it knows their sizes.

#ifndef LOOPSCOPE_GPU_CUPTI_ABI_H
#define LOOPSCOPE_GPU_CUPTI_ABI_H

#include <stddef.h>
#include <stdint.h>

namespace loopscope::runtime::cupti {

using Result = int;
enum ResultCode : int {
  Success = 0,
  OutOfMemory = 8,
  MaxLimitReached = 12, ///< for a buffer: it has been read
  NotCompatible = 14,
  NotInitialized = 15,
  HardwareBusy = 26,
  VirtualizedDeviceNotSupported = 33,
  InsufficientPrivileges = 35,
  OldProfilerInitialized = 36,
  MultipleSubscribers = 39,
  VirtualizedDeviceInsufficientPrivileges = 40,
  ConfidentialComputingNotSupported = 41,
  MiningDeviceNotSupported = 42,
  MigDeviceNotSupported = 43,
  SliDeviceNotSupported = 44,
  WslDeviceNotSupported = 45,
  Unknown = 999
};

enum CallbackDomain : uint32_t {
  Driver = 1,
  Runtime = 2,
  Resources = 3,
  State = 6
};
enum CallbackSite : uint32_t { Enter = 0, Exit = 1 };
/// In the domain State: CUPTI gives up and detaches itself.
constexpr uint32_t FatalError = 1;

/// Argument of callbacks in the domains Driver and Runtime.
struct CallbackData {
  uint32_t Site;
  const char *FunctionName;
  const void *Parameters;
  void *ReturnValue;      ///< int32_t, 0 for success; at the exit of a call
  const char *SymbolName; ///< for launches, the kernel's name; else invalid
  void *Context;
  uint32_t ContextUid;
  uint64_t *CorrelationData; ///< shared by the enter and the exit of a call
  uint32_t CorrelationId;
};

/// In the domain Resources: a context or module is about to go; a graph node
/// was made, or copied with its graph.
enum ResourceEvent : uint32_t {
  ContextEnds = 2,
  ModuleUnloads = 7,
  GraphNodeCreated = 13,
  GraphNodeCloned = 20
};

/// Argument of callbacks in the domain Resources.
struct ResourceData {
  void *Context;
  void *Stream;
  const void *Descriptor; ///< for graph nodes: GraphData
};

struct GraphData {
  void *Graph;
  void *OriginalGraph;
  void *Node;
  void *OriginalNode; ///< Node was cloned from it
  int NodeType;
  void *Dependency;
  void *Runnable;
};

enum ActivityKind : uint32_t {
  CopyKind = 1,
  SetKind = 2,
  DeviceKind = 8,
  ContextKind = 9,
  ConcurrentKernelKind = 10,
  OverheadKind = 17,
  PeerCopyKind = 22,
  MemoryKind = 49, // CUPTI_ACTIVITY_KIND_MEMORY2
  GraphKind = 51   ///< whole graphs, in place of their nodes
};

/// CUPTI_ACTIVITY_FLAG_FLUSH_FORCED: records that are not complete, too.
constexpr uint32_t FlushForced = 1;

struct Record {
  uint32_t Kind;
};

struct KernelRecord {
  uint32_t Kind;
  uint8_t CacheConfig;
  uint8_t SharedMemoryConfig;
  uint16_t Registers; ///< per thread
  uint32_t PartitionedCacheRequested;
  uint32_t PartitionedCacheExecuted;
  uint64_t Start; ///< ns
  uint64_t End;
  uint64_t Completed;
  uint32_t Device;
  uint32_t Context;
  uint32_t Stream;
  int32_t Grid[3];
  int32_t Block[3];
  int32_t StaticShared; ///< bytes
  int32_t DynamicShared;
  uint32_t LocalPerThread;
  uint32_t LocalTotal;
  uint32_t Correlation;
  int64_t GridId;
  const char *Name;
  void *Reserved;
  uint64_t Queued;
  uint64_t Submitted;
  uint8_t LaunchType;
  uint8_t CarveoutRequested[3];
  uint32_t SharedExecuted; ///< bytes that the driver allocated
  uint64_t GraphNode;
  uint32_t SharedLimitConfig;
  uint32_t Graph; ///< 0: not launched by a graph
};

struct CopyRecord {
  uint32_t Kind;
  uint8_t CopyKind;
  uint8_t SourceKind;
  uint8_t TargetKind;
  uint8_t Flags;
  uint64_t Bytes;
  uint64_t Start;
  uint64_t End;
  uint32_t Device;
  uint32_t Context;
  uint32_t Stream;
  uint32_t Correlation;
  uint32_t RuntimeCorrelation;
  uint32_t Padding;
  void *Reserved;
  uint64_t GraphNode;
  uint32_t Graph;
};

struct PeerCopyRecord {
  uint32_t Kind;
  uint8_t CopyKind;
  uint8_t SourceKind;
  uint8_t TargetKind;
  uint8_t Flags;
  uint64_t Bytes;
  uint64_t Start;
  uint64_t End;
  uint32_t Device;
  uint32_t Context;
  uint32_t Stream;
  uint32_t SourceDevice;
  uint32_t SourceContext;
  uint32_t TargetDevice;
  uint32_t TargetContext;
  uint32_t Correlation;
  void *Reserved;
  uint64_t GraphNode;
  uint32_t Graph;
};

struct SetRecord {
  uint32_t Kind;
  uint32_t Value;
  uint64_t Bytes;
  uint64_t Start;
  uint64_t End;
  uint32_t Device;
  uint32_t Context;
  uint32_t Stream;
  uint32_t Correlation;
  uint16_t Flags;
  uint16_t MemoryKind;
  uint32_t Padding;
  void *Reserved;
  uint64_t GraphNode;
  uint32_t Graph;
};

/// The whole launch of a CUDA graph, in place of records of its nodes.
struct GraphRecord {
  uint32_t Kind;
  uint32_t Correlation;
  uint64_t Start;
  uint64_t End;
  uint32_t Device; ///< the first node's; OnHost
  uint32_t Graph;
  uint32_t Context;
  uint32_t Stream;
  void *Reserved;
};
constexpr uint32_t OnHost = 0x7fffffff;

/// Of MemoryRecord.
enum MemoryOperation : uint32_t { Allocation = 1, Release = 2 };
enum MemoryType : uint32_t {
  PinnedMemory = 2,
  DeviceMemory = 3,
  ArrayMemory = 4,
  ManagedMemory = 5,
  DeviceVariable = 6,
  ManagedVariable = 7
};

struct MemoryRecord {
  uint32_t Kind;
  uint32_t Operation;
  uint32_t Type;
  uint32_t Correlation;
  uint64_t Address;
  uint64_t Bytes;
  uint64_t Time; ///< ns
  uint64_t Caller;
  uint32_t Process;
  uint32_t Device;
  uint32_t Context;
  uint32_t Stream;
  const char *Name;
  uint32_t IsAsync;
  uint32_t Reserved;
  // Of the memory pool; sizes are known of LocalPool.
  uint32_t PoolType;
  uint32_t PoolReserved;
  uint64_t PoolAddress;
  uint64_t PoolThreshold;
  uint64_t PoolBytes;
  uint64_t PoolUsedBytes;
};
/// Of MemoryRecord::PoolType.
constexpr uint32_t LocalPool = 1;

/// Of OverheadRecord.
enum OverheadCause : uint32_t {
  BufferFlush = 1U << 16,
  Instrumentation = 2U << 16,
  Resource = 3U << 16,
  ModuleLoading = 4U << 16,
  LazyFunctionLoading = 5U << 16,
  CommandBufferFull = 6U << 16
};

struct OverheadRecord {
  uint32_t Kind;
  uint32_t Cause;
  uint32_t ObjectKind;
  uint32_t Object[3];
  uint64_t Start;
  uint64_t End;
  uint32_t Correlation; ///< since CUPTI 12.2
  uint32_t Reserved;
  void *Data; ///< in CUPTI 13: allocated with malloc, the reader frees it; may
              ///< be null
};

struct DeviceRecord {
  uint32_t Kind;
  uint32_t Flags;
  uint64_t GlobalBandwidth; ///< of the memory, in 1000 bytes a second
  uint64_t GlobalMemory;    ///< bytes
  uint32_t ConstantMemory;
  uint32_t L2Cache;
  uint32_t ThreadsPerWarp;
  uint32_t CoreClock;
  uint32_t CopyEngines;
  uint32_t Multiprocessors;
  uint32_t MaxIpc;
  uint32_t MaxWarps; ///< per multiprocessor, like all below
  uint32_t MaxBlocks;
  uint32_t MaxShared; ///< bytes
  uint32_t MaxRegisters;
  uint32_t MaxRegistersPerBlock;
  uint32_t MaxSharedPerBlock;
  uint32_t MaxThreadsPerBlock;
  uint32_t MaxBlockSize[3];
  uint32_t MaxGridSize[3];
  uint32_t ComputeMajor;
  uint32_t ComputeMinor;
  uint32_t Id;
  uint32_t EccEnabled;
  uint8_t Uuid[16];
  const char *Name;
  uint8_t IsVisible; ///< to the program
  uint8_t IsMig;     ///< a GPU instance, with ids
  uint8_t Reserved[6];
  uint32_t GpuInstance;
  uint32_t ComputeInstance;
  uint8_t MigUuid[16];
};

/// For cuptiSubscribe_v2.
struct SubscriberParameters {
  size_t StructSize;
  const char *Name;
  char *OldName; ///< the subscriber that holds CUPTI, if the call is refused
  size_t OldNameSize;
  uint8_t AllowSeveral; ///< since CUPTI 13.3: several subscribers
  uint8_t Padding[7];
};
/// The struct's size without AllowSeveral.
constexpr size_t SubscriberParametersOf130 = 32;

/// For cuptiActivitySetAttribute_v2: sets a TimestampCallback.
constexpr uint32_t TimestampAttribute = 22;
/// Size of a buffer on a device, their largest number in a context, and
/// whether they lie in pinned host memory instead. size_t; the last uint8_t.
constexpr uint32_t BufferBytesAttribute = 0;
constexpr uint32_t BufferLimitAttribute = 2;
constexpr uint32_t BuffersOnHostAttribute = 8;

using Callback = void (*)(void *Data, uint32_t Domain, uint32_t Id,
                          const void *CallbackData);
using BufferRequested = void (*)(uint8_t **Buffer, size_t *Size,
                                 size_t *MaxRecords);
using BufferCompleted = void (*)(void *Context, uint32_t Stream,
                                 uint8_t *Buffer, size_t Size,
                                 size_t ValidSize);
/// The same for one of several subscribers; CALL has details that we don't
/// need.
using SharedBufferRequested = void (*)(uint8_t **Buffer, size_t *Size,
                                       size_t *MaxRecords, void *Call);
using SharedBufferCompleted = void (*)(uint8_t *Buffer, size_t Size,
                                       size_t ValidSize, void *Call);
using TimestampCallback = uint64_t (*)();
using Subscriber = void *;

} // namespace loopscope::runtime::cupti

#endif // LOOPSCOPE_GPU_CUPTI_ABI_H
