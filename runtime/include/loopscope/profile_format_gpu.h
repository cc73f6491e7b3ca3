/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The GPU part of a profile: device work, waits, memory and events, and the
 * device sampler's metrics. Part of profile_format.h, which has the rules for
 * all records and includes this header.
 *
 * Plain C99, no dependency.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_GPU_H
#define LOOPSCOPE_PROFILE_FORMAT_GPU_H

#include <loopscope/profile_format.h>

/* GPU data, since version 1.1. Device times are on the host's clock, in ticks.
 * An entry is published by its chunk's `used`; its numbers are written by one
 * thread, between an odd and an even `sequence`.
 *
 * Device work is charged to the node that was innermost on the launching thread
 * when the call was made; without an open span there, to the node that stands
 * in for it (LOOPSCOPE_COUNT_GPU_FOREIGN): the main thread's innermost one or,
 * while that thread is outside all spans, that of a thread that trains.
 * LOOPSCOPE_NONE: charged to no node. */

enum loopscope_gpu_kind {
  LOOPSCOPE_GPU_KERNEL = 1, /* or a whole CUDA graph, by its name below */
  LOOPSCOPE_GPU_COPY = 2,
  LOOPSCOPE_GPU_SET = 3,
  LOOPSCOPE_GPU_LAUNCH_CALL = 4, /* events only: a host call that put work on a
                                    device */
  LOOPSCOPE_GPU_WAIT_CALL = 5,   /* events only: a host call that waited */
  LOOPSCOPE_GPU_OTHER_CALL = 6,  /* events only: another CUDA call */
  LOOPSCOPE_GPU_OVERHEAD = 7     /* events only: CUPTI's own */
};

/* The function of work that stands for all work of a CUDA graph's launch, which
 * was recorded as a whole. */
#define LOOPSCOPE_GPU_WHOLE_GRAPH "(CUDA graph)"

/* Directions of copies; 0 for everything else. */
enum loopscope_gpu_direction {
  LOOPSCOPE_GPU_NO_DIRECTION = 0,
  LOOPSCOPE_GPU_HOST_TO_DEVICE = 1,
  LOOPSCOPE_GPU_DEVICE_TO_HOST = 2,
  LOOPSCOPE_GPU_DEVICE_TO_DEVICE = 3,
  LOOPSCOPE_GPU_HOST_TO_HOST = 4,
  LOOPSCOPE_GPU_PEER_TO_PEER = 5,
  LOOPSCOPE_GPU_OTHER_DIRECTION = 6
};

/* A device, and the unions over all its work. Negative: unknown. */
struct loopscope_gpu_device {
  uint32_t id; /* CUDA's ordinal */
  uint32_t sequence;
  int32_t compute_major;
  int32_t compute_minor;
  int32_t multiprocessors;
  int32_t max_warps_per_multiprocessor;
  int32_t max_blocks_per_multiprocessor;
  int32_t max_registers_per_multiprocessor;
  int64_t max_shared_per_multiprocessor; /* bytes */
  int64_t total_memory;                  /* bytes */
  uint64_t first_start_ticks;            /* of any work; UINT64_MAX: none yet */
  uint64_t last_end_ticks;
  uint64_t busy_ticks;   /* union of all work */
  uint64_t kernel_ticks; /* union of kernels */
  uint64_t copy_ticks;   /* union of copies and sets */
  double
      multiprocessor_ticks; /* integral of min(concurrent blocks per SM, 1) */
  struct loopscope_profile_string name;
  /* Since version 1.2: of memory of the kind DEVICE. */
  uint64_t memory_now;       /* bytes that the program holds */
  uint64_t memory_peak;      /* the most that it held */
  uint32_t memory_peak_node; /* whose allocation caused it; only if there is a
                                peak */
  uint32_t reserved32;
  uint64_t memory_bytes_per_s; /* its memory's theoretical most; 0: unknown */
  uint64_t memory_peak_number; /* of memory_peak: 1, 2, ... as they rose */
  uint64_t reserved;
};

/* A kernel's or a CUDA call's name. */
struct loopscope_gpu_function {
  struct loopscope_profile_string name; /* kernels: mangled */
  uint64_t reserved;
};

