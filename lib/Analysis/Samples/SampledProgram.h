// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program without marks: which loop is likely to be its main one, and which
// calls in it took the time, by samples alone.
//
//   1  SampledCalls: a tree of calls for each kind of thread; those that OpenMP
//      and the like start serve others and are left out. StartedThreads: those
//      that a loop starts in each pass become calls of it
//   2  LoopTree: the loops around these calls, across functions, by the
//      source's lines
//   3  StepLoops: which of them is likely to have a step in each pass, and
//      which others a reader may want
//   4  LoopParts: the calls in these, with their shares
//
// Without lines, functions in which the time splits stand for loops.
//
// It is a guess, and whoever shows it says so.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDPROGRAM_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDPROGRAM_H

#include "Analysis/Samples/FunctionRows.h"
#include "Analysis/Samples/SampledCalls.h"
#include "Analysis/Samples/SourceFiles.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

namespace loopscope {

/// A call in a loop, with the samples in it and in all that it calls.
struct LoopPart {
  /// That is called, the system's by the name that the source has; empty: the
  /// loop's own code.
  std::string Function;
  std::string File; ///< of the call; empty: not known
  uint32_t Line = 0;
  uint64_t Count = 0;
  SampleShare OfLoop;
  /// The innermost functions of most of its samples, at most two.
  std::vector<std::string> Hottest;
  /// The instructions that call it; empty: it is inlined, or not known.
  std::vector<CodeAddress> Instructions;
  CallInSource Source;   ///< how the loop's source calls it
  bool IsSystem = false; ///< the function comes with the system
  /// The function's definition is in a source of the project as it is, not from
  /// a macro.
  bool HasDefinition = false;
  /// The call may name another class's function, which this one overrides.
  bool IsVirtual = false;
  bool HasOverloads = false; ///< its file defines more functions of its name
  /// The compiler inlined it, and it was never seen to call anything.
  bool IsSmall = false;
  std::optional<CallCount> Calls; ///< if they were counted
};

/// A loop around another one.
struct OuterLoop {
  uint32_t First = 0;  ///< line of the loop
  uint32_t Number = 0; ///< in its function, from 1
};

/// A loop, or a function of which no line is known, in which time splits.
struct LoopCandidate {
  std::string Function;
  std::string Library; ///< the file's name without its directory
  std::string File;    ///< of the function; empty: not known
  uint32_t Line = 0;   ///< of the function
  uint32_t First = 0;  ///< line of the loop; 0: it isn't known
  uint32_t Last = 0;
  uint32_t Number = 0;          ///< of the loop in its function, from 1; 0: it
                                ///< isn't known, because of macros
  std::string Variable;         ///< that no other loop of its function has
  bool HasPragma = false;       ///< right before it, so no hook fits there
  bool HasOverloads = false;    ///< its file has more functions of its name
  std::vector<OuterLoop> Outer; ///< of its function, the outermost first
  std::string Threads;          ///< "main", or the function in which they start
  std::set<int64_t> ThreadIds;  ///< the kernel's numbers of these threads
  /// The function whose calls the parts are, if it is another one, which the
  /// loop calls; empty: they are in the loop.
  std::string PartsIn;
  uint64_t Count = 0;
  SampleShare OfRun;
  std::vector<LoopPart> Parts; ///< those with the most samples first
};

/// Whether a rule can select the loop.
bool isSelectable(const LoopCandidate &Of);

/// A function that was the innermost one.
struct HotFunction {
  std::string Function;
  std::string Library;
  uint64_t Count = 0;
  SampleShare OfRun;
};

/// The figures of a run that recorded samples and no span.
struct SampledProgram {
  uint64_t Samples = 0;
  uint64_t Whole = 0;   ///< that reach the function that nobody called
  uint64_t Guessed = 0; ///< whose stacks may lack frames
  uint64_t Serving = 0; ///< of threads that are left out of candidates
  uint64_t Threads = 0; ///< that have samples
  /// Samples that this much CPU time should have; 0: not known.
  uint64_t Expected = 0;
  bool HasIntervals = false; ///< nearly all samples were at random times
  bool HasLines = false;     ///< some of the program's code has lines
  /// The folder of the system's headers with the most samples in its code and
  /// what that calls; it isn't searched for loops. Empty: none has as many as a
  /// loop would need.
  std::string Headers;
  uint64_t InHeaders = 0; ///< these samples
  /// The project's call with most of them, which a mark can time; without a
  /// line: none is known.
  OutsideCall HeadersFrom;
  uint64_t FromThere = 0; ///< samples of it in these headers
  CodeFiles Lost;
  std::vector<LoopCandidate> Candidates; ///< likeliest first, at most three
  std::vector<HotFunction> Hottest;      ///< all, those with the most first

  /// Whether so many samples are missing that shares may mislead.
  bool lacksSamples() const;
  /// Whether most are missing, so that the loop with most of the time may be
  /// one without samples.
  bool lacksMostSamples() const;
  /// The first candidate whose lines are known; null if there is none.
  const LoopCandidate *likeliestLoop() const;
  /// The first one that a rule can select; null if there is none.
  const LoopCandidate *likeliestSelectable() const;
};

SampledProgram sampledProgram(const Run &R);

/// Whether a run has samples, and nothing else to show.
bool hasSamplesOnly(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_SAMPLEDPROGRAM_H
