// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Student's t distribution, and Holm's correction for many tests.

#ifndef LOOPSCOPE_ANALYSIS_STUDENTT_H
#define LOOPSCOPE_ANALYSIS_STUDENTT_H

#include <vector>

namespace loopscope {

/// How likely chance alone gives a t at least as far from 0 as \p T. \p Degrees
/// of freedom are positive and need not be whole.
double probabilityOfT(double T, double Degrees);

/// The t that chance exceeds, in either direction, with \p Probability, which
/// is over 0 and under 1.
double criticalT(double Probability, double Degrees);

/// \p Probabilities of tests made together, corrected after Holm: the chance
/// that any test with a corrected value up to P errs is at most P, however the
/// tests depend on each other.
std::vector<double> holmCorrected(const std::vector<double> &Probabilities);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STUDENTT_H