/* All work of one kind that one node put on one device: kernels by function,
 * copies by direction, sets. */
struct loopscope_gpu_work {
  uint32_t node;     /* LOOPSCOPE_NONE: launch unknown */
  uint32_t function; /* LOOPSCOPE_NONE for copies and sets */
  uint32_t device;   /* id */
  uint32_t sequence;
  uint16_t kind; /* KERNEL, COPY, SET */
  uint16_t direction;
  uint32_t made_in; /* since version 1.2; work of CUDA graphs: 1 + the node that
                       was innermost when the graph's node was made; 0: unknown,
                       and for all other work */
  uint64_t count;
  uint64_t no_time; /* part of count: without time stamps, excluded from the
                       sums below */
  uint64_t sum_ticks;
  uint64_t square_low; /* sum of squares, 128 bits */
  uint64_t square_high;
  uint64_t min_ticks; /* UINT64_MAX if nothing has times */
  uint64_t max_ticks;
  uint64_t bytes;
  uint64_t graph_count; /* part of count: launched through a CUDA graph */
  uint64_t shorter;     /* of count: took less time than the call that launched
                           it */
  uint64_t queue_ticks; /* sum from the end of the launching call to the start,
                           0 where it started earlier */
  double blocks_per_sm_ticks;   /* sum of (blocks / SMs) x ticks; kernels */
  double occupancy_ticks;       /* sum of estimated occupancy (0..1) x ticks */
  double occupancy_known_ticks; /* ticks of kernels with a known occupancy */
  uint64_t busy_ticks;          /* union of its times; only with an entry of
                                   GPU_SAME_WORK for what it is */
  uint64_t reserved[2];
};

/* The union of all work of one name on one device, whoever launched it: of a
 * kernel function, of copies in one direction, of sets. If work has no such
 * entry, the runtime is older than these records or was out of memory. */
struct loopscope_gpu_same_work {
  uint32_t device;   /* id */
  uint32_t function; /* LOOPSCOPE_NONE for copies and sets */
  uint32_t sequence;
  uint16_t kind; /* KERNEL, COPY, SET */
  uint16_t direction;
  uint64_t busy_ticks;
  uint64_t reserved;
};

/* Unions over the work of one node on one device. */
struct loopscope_gpu_node {
  uint32_t node;
  uint32_t device;
  uint32_t sequence;
  uint32_t reserved32;
  uint64_t busy_ticks;   /* union of its work; never more than wall time */
  uint64_t kernel_ticks; /* union of its kernels */
  uint64_t idle_ticks;   /* the device had nothing to do until work of this node
                            arrived; the first work of a run has no idle time */
  uint64_t reserved[3];
};

/* How long a device ran work of exactly these nodes at once. Entries don't
 * overlap in time, so the union of the work of any set of nodes is the sum of
 * the entries with at least one of them. A profile that has GPU_NODES but none
 * of these chunks is from an older runtime. */
#define LOOPSCOPE_GPU_OVERLAP_NODES 24
struct loopscope_gpu_overlap {
  uint32_t device; /* id */
  uint32_t sequence;
  uint32_t count;   /* of nodes, at least 1 */
  uint32_t more;    /* 1: work of further nodes ran as well; else 0 */
  uint32_t kernels; /* bit I: a kernel of nodes[I] ran; else copies and sets
                       alone */
  uint32_t reserved32;
  uint64_t ticks;
  /* Ascending; LOOPSCOPE_NONE: launch unknown. Unused elements are 0. */
  uint32_t nodes[LOOPSCOPE_GPU_OVERLAP_NODES];
};

/* Host time that `waiter` spent in waiting calls while work of `worker` ran.
 * Each moment counts once, for the earliest-started work that is running.
 */
struct loopscope_gpu_wait {
  uint32_t waiter; /* node */
  uint32_t worker; /* node; LOOPSCOPE_NONE: nothing ran */
  uint32_t sequence;
  uint32_t reserved32;
  uint64_t ticks;
};

/* Since version 1.2. The kind of an allocation; CUPTI's other kinds are
 * OTHER_MEMORY. */
