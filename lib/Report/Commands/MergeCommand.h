// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope merge`: the profiles of a run's ranks in one file.

#ifndef LOOPSCOPE_REPORT_COMMANDS_MERGECOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_MERGECOMMAND_H

#include <string>
#include <vector>

namespace loopscope {

/// A parsed command line of `loopscope merge`.
struct MergeRequest {
  std::vector<std::string> Files; ///< profiles, or directories of them
  std::string OutputFile;
};

/// Writes the ranks of the run that started last to the merged file, and prints
/// which. Returns the exit code.
int runMerge(const MergeRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_MERGECOMMAND_H
