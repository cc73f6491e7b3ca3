// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What views say of samples that are missing or may mislead.

#ifndef LOOPSCOPE_REPORT_VIEWS_SAMPLENOTES_H
#define LOOPSCOPE_REPORT_VIEWS_SAMPLENOTES_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <string>

namespace loopscope {

/// Why a view of the samples of \p R, which has none, can't be made. \p Way:
/// what takes some, if nothing did.
Error noSamples(const Run &R, const char *Way);

/// Why shares of the samples \p Of, which weren't taken at random times, have
/// no intervals, and how to get some.
std::string withoutIntervals(const StackData &Of);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_VIEWS_SAMPLENOTES_H