enum loopscope_gpu_memory_kind {
  LOOPSCOPE_GPU_DEVICE_MEMORY = 1,  /* also arrays and variables of modules */
  LOOPSCOPE_GPU_MANAGED_MEMORY = 2, /* migrates to where it is used */
  LOOPSCOPE_GPU_PINNED_MEMORY = 3,  /* of the host */
  LOOPSCOPE_GPU_OTHER_MEMORY = 4
};

/* Allocations and frees of one kind of memory by one node on one device. */
struct loopscope_gpu_memory {
  uint32_t node;   /* LOOPSCOPE_NONE: launch unknown */
  uint32_t device; /* id; LOOPSCOPE_NONE for pinned memory */
  uint32_t sequence;
  uint32_t kind; /* enum loopscope_gpu_memory_kind */
  uint64_t allocations;
  uint64_t allocated_bytes;
  uint64_t frees;
  uint64_t freed_bytes;
  uint64_t peak_bytes; /* the most that the program held of this kind on the
                          device when an allocation of this node was made */
  /* Of the kind DEVICE, what the program holds of this node's allocations: now,
   * and at the device's peak number PEAK_NUMBER. If the device has had a later
   * peak, nothing has changed since, and held_bytes is of that one, too. */
  uint64_t held_bytes;
  uint64_t held_at_peak;
  uint64_t peak_number;
};

/* One slot of the ring of memory operations, in the order of their times; see
 * loopscope_gpu_event for its sequence. */
struct loopscope_gpu_memory_event {
  uint64_t sequence;
  uint64_t ticks;
  uint64_t bytes;      /* allocated, or freed */
  uint64_t held_bytes; /* what the program holds of this kind on the device
                          afterwards */
  uint64_t pool_bytes; /* what the device's memory pools hold beyond that, as
                          far as records have said */
  uint32_t node;       /* that allocated or freed; LOOPSCOPE_NONE: unknown, or
                          the end of a context */
  uint32_t device;     /* id; LOOPSCOPE_NONE for pinned memory */
  uint16_t kind;       /* enum loopscope_gpu_memory_kind */
  uint16_t frees;      /* 1: freed, 0: allocated */
  uint32_t reserved;
};

/* What the hardware of a device did, by NVML or CUPTI. X(NUMBER, IDENTIFIER,
 * NAME, UNIT): NUMBER is in the file. Percentages are of wall time, idle time
 * included. */
enum loopscope_gpu_use_unit {
  LOOPSCOPE_USE_PERCENT = 1,
  LOOPSCOPE_USE_BYTES = 2, /* per second */
  LOOPSCOPE_USE_WATTS = 3,
  LOOPSCOPE_USE_HERTZ = 4
};
#define LOOPSCOPE_GPU_USES(X)                                                  \
  /* An SM had a warp; the share of its places for warps that were taken. */   \
  X(0, SmActive, "sm.active", LOOPSCOPE_USE_PERCENT)                           \
  X(1, SmOccupancy, "sm.occupancy", LOOPSCOPE_USE_PERCENT)                     \
  /* Tensor cores of any kind, and by type: half precision (bfloat16 and       \
   * TF32, too), double precision (two ways), integers. */                     \
  X(2, TensorActive, "tensor.active", LOOPSCOPE_USE_PERCENT)                   \
  X(3, TensorHalf, "tensor.half.active", LOOPSCOPE_USE_PERCENT)                \
  X(4, TensorDoubleFma, "tensor.dfma.active", LOOPSCOPE_USE_PERCENT)           \
  X(5, TensorDouble, "tensor.dmma.active", LOOPSCOPE_USE_PERCENT)              \
  X(6, TensorInteger, "tensor.integer.active", LOOPSCOPE_USE_PERCENT)          \
  /* The device's memory, of its theoretical throughput. */                    \
  X(7, DramActive, "dram.active", LOOPSCOPE_USE_PERCENT)                       \
  /* Units beside the tensor cores. */                                         \
  X(8, Fp64Active, "fp64.active", LOOPSCOPE_USE_PERCENT)                       \
  X(9, Fp32Active, "fp32.active", LOOPSCOPE_USE_PERCENT)                       \
  X(10, Fp16Active, "fp16.active", LOOPSCOPE_USE_PERCENT)                      \
  /* Seen from the device. */                                                  \
  X(11, PcieSent, "pcie.sent", LOOPSCOPE_USE_BYTES)                            \
  X(12, PcieReceived, "pcie.received", LOOPSCOPE_USE_BYTES)                    \
  X(13, NvlinkSent, "nvlink.sent", LOOPSCOPE_USE_BYTES)                        \
  X(14, NvlinkReceived, "nvlink.received", LOOPSCOPE_USE_BYTES)                \
  X(15, ClockOfSm, "clocks.sm", LOOPSCOPE_USE_HERTZ)                           \
  /* Of the whole board. */                                                    \
  X(16, Power, "power", LOOPSCOPE_USE_WATTS)                                   \
  /* Time in which clocks were held back by the power limit, heat, or the      \
   * system's power brake. */                                                  \
  X(17, HeldByPower, "held.power", LOOPSCOPE_USE_PERCENT)                      \
  X(18, HeldByHeat, "held.heat", LOOPSCOPE_USE_PERCENT)                        \
  X(19, HeldByBrake, "held.brake", LOOPSCOPE_USE_PERCENT)

