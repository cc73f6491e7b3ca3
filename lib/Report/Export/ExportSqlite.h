// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope export --to sqlite`: a profile as a database for your own queries.
// docs/report.md lists its tables.

#ifndef LOOPSCOPE_REPORT_EXPORT_EXPORTSQLITE_H
#define LOOPSCOPE_REPORT_EXPORT_EXPORTSQLITE_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <string>

namespace loopscope {

/// The bytes of an SQLite database with the profile's run, threads, sites, call
/// paths and histograms; an error if memory runs out.
Result<std::string> exportSqlite(const Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_EXPORT_EXPORTSQLITE_H
