// The environment variable LOOPSCOPE.
#pragma once

#include "schedule.h"
#include "system.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Where the report at exit goes.
enum class ReportTo { Stderr, Stdout, None, File };

/// Whether GPU data is collected: where the program uses CUDA, where it is
/// wanted (and missed aloud), or not.
enum class GpuChoice { Auto, On, Off };

/// What is done with NVTX.
enum class NvtxUse { Nothing, Emit, Read };

/// What LOOPSCOPE= asks for. Plain values; strings are copies.
struct Options {
  loopscope_mode Mode = LOOPSCOPE_MODE_SIMPLE;
  ReportTo Report = ReportTo::Stderr;
  Schedule Steps;
  uint64_t EventBytes = 256U << 20; ///< the timeline's size limit
  GpuChoice Gpu = GpuChoice::Auto;
  char ReportFile[512] = "";
  char Output[512] = "";     ///< as given, empty for the default
  char Log[512] = "";        ///< log=, empty for none
  bool Progress = false;     ///< a line on the terminal while the program runs
  char View[32] = "";        ///< empty for the mode's own
  uint64_t DevicesMs = 250;  ///< between samples of the devices; 0: none
  bool DevicesGiven = false; ///< the interval is the user's word
  NvtxUse Nvtx = NvtxUse::Nothing;
  char Given[256] = ""; ///< the variable, for the profile
};

/// Parses VALUE (null stands for an unset variable). False when a word is not
/// understood or not available: MESSAGE then says which one and what the
/// choices are.
bool parseOptions(const char *Value, Options &Result, Text &Message);

} // namespace loopscope::runtime