/* Whose a window between two readings is. */
enum loopscope_gpu_use_owner {
  LOOPSCOPE_USE_OF_NODE = 0,
  LOOPSCOPE_USE_OF_IDLE = 1, /* no work of the program ran; node is the STEP,
                                loop, epoch, stage or root in which the main
                                thread was at its end */
  LOOPSCOPE_USE_OF_MANY = 2  /* work without a node in common */
};

/* One use of one device, over the windows of one node. A window, together with
 * the time by which its first reading may have been old, belongs to the deepest
 * node below which there was work on the device for 95 % of it; else to the
 * deepest STEP, loop, epoch, stage or root below which there was 95 % of the
 * work's time. So a parent's mean is that over all entries below it, and says
 * nothing of its children.
 *
 * A sample of PM sampling (the counter gpu.counters) has no age, and belongs to
 * the deepest node with 95 % of the work's time. A node that isn't a STEP,
 * loop, epoch, stage or root gets only the part in which there was work; the
 * nearest such node around it gets the rest, with a value of 0, as a window of
 * its own. */
struct loopscope_gpu_use {
  uint32_t node;   /* LOOPSCOPE_NONE: in no tree */
  uint32_t device; /* id */
  uint32_t sequence;
  uint16_t use;   /* number in LOOPSCOPE_GPU_USES */
  uint16_t owner; /* enum loopscope_gpu_use_owner */
  uint64_t windows;
  uint64_t ticks;      /* of the windows */
  uint64_t busy_ticks; /* of the windows, with their age: work of the node and
                          below */
  double integral;     /* sum of value x ticks */
  double min;
  double max;
};

/* One slot of the GPU timeline's ring. Each use writes it once: first the
 * fields, then `sequence`, which is 0 meanwhile. */
struct loopscope_gpu_event {
  uint64_t sequence; /* 1, 2, ... in order of writing; 0: unused */
  uint64_t start_ticks;
  uint64_t end_ticks;
  uint16_t kind;      /* enum loopscope_gpu_kind */
  uint16_t direction; /* copies */
  uint32_t node;
  uint32_t function; /* kernels and calls */
  uint32_t device;   /* id; LOOPSCOPE_NONE for calls */
  uint32_t context;
  uint32_t stream;
  uint32_t correlation; /* of device work and the call that launched it */
  uint32_t thread;      /* calls: thread index, LOOPSCOPE_NONE without a tree */
  uint32_t grid[3];     /* kernels; all 0 when unknown */
  uint32_t block[3];
  uint32_t registers; /* per thread */
  uint32_t static_shared;
  uint32_t dynamic_shared;
  uint32_t graph; /* id of the CUDA graph; 0: none */
  uint64_t graph_node;
  uint64_t bytes;
  float occupancy; /* 0..1; negative: unknown */
  uint32_t tid;    /* calls: kernel thread id */
  /* Since version 1.2. */
  uint32_t made_in;  /* see loopscope_gpu_work */
  uint32_t callback; /* calls: CUPTI's callback domain << 24 | id; 0: unknown */
};

