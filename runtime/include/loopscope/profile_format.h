/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The layout of a Loopscope profile file, for the runtime that writes it and
 * the reader that maps it. docs/profile-format.md explains it in prose.
 *
 * A profile is a header page followed by chunks, back to back. The file is the
 * runtime's live memory (MAP_SHARED), so a reader must expect a writer that is
 * still running, and one that died between any two stores:
 *   - an entry exists once its `state` (or its chunk's `used`) says so; both
 * are stored with release order after the entry's other fields;
 *   - a node that is being updated has an odd `sequence`.
 * All numbers are little-endian. Times are in clock ticks, see
 * loopscope_profile_header::clock_kind. Nothing in a profile may be trusted by
 * a reader: every offset, count and string has to be checked against the file.
 *
 * Plain C99, no dependency. GPU records and samples of devices are in
 * profile_format_gpu.h, counters and sums under names in profile_format_sums.h,
 * stacks in profile_format_stacks.h, links between operators in
 * profile_format_operators.h, keys in profile_format_keys.h, ranges that need
 * not nest in profile_format_ranges.h, experiments in profile_format_whatif.h,
 * collectives in profile_format_comm.h, facts in profile_format_facts.h,
 * numbers over time in profile_format_values.h, the history in
 * profile_format_history.h, the parts of a run in profile_format_parts.h, which
 * this header includes.
 */
#ifndef LOOPSCOPE_PROFILE_FORMAT_H
#define LOOPSCOPE_PROFILE_FORMAT_H

#include <stdint.h>

#define LOOPSCOPE_PROFILE_MAGIC "LOOPSCP\n"
/* A reader refuses other major versions, and ignores what newer minor versions
 * add.
 */
#define LOOPSCOPE_PROFILE_VERSION_MAJOR 1
#define LOOPSCOPE_PROFILE_VERSION_MINOR 4
/* Minor versions: 1 added GPU and device records, 2 the device's memory and
 * where the nodes of CUDA graphs were made, 3 the run's name and the rank's
 * source, 4 keys. Older readers take nodes that differ in their keys for one.
 */
/* Header size, and alignment of every chunk in the file. */
#define LOOPSCOPE_PROFILE_PAGE 4096u
#define LOOPSCOPE_CHUNK_MAGIC 0x4b43534cu /* "LSCK" */
/* "No such index" for node, site and thread indices. */
#define LOOPSCOPE_NONE 0xffffffffu

/* Checks at compile time that a structure has the size of the file format; does
 * nothing in languages older than C11 and C++11. */
#if defined(__cplusplus)
#define LOOPSCOPE_FORMAT_CHECK_(CONDITION)                                     \
  static_assert(CONDITION, "file format");
#elif defined(__STDC_VERSION__) && __STDC_VERSION__ >= 201112L
#define LOOPSCOPE_FORMAT_CHECK_(CONDITION)                                     \
  _Static_assert(CONDITION, "file format");
#else
#define LOOPSCOPE_FORMAT_CHECK_(CONDITION)
#endif

/* What a node or site stands for, in the terms of the annotation language. */
enum loopscope_kind {
  LOOPSCOPE_KIND_ROOT = 0,  /* a thread's root node; no site */
  LOOPSCOPE_KIND_PHASE = 1, /* [[loopscope::phase("name")]] */
  LOOPSCOPE_KIND_FIT = 2,   /* stages */
  LOOPSCOPE_KIND_VALIDATE = 3,
  LOOPSCOPE_KIND_TEST = 4,
  LOOPSCOPE_KIND_PREDICT = 5,
  LOOPSCOPE_KIND_EPOCH = 6,     /* one iteration of an epoch loop */
  LOOPSCOPE_KIND_TRAIN = 7,     /* one execution of a training loop */
  LOOPSCOPE_KIND_VALID = 8,     /* one execution of a validation loop */
  LOOPSCOPE_KIND_STEP = 9,      /* child of TRAIN/VALID: draw + batch */
  LOOPSCOPE_KIND_DRAW = 10,     /* child of STEP: waiting for the batch */
  LOOPSCOPE_KIND_BATCH = 11,    /* child of STEP: the rest */
  LOOPSCOPE_KIND_FUNCTION = 12, /* function mode */
  LOOPSCOPE_KIND_WAIT = 13, /* [[loopscope::wait]]; readers that don't know a
                               kind take it for a phase */
  LOOPSCOPE_KIND_COLLECTIVE = 14, /* [[loopscope::collective]] */
  LOOPSCOPE_KIND_OPERATOR = 15,   /* of LibTorch, from operators= */
  LOOPSCOPE_KIND_SERVED = 16 /* below a root: what the thread did for a phase
                                of another thread, which `samples` names */
};

enum loopscope_clock_kind {
  LOOPSCOPE_CLOCK_TSC = 1, /* invariant time stamp counter */
  LOOPSCOPE_CLOCK_MONOTONIC =
      2 /* clock_gettime(CLOCK_MONOTONIC), 1 tick = 1 ns */
};

/* How the run ended, as far as the runtime could see. */
enum loopscope_end_state {
  LOOPSCOPE_END_RUNNING = 0, /* still running, or killed without notice */
  LOOPSCOPE_END_EXITED = 1,  /* exit() or return from main */
  LOOPSCOPE_END_SIGNAL = 2,  /* a fatal signal; end_code is its number */
  LOOPSCOPE_END_EXEC = 3     /* reserved */
};

/* Counters of what was lost or repaired: loopscope/profile_counters.h. */
enum { LOOPSCOPE_COUNT_MAX = 32 };

enum loopscope_profile_flag {
  LOOPSCOPE_FLAG_ANONYMOUS = 1u << 0,      /* (partly) in anonymous memory */
  LOOPSCOPE_FLAG_TSC_DISTRUSTED = 1u << 1, /* a TSC exists, but isn't trusted */
  LOOPSCOPE_FLAG_FORKED = 1u << 2, /* this process is a fork()ed child */
  LOOPSCOPE_FLAG_COPY = 1u << 3,   /* part of a merged file, without a timeline;
                                      of a running process as it was then */
  LOOPSCOPE_FLAG_PRIVATE = 1u << 4, /* no command line; HTML pages of it embed
                                       no source */
  LOOPSCOPE_FLAG_PART = 1u << 5,    /* of a running process, as it was when it
                                       called loopscope_reset at end_ticks */
  LOOPSCOPE_FLAG_DIVIDED = 1u << 6, /* only what came after its last record of
                                       PARTS: a copy that a reader made */
  LOOPSCOPE_FLAG_BRIEF = 1u << 7    /* a copy without what
                                       LOOPSCOPE_SUMMARY_LEAVES_OUT names, and
                                       with fewer single steps */
};

/* Whether the profile has GPU data; gpu_note in the header says why not. */
enum loopscope_gpu_state {
  LOOPSCOPE_GPU_UNUSED = 0, /* the program didn't use CUDA, or gpu=off */
  LOOPSCOPE_GPU_ON = 1, /* collected up to the end, or still being collected */
  LOOPSCOPE_GPU_MISSING = 2, /* it could not be collected at all */
  LOOPSCOPE_GPU_STOPPED = 3  /* collected until gpu_end_ticks, then lost */
};

enum loopscope_mode {
  LOOPSCOPE_MODE_OFF = 0,
  LOOPSCOPE_MODE_SIMPLE = 1,
  LOOPSCOPE_MODE_ADVANCED = 2,
  LOOPSCOPE_MODE_TRACE = 3
};

/* The first part of run_id if no launcher names the run. The rest then
 * identifies the process that started the ranks; the ranks of one host may
 * share it. */
#define LOOPSCOPE_RUN_ID_PARENT "parent "

/* The first page of the file. Strings are NUL-terminated, truncated at the
 * front (paths, "..." first) or the end (the rest) when too long. */
struct loopscope_profile_header {
  char magic[8];
  uint16_t version_major;
  uint16_t version_minor;
  uint32_t header_size; /* LOOPSCOPE_PROFILE_PAGE */
  /* Bytes of the file that hold published chunks, this page included. */
  uint64_t used_bytes;

  int32_t pid;
  int32_t parent_pid;
  int32_t rank;              /* of a distributed run; -1 outside one */
  int32_t world_size;        /* 0 when unknown */
  int64_t start_realtime_ns; /* CLOCK_REALTIME at start_ticks */

  /* Clock: ticks and CLOCK_MONOTONIC read together at start, again from time to
   * time, and at the end (guarded by calibration_sequence, which is odd while
   * they are written). ns = (t - start_ticks) * (last_ns - start_ns) /
   * (last_ticks - start_ticks), or by nominal_hz while the two readings are
   * less than 10 ms apart. */
  uint32_t clock_kind;
  uint32_t calibration_sequence;
  uint64_t start_ticks;
  uint64_t start_ns;
  uint64_t last_ticks;
  uint64_t last_ns;
  uint64_t nominal_hz;

  uint32_t end_state; /* enum loopscope_end_state */
  int32_t end_code;
  uint64_t end_ticks; /* 0 until the run has ended */

  /* The cost of one span's own hooks, measured at start-up, in 1/1024 tick: the
   * part inside the span's measured time, and the part that its parent's time
   * has. */
  uint64_t hook_inside_ticks1024;
  uint64_t hook_outside_ticks1024;

  uint32_t mode; /* enum loopscope_mode */
  uint32_t flags;
  uint32_t warmup_steps;
  uint32_t
      warmup_per_epoch; /* 0: first steps of the run, 1: of every loop run */
  uint64_t threads_started;

  uint64_t counters[LOOPSCOPE_COUNT_MAX];

  char host[64];
  char program[256]; /* executable path */
  char working_directory[512];
  char command_line[1024]; /* arguments joined by spaces */
  char options[256];       /* LOOPSCOPE= as given */

  /* window=wait:warmup:active:repeat, counted in steps of each loop. active 0:
   * no window; repeat 0: repeats forever. */
  uint32_t window_wait;
  uint32_t window_warmup;
  uint32_t window_active;
  uint32_t window_repeat;
  /* The timeline's size limit in bytes; 0: unlimited. */
  uint64_t event_bytes_limit;

  /* Since version 1.1. */
  uint32_t gpu_state;     /* enum loopscope_gpu_state */
  uint32_t cupti_version; /* as cuptiGetVersion gives it; 0 without CUPTI */
  uint64_t gpu_start_ticks;
  uint64_t gpu_end_ticks;  /* 0 while collection goes on */
  uint64_t gpu_launches;   /* calls that put work on a device, so far */
  uint64_t gpu_records;    /* records of device work received, so far */
  uint64_t gpu_cost_ticks; /* spent in our CUPTI callbacks on host threads */
  uint64_t gpu_overhead_ticks[4]; /* CUPTI's own overhead records: 0 buffer
                                     flush, 1 instrumentation, 2 resource
                                     (lazy loading), 3 other */
  uint32_t sampler_ms;            /* the device sampler's interval; 0: off */
  uint32_t in_finalize;  /* 1 from when the process came to MPI_Finalize on */
  char gpu_note[256];    /* why GPU data is missing or incomplete; "" if not */
  char gpu_library[256]; /* path of the loaded CUPTI */
  uint64_t sampler_rounds;  /* rounds of the device sampler, so far */
  uint64_t sampler_cost_ns; /* CPU time that its thread spent in them */
  char sampler_note[192];   /* why metrics are missing; "" if all are there */

  /* Since version 1.3. */
  char run_id[128];     /* for a rank: the same in all ranks of its run; if it
                           begins with LOOPSCOPE_RUN_ID_PARENT, the same in all
                           ranks that one process started */
  char rank_source[32]; /* the variable that gave the rank; "" if none did */
  /* CLOCK_REALTIME when last_ns was read, to see how far this host's clock
   * drifted from another's. */
  int64_t last_realtime_ns;
};

/* Prefix of a LOOPSCOPE_CHUNK_MISSING text that lists functions without a hook
 * because an earlier run showed them to be small: "FILE:LINE:COLUMN NAME",
 * separated by "; ". */
#define LOOPSCOPE_SMALL_FUNCTIONS "small functions: "

enum loopscope_chunk_type {
  LOOPSCOPE_CHUNK_STRINGS = 1, /* bytes; `used` counts bytes */
  LOOPSCOPE_CHUNK_SITES = 2,   /* struct loopscope_profile_site[] */
  LOOPSCOPE_CHUNK_THREADS = 3, /* struct loopscope_profile_thread[] */
  LOOPSCOPE_CHUNK_NODES = 4,   /* struct loopscope_profile_node[capacity], then
                                  struct loopscope_histogram[capacity] */
  LOOPSCOPE_CHUNK_EVENTS = 5,  /* struct loopscope_event_block[] (trace mode) */
  LOOPSCOPE_CHUNK_MISSING = 6, /* source files and functions built without
                                  hooks: string references, see
                                  loopscope_profile_string */
  LOOPSCOPE_CHUNK_GPU_DEVICES = 7,    /* struct loopscope_gpu_device[] */
  LOOPSCOPE_CHUNK_GPU_FUNCTIONS = 8,  /* struct loopscope_gpu_function[] */
  LOOPSCOPE_CHUNK_GPU_WORK = 9,       /* struct loopscope_gpu_work[] */
  LOOPSCOPE_CHUNK_GPU_NODES = 10,     /* struct loopscope_gpu_node[] */
  LOOPSCOPE_CHUNK_GPU_WAITS = 11,     /* struct loopscope_gpu_wait[] */
  LOOPSCOPE_CHUNK_GPU_EVENTS = 12,    /* struct loopscope_gpu_event[]: together
                                         the slots of one ring (trace mode) */
  LOOPSCOPE_CHUNK_METRICS = 13,       /* struct loopscope_metric[] */
  LOOPSCOPE_CHUNK_METRIC_SUMS = 14,   /* struct loopscope_metric_sum[] */
  LOOPSCOPE_CHUNK_GPU_MEMORY = 15,    /* struct loopscope_gpu_memory[] */
  LOOPSCOPE_CHUNK_COUNTERS = 16,      /* struct loopscope_counter_value[] */
  LOOPSCOPE_CHUNK_NODE_SUMS = 17,     /* struct loopscope_node_sum[] */
  LOOPSCOPE_CHUNK_GPU_OVERLAPS = 18,  /* struct loopscope_gpu_overlap[] */
  LOOPSCOPE_CHUNK_WHATIF = 19,        /* struct loopscope_whatif_block[] */
  LOOPSCOPE_CHUNK_GPU_SAME_WORK = 20, /* struct loopscope_gpu_same_work[] */
  LOOPSCOPE_CHUNK_COLLECTIVES = 21,   /* struct loopscope_collective[]: together
                                         the slots of one ring */
  LOOPSCOPE_CHUNK_STACKS = 22,  /* struct loopscope_stack[], a hash table */
  LOOPSCOPE_CHUNK_CODE = 23,    /* struct loopscope_code[] */
  LOOPSCOPE_CHUNK_PEERS = 24,   /* struct loopscope_peer[], a hash table */
  LOOPSCOPE_CHUNK_HISTORY = 25, /* struct loopscope_history_bin[] */
  LOOPSCOPE_CHUNK_HISTORY_STEPS = 26, /* struct loopscope_history_steps[] */
  LOOPSCOPE_CHUNK_HISTORY_LANES = 27, /* struct loopscope_history_lane[] */
  LOOPSCOPE_CHUNK_RANGES = 30,        /* struct loopscope_range[] */
  LOOPSCOPE_CHUNK_OPERATOR_LINKS =
      31, /* struct loopscope_operator_link[], a hash table */
  LOOPSCOPE_CHUNK_GPU_USE = 32,     /* struct loopscope_gpu_use[] */
  LOOPSCOPE_CHUNK_FRAMES = 33,      /* struct loopscope_frame[], a hash table */
  LOOPSCOPE_CHUNK_OWN_STEPS = 34,   /* struct loopscope_own_step[], a ring */
  LOOPSCOPE_CHUNK_NODE_KEYS = 35,   /* struct loopscope_node_key[] */
  LOOPSCOPE_CHUNK_FACTS = 36,       /* struct loopscope_fact_record[] */
  LOOPSCOPE_CHUNK_VALUES = 37,      /* struct loopscope_value_record[] */
  LOOPSCOPE_CHUNK_CALL_COUNTS = 40, /* struct loopscope_call_count[] */
  LOOPSCOPE_CHUNK_RANGE_EVENTS = 41, /* struct loopscope_range_event[]: together
                                        the slots of one ring (trace mode) */
  LOOPSCOPE_CHUNK_PARTS = 42,        /* struct loopscope_part[] */
  LOOPSCOPE_CHUNK_GPU_MEMORY_EVENTS =
      43 /* struct loopscope_gpu_memory_event[]: together the slots of one ring
            (trace mode) */
};

/* Precedes every chunk's entries. Readers skip unknown types by their size.
 * Indices (of sites, threads, nodes) count over all chunks of that type in file
 * order: entry i of a chunk has the index first_index + i. */
struct loopscope_chunk_header {
  uint32_t magic;
  uint32_t type;
  uint64_t size; /* bytes, this header included; a multiple of the page */
  uint32_t first_index;
  uint32_t capacity;   /* entries (bytes for STRINGS) */
  uint32_t used;       /* published entries (bytes for STRINGS) */
  uint32_t entry_size; /* bytes; 1 for STRINGS */
  uint64_t reserved[3];
  uint64_t copied_from; /* in a copy: where this chunk was in the profile, which
                           is what references to its strings count in */
};

/* Timeline (trace mode): a ring of blocks, each written by one thread at a
 * time. A block is a list of 64-bit events in order of time, ended by a word
 * that is 0 or by the block's end. To read a thread's timeline, take the blocks
 * with its index and a nonzero sequence, in order of sequence. A reader of a
 * running program reads each block's sequence again afterwards and drops the
 * block if it has changed: the block was overwritten meanwhile. The newest
 * events win; LOOPSCOPE_COUNT_EVENTS_DROPPED in the header counts the
 * overwritten ones.
 *
 * An event: node index in bits 0 to 19, type in bits 20 and 21, value in bits
 * 22 to 63. Ticks of a BEGIN or END: base_ticks of the block + value. Events
 * nest as the spans did: an END belongs to the innermost open BEGIN of the
 * thread; a node whose BEGIN was overwritten or fell outside the window has
 * only its END. A span that is still open, or was open when the process died,
 * has only its BEGIN.
 *
 * Steps: BEGIN of STEP, NUMBER of STEP, BEGIN and END of DRAW, BEGIN of BATCH,
 * the phases, END of BATCH, END of STEP. An explicit draw is another BEGIN and
 * END of DRAW inside BATCH, with the phases of the draw between them. No batch
 * follows the last draw of a loop: its STEP ends right after its DRAW. */
enum loopscope_event_type {
  LOOPSCOPE_EVENT_BEGIN = 0,
  LOOPSCOPE_EVENT_END = 1,
  LOOPSCOPE_EVENT_NUMBER = 2 /* value: number of the step, counted from 0 over
                                all executions of its loop; or, before its END,
                                LOOPSCOPE_EVENT_NO_STEP: a pause cut it off, so
                                that it isn't counted */
};
#define LOOPSCOPE_EVENT_NODE_BITS 20
#define LOOPSCOPE_EVENT_TYPE_BITS 2
#define LOOPSCOPE_EVENT_NO_STEP ((UINT64_C(1) << 42) - 1)
#define LOOPSCOPE_EVENT_BLOCK_EVENTS 2040u

struct loopscope_event_block {
  uint64_t sequence;   /* order in which blocks were begun, from 1; 0: unused */
  uint64_t base_ticks; /* added to the events' values */
  uint32_t thread;     /* thread index */
  uint32_t reserved32;
  uint64_t reserved[3];
  uint64_t writer_private[2]; /* pointers of the running process; ignore */
  uint64_t event[LOOPSCOPE_EVENT_BLOCK_EVENTS];
};

/* A string: offset and length of bytes inside a STRINGS chunk, without a
 * NUL. */
struct loopscope_profile_string {
  uint64_t offset;
  uint32_t length;
  uint32_t reserved;
};

struct loopscope_profile_site {
  uint32_t kind;
  uint32_t line;
  struct loopscope_profile_string name;
  struct loopscope_profile_string file;
  struct loopscope_profile_string function; /* qualified, as in the source */
  uint64_t reserved;
};

#define LOOPSCOPE_MOST_AWAITED 12u
#define LOOPSCOPE_ANY_RANK UINT32_MAX

/* One call-path tree. Trees are reused: a new thread takes over the tree of one
 * that ended, so memory depends on the number of threads alive. */
struct loopscope_profile_thread {
  uint32_t state;   /* 0: unused, 1: a thread uses it, 2: free for the next */
  uint32_t root;    /* node index */
  int64_t tid;      /* kernel thread id of the last user */
  uint32_t is_main; /* 1 for the process's main thread */
  uint32_t users;   /* threads that have used this tree so far */
  uint64_t start_ticks;   /* of the last user's first hook */
  uint64_t past_ticks;    /* lifetimes of the earlier users, summed */
  uint64_t last_ticks;    /* last clock reading on this thread; the end of the
                             last user's lifetime when state is 2 */
  uint32_t index;         /* of this thread itself */
  uint32_t reserve_index; /* of the next unused node; only for the writer */
  char name[32];
  /* Ranks in the world of which a call of MPI waits for one at least: those of
   * the node `awaiting` - 1 while a span of that is open; 0: of none.
   * LOOPSCOPE_ANY_RANK: it may be any. If `awaited_count` is above
   * LOOPSCOPE_MOST_AWAITED, there are more. */
  uint32_t awaiting;
  uint32_t awaited_count;
  uint32_t awaited[LOOPSCOPE_MOST_AWAITED];
  uint64_t writer_private[10]; /* pointers of the running process; ignore */
};

/* Set in loopscope_profile_node::flags. */
enum loopscope_node_flag {
  LOOPSCOPE_NODE_WARMUP = 1u << 0, /* a STEP of the warm-up (its subtree carries
                                      no flag of its own) */
  LOOPSCOPE_NODE_CUT = 1u << 1,    /* time that the profiler took on purpose: a
                                      PHASE below the root, in no other node's
                                      time. In the timeline its spans lie within
                                      what they interrupted */
  LOOPSCOPE_NODE_LATE_END = 1u << 2,     /* LOOPSCOPE_COUNT_LATE_END has ends of
                                            this node's spans */
  LOOPSCOPE_NODE_OTHER_THREAD = 1u << 3, /* the same of
                                            LOOPSCOPE_COUNT_OTHER_THREAD */
  LOOPSCOPE_NODE_EXCLUDED = 1u << 4,    /* a STEP of those outside the window or
                                           in pauses, with uncounted time alone
                                           (its subtree carries no flag of its
                                           own) */
  LOOPSCOPE_NODE_OTHER_FIBRE = 1u << 5, /* ends of this node's spans came on
                                           other fibres than they began on */
  LOOPSCOPE_NODE_FIBRE_ENDED = 1u << 6, /* spans of this node were open when
                                           their fibre ended, which ended them
                                           (among `popped`) */
  LOOPSCOPE_NODE_EQUAL_SAMPLES = 1u << 7 /* the steps of this STEP that had a
                                            number of samples had the same */
};

/* A thread record whose `tid` is this or more is a fibre's, with its index
 * added: a stack that the program switches itself. */
#define LOOPSCOPE_FIRST_FIBRE (INT64_C(1) << 30)
/* The flags above these bits are the enum loopscope_key_type of the node's
 * key, which LOOPSCOPE_CHUNK_NODE_KEYS tells; 0: none. */
#define LOOPSCOPE_NODE_KEY_SHIFT 8

/* One call path: (parent, site, kind, key, warm-up or not). Durations of
 * finished spans are summed over `count` spans. */
struct loopscope_profile_node {
  uint32_t state;  /* 0 unused, 1 published */
  uint32_t parent; /* node index; LOOPSCOPE_NONE for a thread's root */
  uint32_t thread;
  uint32_t site; /* LOOPSCOPE_NONE for a root; STEP, DRAW and BATCH of a loop
                    carry the loop's site */
  uint16_t kind; /* enum loopscope_kind */
  uint16_t flags;
  uint32_t depth;    /* root 0 */
  uint32_t sequence; /* odd while the statistics are being updated */
  uint32_t open;     /* not 0 while a span of this node is open: 1, or the low
                        half of the stack pointer where its guard is */

  uint64_t enter_ticks; /* start of the open span; of a BATCH, moved on by the
                           explicit draws inside it, so that BATCH.enter -
                           STEP.enter is the step's draw so far */

  uint64_t count;
  uint64_t sum_ticks;
  uint64_t square_low; /* sum of squares in ticks^2, exact in 128 bits */
  uint64_t square_high;
  uint64_t min_ticks; /* UINT64_MAX if count is 0 */
  uint64_t max_ticks;
  uint64_t last_ticks; /* duration of the last span; it is in count and sum and
                          not yet in the histogram */
  uint64_t uncounted_ticks; /* time spent here in no counted span: the last,
                               failing check of a loop's header (STEP, DRAW).
                               Inclusive time = sum + uncounted + open span */
  uint64_t samples;         /* STEP: processed; loops: iterations, as said;
                               SERVED: index + 1 of the node that it serves, 0
                               before that is known */
  double rate_sum;      /* STEP, BATCH and BATCH's children: sum over steps of
                           samples / seconds-in-ticks (samples per tick) */
  uint64_t rate_count;  /* steps in rate_sum */
  uint32_t index;       /* of this node itself */
  uint32_t writer_word; /* ignore */
  /* CUDA calls made while this node was innermost (children's calls excluded).
   * Written by the node's own thread. */
  uint64_t gpu_launches; /* calls that put work on a device: kernels, graphs,
                            asynchronous copies and sets */
  uint64_t gpu_launch_ticks; /* host time in them */
  uint64_t gpu_waits; /* calls that wait for a device: synchronisation and
                         blocking copies */
  uint64_t gpu_wait_ticks;
  uint64_t gpu_calls; /* all other CUDA calls (memory, modules, queries, ...) */
  uint64_t gpu_call_ticks;
  uint32_t writer_place; /* ignore */
  uint32_t popped;       /* of count: spans that the end of a span around them
                            has ended, or of their thread, or that were found
                            to have no function any more; at most 2^32 - 1,
                            and 0 in older files */
  uint64_t writer_private[8]; /* pointers of the running process; ignore */
};

/* Histogram of a node's durations in ticks: value v < 8 is bucket v; else
 * bucket (e - 2) * 8 + the three bits below the leading one, with e =
 * floor(log2 v). A bucket [a, b) stands for 2ab/(a+b): relative error at most
 * 1/17 (5.9 %). Undefined while the node's count is 0. */
#define LOOPSCOPE_HISTOGRAM_BUCKETS 480u
struct loopscope_histogram {
  uint64_t bucket[LOOPSCOPE_HISTOGRAM_BUCKETS];
};

LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_profile_header) <=
                        LOOPSCOPE_PROFILE_PAGE)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_chunk_header) == 64)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_profile_site) == 64)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_profile_thread) == 224)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_profile_node) == 256)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_event_block) == 16384)
LOOPSCOPE_FORMAT_CHECK_(sizeof(struct loopscope_histogram) == 3840)

#include <loopscope/profile_format_comm.h>
#include <loopscope/profile_format_facts.h>
#include <loopscope/profile_format_gpu.h>
#include <loopscope/profile_format_history.h>
#include <loopscope/profile_format_keys.h>
#include <loopscope/profile_format_merged.h>
#include <loopscope/profile_format_operators.h>
#include <loopscope/profile_format_parts.h>
#include <loopscope/profile_format_ranges.h>
#include <loopscope/profile_format_stacks.h>
#include <loopscope/profile_format_sums.h>
#include <loopscope/profile_format_values.h>
#include <loopscope/profile_format_whatif.h>

#endif /* LOOPSCOPE_PROFILE_FORMAT_H */
