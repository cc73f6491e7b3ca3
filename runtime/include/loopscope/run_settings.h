/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The numbers that words of LOOPSCOPE give and profiles keep. A row is all that
 * one needs beside the word in its extension, which calls keepSetting(): the
 * runtime stores it under its key, as it stores counters, and a run has it
 * (lib/Run/Model/Settings.h). */
#ifndef LOOPSCOPE_RUN_SETTINGS_H
#define LOOPSCOPE_RUN_SETTINGS_H

/* X(IDENTIFIER, KEY, LINE): the profile's key, and a line below the tables, in
 * which {} is the number; nullptr if it isn't shown there. Of several runs, the
 * highest number counts; 0 means none.
 * FLOPS_PEAK: floating-point operations a second that one device, or a process
 * without devices, can do at best.
 * STACKS_HZ: samples per second of a thread's processor time.
 * CLOCK_STEP: nanoseconds between two readings of the clock that differ; only
 * of clocks with steps of 5 and more. No word gives it.
 * GPU_COUNTERS: nanoseconds between samples of CUPTI's PM sampling, if a GPU
 * was sampled; GPU_CLOCK_BEFORE and _DURING: hertz of the SMs of the GPU whose
 * clock changed most, read before sampling and its mean during it.
 * CUPTI_DEVICE_BYTES and CUPTI_HOST_BYTES: what CUPTI's buffers may take for a
 * context, on the GPU or in pinned memory. No word gives these. BRIEF: 1 in a
 * brief copy (loopscope/profile_format_merged.h), which is what its header
 * says; readers set it. */
#define LOOPSCOPE_SETTINGS(X)                                                  \
  X(FLOPS_PEAK, "flops.peak", nullptr)                                         \
  X(STACKS_HZ, "stacks.hz", nullptr)                                           \
  X(CLOCK_STEP, "clock.step",                                                  \
    "The clock moves in steps of {} ns. Counts are exact, and totals of many " \
    "spans are right, because the errors cancel out. Minima, maxima and "      \
    "percentiles are multiples of the step, deviations are up to half a step " \
    "too large, and rates of spans below ten steps are rough.")                \
  X(GPU_COUNTERS, "gpu.counters", nullptr)                                     \
  X(GPU_CLOCK_BEFORE, "gpu.clock.before", nullptr)                             \
  X(GPU_CLOCK_DURING, "gpu.clock.during", nullptr)                             \
  X(CUPTI_DEVICE_BYTES, "gpu.cupti.device_bytes", nullptr)                     \
  X(CUPTI_HOST_BYTES, "gpu.cupti.host_bytes", nullptr)                         \
  X(BRIEF, "summary.brief",                                                    \
    "The merged file is a summary: most ranks have sums and some of their "    \
    "steps, but no history, metrics, values or samples of stacks; "            \
    "LOOPSCOPE=ranks=all keeps these.")

/* LOOPSCOPE_SETTING_IDENTIFIER for each; no profile contains these numbers. */
#define LOOPSCOPE_LIST_SETTING_(IDENTIFIER, KEY, LINE)                         \
  LOOPSCOPE_SETTING_##IDENTIFIER,
#ifdef __cplusplus
enum loopscope_setting : unsigned {
#else
enum loopscope_setting {
#endif
  LOOPSCOPE_SETTINGS(LOOPSCOPE_LIST_SETTING_)
};
#undef LOOPSCOPE_LIST_SETTING_

/* A process that `loopscope run` samples is recorded from this CPU time on:
 * less gives a handful of samples. Milliseconds. */
#define LOOPSCOPE_WORTHWHILE_CPU_MS 100

#endif /* LOOPSCOPE_RUN_SETTINGS_H */
