// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is looked for in a translation unit.

#ifndef LOOPSCOPE_INSTRUMENT_FIND_FINDOPTIONS_H
#define LOOPSCOPE_INSTRUMENT_FIND_FINDOPTIONS_H

#include "Instrument/Select/Selection.h"
#include "Support/HookWorth.h"

namespace loopscope::instrument {

/// What to find besides attributes.
struct FindOptions {
  const Selection *Select = nullptr;
  bool Functions = false;     ///< Function mode.
  unsigned MinSize = 0;       ///< Of function mode.
  unsigned MinInlineSize = 0; ///< The same, where isLikelyInlined().
  const JudgedFunctions *Earlier = nullptr; ///< See Options::Earlier.
  bool Suggest = false; ///< Only ParseResult::Bodies are wanted.
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FIND_FINDOPTIONS_H
