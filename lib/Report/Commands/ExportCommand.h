// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope export`: a run in another program's format.

#ifndef LOOPSCOPE_REPORT_COMMANDS_EXPORTCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_EXPORTCOMMAND_H

#include <string>
#include <utility>
#include <vector>

namespace loopscope {

/// A target format.
struct Exporter;

/// Every format with its name on the command line.
const std::vector<std::pair<std::string, const Exporter *>> &exportNames();

/// A parsed command line of `loopscope export`.
struct ExportRequest {
  std::vector<std::string> Files; ///< profiles, a trace, directories
  const Exporter *To = nullptr;   ///< never null
  std::string OutputFile;         ///< empty: beside the profile, under its name
  bool ByKey = false;             ///< each key of a phase is one, "block[17]"
};

/// Writes the file and prints its name. Returns the exit code.
int runExport(const ExportRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_EXPORTCOMMAND_H
