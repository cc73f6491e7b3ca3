// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A run's history by loop and part: what the history view and the page draw.
// The same for profiles, merged profiles and timelines.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_HISTORYCURVES_H
#define LOOPSCOPE_ANALYSIS_STEPS_HISTORYCURVES_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace loopscope {

/// A loop at one place of the source. Vectors are by bin.
struct LoopCurve {
  std::string Name; ///< "train"; with its place if there are several
  bool IsTraining = true;
  bool IsNested = false; ///< runs inside another loop's steps
  uint32_t Site = None;
  std::vector<HistorySteps> Steps;
  std::vector<int64_t> StepNs; ///< with what is open, and without nested loops
  std::vector<double> EdgesNs; ///< see HistoryLane
  Moments Spans;               ///< of all its finished steps
  bool HasSamples = false;     ///< so rates are of samples, else of steps
  /// Per second of a bin, of all processes together; 0 in a step that doesn't
  /// end, not a number where the loop didn't run.
  std::vector<double> Rates;
  double Rate = 0; ///< of the bins in which the loop ran, as one

  /// Of steps of the loop, within 12 %; empty if there are none, if not all of
  /// them are in the histogram, or if it is in a bucket without an end or in
  /// one that is too wide.
  std::optional<double> quantileNs(const HistorySteps &Of,
                                   double Fraction) const;
};

/// What the time of a part was.
enum class CurveUse : uint8_t {
  Draw,  ///< of a loop: waiting for data
  Phase, ///< of a loop's steps, or outside all loops
  Wait,  ///< the same, in a marked wait or a collective
  Inner, ///< of a loop: waits inside its phases, which have them, too
  Rest,  ///< of a loop's steps: in no part
};

/// Its key in csv and json: "no_phase".
const char *keyOf(CurveUse Use);

/// Parts of a loop's StepNs, which add up to it but for Inner; and phases
/// outside all loops.
struct PartCurve {
  CurveUse Use = CurveUse::Phase;
  std::string Name;
  size_t Loop = SIZE_MAX; ///< index; SIZE_MAX: outside all loops
  std::vector<uint32_t> Nodes;
  std::vector<int64_t> Ns; ///< by bin
  int64_t TotalNs = 0;
  /// In percent of its loop's StepNs, outside loops of ProcessNs; not a number
  /// where that is 0. By bin.
  std::vector<double> Shares;
  double Share = 0; ///< of all bins
};

struct HistoryCurves {
  std::vector<HistoryBin> Bins;
  /// The processes' time in a bin, of each up to its end.
  std::vector<int64_t> ProcessNs;
  std::vector<LoopCurve> Loops; ///< training first, then by first visit
  std::vector<PartCurve> Parts; ///< loop by loop, the longest first
  size_t Processes = 1;
};

/// Which bins the curves have.
enum class CurveBins : uint8_t {
  All,
  /// For drawing: neighbours are one until a bin has some steps, down to 32 of
  /// them; then those up to a step's end share a rate, which would be 0 or very
  /// high in bins that are shorter than a step.
  WithSteps
};

/// The curves of \p R. A trace needs addTreeAndHistory(). Several processes are
/// combined bin by bin, each from its own start on: times and counts are sums,
/// metrics are means of the processes. Of a loop's phases, and of those outside
/// loops, \p MostParts have a part; the others are one.
Result<HistoryCurves> historyCurves(const Run &R, size_t MostParts,
                                    CurveBins Bins);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_HISTORYCURVES_H
