/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The counters with a name: what a part of the runtime lost or left out. A row
 * is all that such a counter needs beside the code that counts: the runtime
 * stores it under its key (profile_format_sums.h), and reports have it in json
 * and, if it isn't 0, below the tables. Apart from the format's headers, so
 * that a new one makes only those compile again that count or report it. */
#ifndef LOOPSCOPE_NAMED_LOSSES_H
#define LOOPSCOPE_NAMED_LOSSES_H

/* X(IDENTIFIER, KEY, NAME, NOUN, WHAT), in the order of reports: the profile's
 * key, json's name, and the line below the tables, "3 NOUNs: WHAT."; nullptr if
 * reports have words of their own for it. It is 0 in a clean run. A NOUN "run"
 * means 1 if that happened to the process at all. */
#define LOOPSCOPE_NAMED_LOSSES(X)                                              \
  X(NO_CPU_CLOCK, "cpu.no_clock", "no_cpu_clock", "run",                       \
    "without CPU time from some moment on: the kernel refused it "             \
    "(seccomp)")                                                               \
  X(NO_CPU_FAULTS, "cpu.no_faults", "no_cpu_faults", "run",                    \
    "without page faults and switches from some moment on: the kernel "        \
    "refused them (seccomp)")                                                  \
  X(NO_RUN_QUEUE, "cpu.no_run_queue", "no_run_queue", "run",                   \
    "without the time on the run queue from some moment on: "                  \
    "/proc/thread-self/schedstat can't be read")                               \
  X(OPERATORS_LEFT_OUT, "torch.left_out", "operators_left_out",                \
    "asynchronous operator",                                                   \
    "left out: such operators may end on another thread")                      \
  X(OPERATORS_UNNAMED, "torch.unnamed", "operators_over_limit", "operator",    \
    "under \"(other operators)\": too many different names")                   \
  X(OPERATORS_OTHER_INPUTS, "torch.other_inputs", "operators_other_inputs",    \
    "operator", "under \"(other inputs)\": too many different shapes")         \
  X(OPERATORS_UNLINKED, "torch.unlinked", "operators_unlinked",                \
    "backward operator",                                                       \
    "not linked to the forward one: it isn't on record any more, or "          \
    "there was no room")                                                       \
  X(COMM_OVERWRITTEN, "comm.overwritten", "collectives_overwritten",           \
    "collective",                                                              \
    "overwritten by newer ones; counted in calls, bytes and times, but "       \
    "not compared with the other ranks")                                       \
  X(COMM_LOST, "comm.lost", "collectives_lost", "collective",                  \
    "not compared with the other ranks: no memory for its record, or too "     \
    "many places")                                                             \
  X(COMM_STEPS_LOST, "comm.steps_lost", "own_steps_lost", "step",              \
    "not compared with the other ranks: it has too many call paths")           \
  X(COMM_PEERS_LOST, "comm.peers_lost", "peers_lost", "message",               \
    "without the rank that it went to or came from: too many pairs of "        \
    "call paths and ranks")                                                    \
  X(COMM_REQUESTS_LOST, "comm.requests_lost", "requests_lost",                 \
    "nonblocking call", "whose end isn't known: too many were open at once")   \
  X(COMM_MPI_UNSEEN, "comm.mpi_unseen", "mpi_unseen", "run",                   \
    "that used MPI and whose calls of it aren't recorded; link through "       \
    "loopscope-launch, or preload libloopscope-mpi.so")                        \
  X(NCCL_LOST, "nccl.lost", "nccl_lost", "NCCL operation",                     \
    "not recorded: too many communicators or functions")                       \
  X(NCCL_UNSIZED, "nccl.unsized", "nccl_unsized", "NCCL operation",            \
    "counted without bytes: the size of its elements isn't known")             \
  X(WHATIF_UNTRIED, "whatif.untried", "whatif_untried", "call path",           \
    "not tried: beyond the number of phases that what-if experiments "         \
    "try; whatif=NAME chooses phases")                                         \
  X(WHATIF_BLOCKS_LOST, "whatif.blocks_lost", "whatif_blocks_lost", "block",   \
    "of what-if experiments not recorded: out of memory; there are no "        \
    "experiments after it")                                                    \
  X(STACKS_LOST, "stacks.lost", "stacks_lost", "sample",                       \
    "in no function: the table of stacks was full")                            \
  X(STACKS_UNREAD, "stacks.unread", "stacks_unread", "sample",                 \
    "lost, because they came faster than `loopscope run` read them")           \
  X(STACKS_THREADS, "stacks.threads", "stacks_threads", "time",                \
    "that a thread was found without room for its timer; it has no "           \
    "samples")                                                                 \
  X(STACKS_REFUSED, "stacks.refused", "stacks_refused", "run",                 \
    "in which some or all threads have no samples: the kernel refused "        \
    "timers on their CPU time, or handlers of signals (seccomp, "              \
    "RLIMIT_SIGPENDING)")                                                      \
  X(STACKS_SIGNAL, "stacks.signal", "stacks_signal", "run",                    \
    "without samples from some moment on: the program handles signal 33, "     \
    "which is libc's own, by system calls")                                    \
  X(STACKS_PROFILER, "stacks.profiler", "stacks_profiler", "run",              \
    "in which some threads had no samples while another profiler's "           \
    "SIGPROF timer ran: beside it, samples of several threads need perf "      \
    "events")                                                                  \
  X(STACKS_VALGRIND, "stacks.valgrind", "stacks_valgrind", "run",              \
    "without samples: valgrind can't deliver the signal on a stack that "      \
    "has to grow")                                                             \
  X(HISTORY_LEFT_OUT, "history.left_out", "history_left_out", "call path",     \
    "not followed in the history, which has no room for more")                 \
  X(FUNCTIONS_OFF, "functions.off", "functions_off", nullptr, nullptr)         \
  X(FACTS_LOST, "facts.lost", "facts_lost", "fact",                            \
    "left out: more than 128 names, or a name of no or more than 47 bytes")    \
  X(FACTS_CUT, "facts.cut", "facts_cut", "text",                               \
    "of a fact cut after 191 bytes")                                           \
  X(VALUES_LOST, "values.lost", "values_lost", "value",                        \
    "left out: more than 8 names, or a name of no or more than 47 bytes")      \
  X(FIBRES_LOST, "fibre.lost", "fibres_lost", "switch",                        \
    "to a fibre beyond the 4,096 that a run tells apart (loopscope_fibre_end " \
    "frees one), or without memory: its spans are on its thread's stack")      \
  X(FIBRES_TWICE, "fibre.twice", "fibres_twice", "call",                       \
    "of loopscope_fibre_switch or loopscope_fibre_end for a fibre that "       \
    "another thread was running, refused: the calling thread's spans are on "  \
    "its own stack")                                                           \
  X(FIBRE_ENDS, "fibre.ends", "ends_on_other_fibres", nullptr, nullptr)        \
  X(RANGES_LOST, "range.lost", "ranges_lost", "range",                         \
    "left out: no memory for it, too many are open, or it began in a "         \
    "signal handler")                                                          \
  X(RANGES_UNNAMED, "range.unnamed", "ranges_over_limit", "range",             \
    "under \"(other ranges)\": too many different names")                      \
  X(RANGES_BAD_ID, "range.bad_id", "range_ends_without_range", "call",         \
    "of loopscope_range_end with an id that no range has had, ignored")        \
  X(RANGE_EVENTS_LOST, "range.events_lost", "range_events_lost", "range",      \
    "missing from the timeline, which keeps the newest 65,472")                \
  X(GPU_MEMORY_EVENTS_LOST, "gpu.memory_events_lost",                          \
    "gpu_memory_events_lost", "memory operation",                              \
    "overwritten by newer ones; raise cap= to keep more")                      \
  X(GPU_HOST_FUNCTIONS, "gpu.host_functions", "gpu_host_functions",            \
    "host function",                                                           \
    "put into streams; their time is no device work, and in no phase")         \
  X(GPU_MANAGED_MEMORY, "gpu.managed", "gpu_managed_allocations",              \
    "managed allocation",                                                      \
    "moves of such memory between host and GPU aren't recorded, but are in "   \
    "the time of what waits for them")                                         \
  X(GPU_VIRTUAL_MEMORY, "gpu.virtual_memory", "gpu_virtual_memory",            \
    "cuMemCreate call",                                                        \
    "memory from there may be missing from allocations and peaks")             \
  X(GPU_GREEN_CONTEXTS, "gpu.green_contexts", "gpu_green_contexts",            \
    "green context",                                                           \
    "blocks per SM of kernels there are of all SMs of the GPU")                \
  X(STRAY_RESUME, "pause.stray", "stray_resumes", "call",                      \
    "of loopscope_resume without a pause of its thread, ignored")              \
  X(RESETS_REFUSED, "reset.refused", "resets_refused", "call",                 \
    "of loopscope_reset without effect: what came before found no file, or "   \
    "the run has 127 parts")                                                   \
  X(BAD_AMOUNTS, "amount.bad", "bad_amounts", "amount",                        \
    "negative, infinite or no number, left out")                               \
  X(GPU_SAMPLES_LOST, "gpu.samples_lost", "gpu_samples_lost", "sample",        \
    "of a GPU's hardware lost: they weren't read in time; a longer interval "  \
    "in gpu-counters= loses fewer")

/* LOOPSCOPE_COUNT_IDENTIFIER for each; no profile contains these numbers. */
#define LOOPSCOPE_LIST_LOSS_(IDENTIFIER, KEY, NAME, NOUN, WHAT)                \
  LOOPSCOPE_COUNT_##IDENTIFIER,
#ifdef __cplusplus
enum loopscope_named_loss : unsigned {
#else
enum loopscope_named_loss {
#endif
  LOOPSCOPE_NAMED_LOSSES(LOOPSCOPE_LIST_LOSS_)
};
#undef LOOPSCOPE_LIST_LOSS_

#endif /* LOOPSCOPE_NAMED_LOSSES_H */
