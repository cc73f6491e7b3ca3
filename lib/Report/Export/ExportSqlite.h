// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope export --to sqlite`: a profile as a database for queries of one's
// own. docs/report.md lists its tables.

#ifndef LOOPSCOPE_REPORT_EXPORT_EXPORTSQLITE_H
#define LOOPSCOPE_REPORT_EXPORT_EXPORTSQLITE_H

#include "Run/Run.h"
#include "Support/Result.h"

#include <string>

namespace loopscope {

/// The bytes of an SQLite database with the profile's run, threads, sites, call
/// paths and histograms; or why there are none (no memory).
Result<std::string> exportSqlite(const Run &P);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_EXPORT_EXPORTSQLITE_H
