// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compares the headers of profiles.

#include "Run/Read/RanksOfRun.h"

#include "Run/Read/MergedFile.h"

#include <fmt/format.h>

#include <cstdint>
#include <cstring>
#include <filesystem>
#include <optional>
#include <set>
#include <system_error>

using namespace loopscope;

namespace {
// What profiles of one run have in common: its name or, where no launcher gave
// one, the program and the number of ranks.
std::string nameOfRun(const loopscope_profile_header &Header) {
  auto Text = [](const auto &Field) {
    return std::string(Field, strnlen(Field, sizeof(Field)));
  };
  std::string Name = Text(Header.run_id);
  return Name.empty() ? fmt::format("{} ranks of {}", Header.world_size,
                                    Text(Header.program))
                      : Name;
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
  size_t Least = 2;
  for (const std::string &Path : Paths) {
    if (isPipe(Path))
      return false;
    std::optional<loopscope_profile_header> Header = headerAt(Path);
    if (!Header)
      continue;
    if (!isProfile(*Header) || Header->rank < 0)
      return false;
    std::string Of = nameOfRun(*Header);
    if ((!Ranks.empty() && Of != Run) || !Ranks.insert(Header->rank).second)
      return false;
    Run = Of;
    // Without a name, some of the ranks could be of another run.
    if (Header->run_id[0] == 0)
      Least = Header->world_size > 1 ? static_cast<size_t>(Header->world_size)
                                     : SIZE_MAX;
  }
  return Ranks.size() >= Least;
}
