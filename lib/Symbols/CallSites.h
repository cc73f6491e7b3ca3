// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Copies of a call: a compiler may make several call instructions of one call
// in the source, and samples need not show all of them.

#ifndef LOOPSCOPE_SYMBOLS_CALLSITES_H
#define LOOPSCOPE_SYMBOLS_CALLSITES_H

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// The direct calls of one function in the 64-bit ELF file \p Path: all calls
/// of what the call instruction calls whose last byte is at \p Address, an
/// address of the file. Each by the address of its last byte, in order,
/// \p Address among them. Empty if there is no direct call, there are more than
/// \p Most, the file can't be read, or it isn't for x86-64. Bytes that only
/// look like such a call may be among them.
std::vector<uint64_t> callsOfSameFunction(const std::string &Path,
                                          uint64_t Address, size_t Most);

} // namespace loopscope

#endif // LOOPSCOPE_SYMBOLS_CALLSITES_H
