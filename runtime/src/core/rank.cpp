// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the launchers' environment variables.

#include "rank.h"

#include "system.h"

#include <stdlib.h>

using namespace loopscope::runtime;

namespace {
struct Launcher {
  const char *Index;
  const char *World;
};
// The innermost launcher first: torchrun starts ranks inside a Slurm task.
constexpr Launcher Launchers[] = {
    {"RANK", "WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"SLURM_PROCID", "SLURM_NTASKS"},
};

bool readVariable(const char *Name, int32_t &Number) {
  const char *Value = secure_getenv(Name);
  int64_t Parsed = 0;
  if (Value == nullptr || !parseNumber(Value, Parsed) || Parsed > INT32_MAX)
    return false;
  Number = static_cast<int32_t>(Parsed);
  return true;
}
} // namespace

Rank loopscope::runtime::readRank() {
  for (const Launcher &Each : Launchers) {
    Rank Result;
    // RANK alone is too common a name to mean a distributed run.
    if (readVariable(Each.Index, Result.Index) &&
        readVariable(Each.World, Result.World))
      return Result;
  }
  return {};
}
