// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What bounds a run, profile or trace, and which phase pays for another's GPU
// work: the sentences above the overview and below other views.

#ifndef LOOPSCOPE_ANALYSIS_VERDICT_VERDICT_H
#define LOOPSCOPE_ANALYSIS_VERDICT_VERDICT_H

#include "Analysis/Steps/StepTime.h"
#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A phase at a place of the source.
struct PhasePlace {
  std::string Name;
  std::string File; ///< without directories; empty: not known
  uint32_t Line = 0;

  /// "forward, net.cpp:41"
  std::string text() const;
};

/// What bounds the steps, by the first matching rule of docs/report.md.
struct Verdict {
  std::string Class; ///< "input-bound"; "unknown"; empty: no ground for any
  std::string Phase; ///< that has most of it; empty: not known
  std::string File;  ///< of the phase, without directories; empty: not known
  uint32_t Line = 0;
  /// What it rests on, as the rest of its sentence: "which takes ...", "because
  /// kernels run for ..."; a whole one if the class is unknown. No sentence's
  /// end.
  std::string Figures;
  /// With the class unknown, why: "phases are too short to ...".
  std::string WhyUnknown;
  std::vector<std::string> More; ///< further sentences, without their ends
  std::string Doubt; ///< why nothing may rest on the figures; else empty

  /// "PHASE (FILE:LINE)", as far as they are known.
  std::string where() const;

  /// "Verdict: CLASS in PHASE (FILE:LINE), FIGURES."; empty without a class. If
  /// that is unknown, what is known.
  std::string sentence() const;

  /// The sentence and those of More.
  std::string line() const;
};

Verdict verdictOf(const StepTime &Of);

/// \p Of as a part of \p Whole, clamped to 0 to 1.
double part(int64_t Of, int64_t Whole);

/// One line for each phase that spends most of its host time waiting for GPU
/// work that another phase launched: "Warning: opt_step spends 84% of its host
/// time ...".
std::vector<std::string> waitWarnings(const Run &R);

/// What is said of the keys of a phase.
struct KeyNote {
  uint32_t Site = None; ///< of the phase
  uint32_t Key = None;  ///< in Run::Keys: the one that takes longer
  bool IsGpu = false;   ///< it takes longer on devices, not on the host
  int64_t ExcessNs = 0; ///< of this key
  std::string Text;
};

/// For each phase with a key that takes longer than all others, by the rules of
/// Thresholds.h, most excess first: "block[17] (net.cpp:12) takes 3.1 times the
/// median of 32 keys (layer); ...". And for each whose time follows a power of
/// its key, an integer, which has no such key: "attention: time grows with
/// tokens: ...". Of phases that launch work on devices, it is the work's time.
/// None for phases with ranges, and for traces with work on a device.
std::vector<KeyNote> keyNotes(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_VERDICT_VERDICT_H