enum loopscope_metric_unit {
  LOOPSCOPE_UNIT_PERCENT = 1,
  LOOPSCOPE_UNIT_BYTES = 2,
  LOOPSCOPE_UNIT_WATTS = 3,
  LOOPSCOPE_UNIT_CELSIUS = 4,
  LOOPSCOPE_UNIT_HERTZ = 5,
  LOOPSCOPE_UNIT_COUNT = 6
};

/* What the device sampler measures of the host and the process, and of each
 * GPU. X(IDENTIFIER, NAME, UNIT): NAME is in the file, IDENTIFIER is used in
 * the sources. Readers keep metrics that they don't know. */
#define LOOPSCOPE_HOST_METRICS(X)                                              \
  X(CpuPercent, "cpu_percent", LOOPSCOPE_UNIT_PERCENT)                         \
  X(CpuVmPercent, "cpu_vm_percent", LOOPSCOPE_UNIT_PERCENT)                    \
  X(CpuSwapPercent, "cpu_swap_percent", LOOPSCOPE_UNIT_PERCENT)                \
  X(ProcessCpuPercent, "process_cpu_percent", LOOPSCOPE_UNIT_PERCENT)          \
  X(ProcessRss, "process_rss", LOOPSCOPE_UNIT_BYTES)                           \
  X(ProcessThreads, "process_threads", LOOPSCOPE_UNIT_COUNT)                   \
  X(CpuThrottledPercent, "cpu_throttled_percent", LOOPSCOPE_UNIT_PERCENT)      \
  X(CpuThrottledPeriods, "cpu_throttled_periods", LOOPSCOPE_UNIT_PERCENT)      \
  X(MemoryPressureSome, "memory_pressure_some", LOOPSCOPE_UNIT_PERCENT)        \
  X(MemoryPressureFull, "memory_pressure_full", LOOPSCOPE_UNIT_PERCENT)
#define LOOPSCOPE_GPU_METRICS(X)                                               \
  X(UtilizationGpu, "utilization.gpu", LOOPSCOPE_UNIT_PERCENT)                 \
  X(UtilizationMemory, "utilization.memory", LOOPSCOPE_UNIT_PERCENT)           \
  X(MemoryUsed, "memory.used", LOOPSCOPE_UNIT_BYTES)                           \
  X(MemoryTotal, "memory.total", LOOPSCOPE_UNIT_BYTES)                         \
  X(PowerDraw, "power.draw", LOOPSCOPE_UNIT_WATTS)                             \
  X(TemperatureGpu, "temperature.gpu", LOOPSCOPE_UNIT_CELSIUS)                 \
  X(ClockSm, "clocks.sm", LOOPSCOPE_UNIT_HERTZ)                                \
  X(ClockMemory, "clocks.mem", LOOPSCOPE_UNIT_HERTZ)

struct loopscope_metric {
  struct loopscope_profile_string name;
  uint32_t unit;   /* enum loopscope_metric_unit */
  uint32_t device; /* CUDA's ordinal; NVML's index where the program has no CUDA
                      driver loaded; LOOPSCOPE_NONE: the host or the process */
  struct loopscope_profile_string device_name;
};

/* The samples of one metric while `node` stood in for threads without a span (a
 * parent's samples are those of its subtree). LOOPSCOPE_NONE: none did. */
struct loopscope_metric_sum {
  uint32_t metric; /* index */
  uint32_t node;
  uint32_t sequence;
  uint32_t reserved32;
  uint64_t count;
  double sum;
  double min;
  double max;
  double last;
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_device) == 160)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_function) == 24)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_work) == 160)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_node) == 64)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_overlap) == 128)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_same_work) == 32)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_wait) == 24)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_event) == 128)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_metric) == 40)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_metric_sum) == 56)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_memory) == 80)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_memory_event) == 56)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_gpu_use) == 64)

#endif /* LOOPSCOPE_PROFILE_FORMAT_GPU_H */
