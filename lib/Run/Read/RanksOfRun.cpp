// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the headers of profiles.

#include "Run/Read/RanksOfRun.h"

#include "Run/Read/MergedFile.h"

#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

using namespace loopscope;

namespace {
bool isRank(const loopscope_profile_header &Header) {
  return isProfile(Header) && Header.rank >= 0 && Header.run_id[0] != 0;
}

// Opening a pipe would wait for its writer.
bool isPipe(const std::string &Path) {
  std::error_code Failed;
  return Path == "-" || std::filesystem::is_fifo(Path, Failed);
}
} // namespace

bool loopscope::areRanksOfOneRun(const std::vector<std::string> &Paths) {
  std::string Run;
  std::set<int32_t> Ranks;
  for (const std::string &Path : Paths) {
    if (isPipe(Path))
      return false;
    std::optional<loopscope_profile_header> Header = headerAt(Path);
    if (!Header)
      continue;
    std::string Of(Header->run_id,
                   strnlen(Header->run_id, sizeof(Header->run_id)));
    if (!isRank(*Header) || (!Ranks.empty() && Of != Run) ||
        !Ranks.insert(Header->rank).second)
      return false;
    Run = Of;
  }
  return Ranks.size() > 1;
}
