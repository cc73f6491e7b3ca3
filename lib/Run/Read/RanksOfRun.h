// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which files belong together, by their first page alone.

#ifndef LOOPSCOPE_RUN_READ_RANKSOFRUN_H
#define LOOPSCOPE_RUN_READ_RANKSOFRUN_H

#include <string>
#include <vector>

namespace loopscope {

/// Whether \p Paths are two or more profiles, each of another rank of one run:
/// with the same name of the run or, where no launcher gave one, all ranks of a
/// program.
/// Files that can't be read don't count; what reads them says why it can't.
bool areRanksOfOneRun(const std::vector<std::string> &Paths);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_RANKSOFRUN_H
