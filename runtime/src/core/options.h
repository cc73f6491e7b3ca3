// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment variable LOOPSCOPE.
//
// The core has words of its own; an extension brings its words along
// (Extension::Words) and keeps what they ask for.

#ifndef LOOPSCOPE_CORE_OPTIONS_H
#define LOOPSCOPE_CORE_OPTIONS_H

#include "schedule.h"
#include "system.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// Where the report at exit goes.
enum class ReportTo { Stderr, Stdout, None, File };

/// What LOOPSCOPE= asks of the core. Plain values; strings are copies.
struct Options {
  loopscope_mode Mode = LOOPSCOPE_MODE_SIMPLE;
  ReportTo Report = ReportTo::Stderr;
  Schedule Steps;
  uint64_t EventBytes = 256U << 20; ///< the timeline's size limit
  char ReportFile[512] = "";
  char Output[512] = "";    ///< as given, empty for the default
  char View[32] = "";       ///< empty for the mode's own
  char Style[32] = "";      ///< empty for the report's own
  uint64_t RoundMs = 250;   ///< between the background thread's rounds; 0: none
  bool RoundsGiven = false; ///< the interval is the user's word
  int32_t Rank = -1;        ///< -1: as the environment says
  int32_t World = 0;        ///< with a rank: of how many, 0: unknown
  char Given[256] = "";     ///< the variable, for the profile
};

/// A word of LOOPSCOPE=.
struct OptionWord {
  /// As the list of choices has it: "log=FILE", or "progress" where the word
  /// takes no value. Its name is what stands before the '='.
  const char *Choice;
  /// Takes VALUE, which it may cut up; null where the word takes none. False:
  /// MESSAGE says what is wrong with it.
  bool (*Parse)(char *Value, Options &Core, Text &Message);
};

struct OptionWords {
  const OptionWord *First = nullptr;
  uint32_t Count = 0;

  constexpr OptionWords() = default;
  template <uint32_t N>
  constexpr OptionWords(const OptionWord (&All)[N]) : First(All), Count(N) {}

  const OptionWord *begin() const { return First; }
  const OptionWord *end() const { return First + Count; }
};

/// Parses VALUE (null stands for an unset variable) by the core's words and the
/// extensions'. False when a word is not understood or not available: MESSAGE
/// then says which one and what the choices are.
bool parseOptions(const char *Value, Options &Result, Text &Message);

/// What Parse functions share: copies VALUE of WORD into a field of SIZE bytes.
/// False where it is empty or too long.
bool copyValue(char *Field, size_t Size, const char *Value, const char *Word,
               Text &Message);

/// The place of VALUE among the NAMES that WORD takes, COUNT of them; COUNT
/// where it is none.
uint32_t chooseValue(const char *Value, const char *const *Names,
                     uint32_t Count, const char *Word, Text &Message);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_OPTIONS_H
