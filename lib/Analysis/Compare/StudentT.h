// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Student's t distribution, and Holm's correction for many tests.

#ifndef LOOPSCOPE_ANALYSIS_COMPARE_STUDENTT_H
#define LOOPSCOPE_ANALYSIS_COMPARE_STUDENTT_H

#include <vector>

namespace loopscope {

/// The probability that chance alone gives a t at least as far from 0 as \p T.
/// \p Degrees of freedom are positive and need not be whole.
double probabilityOfT(double T, double Degrees);

/// The t that chance exceeds, in either direction, with \p Probability, between
/// 0 and 1.
double criticalT(double Probability, double Degrees);

/// \p Probabilities of tests made together, after Holm's correction: the chance
/// that any test with a corrected value of at most P errs is at most P, however
/// the tests depend on each other.
std::vector<double> holmCorrected(const std::vector<double> &Probabilities);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_COMPARE_STUDENTT_H
