// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a pass of a loop does, in pieces, and which of them repeats the work of
// another loop.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_LOOPPIECES_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_LOOPPIECES_H

#include "Analysis/Samples/LoopTree.h"

#include <cstdint>
#include <set>
#include <string>
#include <vector>

namespace loopscope {

/// Whether \p Count is at least the part \p Least of \p Of.
bool isPartOf(double Least, uint64_t Count, uint64_t Of);

/// A part of what a loop's pass or a function does: the calls of one function,
/// those of one instruction, or a loop with all that it calls.
struct Piece {
  uint64_t Count = 0;
  std::vector<const Called *> Calls;
  bool IsLoop = false;
  bool IsOwn = false;    ///< there is code of the function itself in it
  uint32_t Line = 0;     ///< the first that is known of the loop or the calls
  bool IsBefore = false; ///< of beside(): it comes before the inner loop
};

/// What is in a pass of \p Of; loops in it are one piece each.
std::vector<Piece> passOf(const LoopNode &Of, SourceFiles &Sources);

/// The samples of the function's own code in \p Of, outside of loops in it and
/// without its head.
uint64_t ownCode(const LoopNode &Of, SourceFiles &Sources);

/// What counts beside \p Inner in a pass of \p Outer. Threads of a team that
/// wait for each other do no work.
std::vector<Piece> beside(const LoopNode &Outer, const LoopNode &Inner,
                          SourceFiles &Sources);

/// The calls in a loop that matter, and what calls further functions in them:
/// other loops that do the same work call these, too.
std::set<std::string> workOf(const LoopNode &Of);

/// The samples of \p Of in functions of \p Work.
uint64_t samplesIn(const Called &Of, const std::set<std::string> &Work);

/// Whether most of it is work that a loop does, too.
bool repeats(const Piece &Of, const std::set<std::string> &Work);

/// Of a library that shares loops out to threads.
bool isOfTeam(const Called *Of);

/// If a pass of the loop is one call: the function in which the time of that
/// splits. Else, or if that has a loop around what splits, null.
const Called *partsOf(const LoopNode &Of, SourceFiles &Sources);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_LOOPPIECES_H
