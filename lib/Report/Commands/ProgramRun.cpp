// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One run of several profiles.

#include "Report/Commands/ProgramRun.h"

#include "Report/Commands/Input.h"
#include "Run/Combine/Merge.h"
#include "Support/Printable.h"

#include <fmt/format.h>

using namespace loopscope;

Result<Run> loopscope::readProgramRun(const std::vector<std::string> &Files,
                                      const ViewOptions &Options) {
  Result<std::vector<std::string>> Paths = expandInputs(Files);
  if (!Paths)
    return Paths.error();
  std::vector<Run> All;
  for (const std::string &Path : *Paths) {
    Result<Run> Next = readInput(Path, Options);
    if (!Next)
      return Next;
    if (!All.empty() && Next->Program != All.front().Program)
      return Error{fmt::format("{} is of {}, and {} of {}; name profiles of "
                               "one program",
                               printable(All.front().Path),
                               printable(All.front().Program), printable(Path),
                               printable(Next->Program))};
    All.push_back(std::move(*Next));
  }
  return All.size() == 1 ? std::move(All.front())
                         : mergeProfiles(std::move(All));
}
