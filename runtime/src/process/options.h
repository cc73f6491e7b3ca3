// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment variable LOOPSCOPE.
//
// The core has its own words; each extension adds its words (Extension::Words)
// and stores their settings itself.

#ifndef LOOPSCOPE_PROCESS_OPTIONS_H
#define LOOPSCOPE_PROCESS_OPTIONS_H

#include "base/system.h"
#include "tree/schedule.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Where the report at exit goes.
enum class ReportTo { Stderr, Stdout, None, File };

/// The core's settings from LOOPSCOPE=. Plain values; strings are copies.
struct Options {
  loopscope_mode Mode = LOOPSCOPE_MODE_SIMPLE;
  ReportTo Report = ReportTo::Stderr;
  Schedule Steps;
  uint64_t EventBytes = 256U << 20; ///< the timeline's size limit
  char ReportFile[512] = "";
  char Output[512] = "";      ///< as given, empty for the default
  char View[32] = "";         ///< empty: the mode's default
  char Style[32] = "";        ///< empty: the report's default
  bool IsSimpleAsked = false; ///< by its word, not by default
  uint32_t MostKeys = 256;    ///< exact keys of a call path
  uint64_t RoundMs = 250;     ///< background thread's interval; 0: no rounds
  bool RoundsGiven = false;   ///< whether the user gave the interval
  bool IsPrivate = false;     ///< the profile has no command line
  int32_t Rank = -1;          ///< -1: take the environment's
  int32_t World = 0;    ///< number of ranks, if a rank is given; 0: unknown
  char Given[256] = ""; ///< the variable's value, for the profile
};

/// Parses VALUE (null: the variable is unset) by the core's and the extensions'
/// words. False if a word is unknown or unavailable: MESSAGE says which one and
/// lists the choices.
bool parseOptions(const char *Value, Options &Result, Text &Message);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_PROCESS_OPTIONS_H
