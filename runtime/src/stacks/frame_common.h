// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What entries of tables of frames (.eh_frame; DWARF 5, section 6.4.1) share.

#ifndef LOOPSCOPE_STACKS_FRAME_COMMON_H
#define LOOPSCOPE_STACKS_FRAME_COMMON_H

#include "readable.h"
#include "table_bytes.h"

#include <stdint.h>

namespace loopscope::runtime {

/// An entry of the table that says more is damaged: interpreting it would take
/// long.
constexpr uint32_t LongestFrameEntry = 1U << 18;

/// What a common entry (CIE) says about its functions.
struct FrameCommon {
  uint64_t CodeUnit = 1; ///< bytes
  int64_t DataUnit = 1;  ///< bytes
  uint8_t Pointers = 0;  ///< their encoding (DW_EH_PE_*)
  bool HasAugmentation = false;
  bool IsSignal = false;
  uintptr_t First = 0, End = 0; ///< instructions
};

/// Reads the common entry at AT. False: it is damaged, or says something else.
bool readFrameCommon(uintptr_t At, Readable &Tables, FrameCommon &Into);

/// The bytes of a pointer with this encoding; 0: of variable length, which
/// isn't used for code.
unsigned encodedBytes(uint8_t Encoding);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_STACKS_FRAME_COMMON_H
