// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where each phase's processor time went: samples (Run/Model/Stacks.h) by
// function.

#ifndef LOOPSCOPE_ANALYSIS_SAMPLES_FUNCTIONROWS_H
#define LOOPSCOPE_ANALYSIS_SAMPLES_FUNCTIONROWS_H

#include "Analysis/Samples/CodeFiles.h"
#include "Run/Model/Run.h"
#include "Run/Model/Stages.h"
#include "Symbols/Symbols.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A share of samples, in percent, and its 95 % interval (Wilson's).
struct SampleShare {
  double Percent = 0;
  double Low = 0;
  double High = 0;
  bool HasInterval = true; ///< false: samples may have been in step with a loop
};
SampleShare sampleShare(uint64_t Count, uint64_t Of);

/// Whether (nearly) all of SAMPLES were taken at random times, so that no loop
/// runs in step with them.
bool areTimesRandom(const StackData &Of, uint64_t Samples);

/// Samples of one function in one phase and thread, counted where it was the
/// innermost function. Inlined functions count separately.
struct FunctionRow {
  std::string Phase;
  /// Of a thread without a span, with a mark.
  std::string Thread;
  std::string Function;
  std::string Library; ///< the file's name without its directory
  std::string File;    ///< where it is defined; empty: not known
  uint32_t Line = 0;   ///< its line there; 0: not known
  uint64_t Count = 0;
  SampleShare OfPhase; ///< of the phase's samples, in this stage
};

/// The samples of a stage.
struct StageFunctions {
  Stage Of;
  /// Phases with the most samples first, then rows by theirs.
  std::vector<FunctionRow> Rows;
};

struct FunctionsResult {
  std::vector<StageFunctions> Stages;
  uint64_t Samples = 0;
  /// Whether intervals say something: (nearly) all samples were taken at random
  /// times.
  bool HasIntervals = false;
  uint64_t Foreign = 0;      ///< of threads without a span
  uint64_t OutsideFiles = 0; ///< in code of no file
  uint64_t Unnamed = 0;      ///< in a file, in no known function
  CodeFiles Lost;
};

FunctionsResult functionsOf(const Run &R);

/// The name of a sample's thread, with a mark if it had no span.
std::string sampleThread(const Run &R, const StackSample &S);

/// A function's name, or what stands for one that isn't known.
std::string frameName(const SourceFrame &Frame, bool IsInFile);

/// A sample's functions, the innermost first.
struct SampleFrame {
  SourceFrame Source;
  uint32_t Object = None; ///< of StackData::Objects
};
std::vector<SampleFrame> framesOf(const StackData &Stacks, const StackSample &S,
                                  Symbols &Names);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_SAMPLES_FUNCTIONROWS_H
