// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the launchers' environment variables.

#include "rank.h"

#include <loopscope/profile_format.h>

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
struct Launcher {
  const char *Index;
  const char *World; ///< null: the launcher doesn't set it
  /// Must be set as well, unless null. Tells ranks from processes that merely
  /// inherit the variables.
  const char *Also = nullptr;
};
// Innermost launcher first: torchrun starts ranks inside a Slurm task, and
// mpirun inside a batch script. RANK alone is too common a name to mean a
// distributed run. Slurm also sets the task number in a batch script, which is
// a single process; there the step has no number.
constexpr Launcher Launchers[] = {
    {"RANK", "WORLD_SIZE"},
    {"OMPI_COMM_WORLD_RANK", "OMPI_COMM_WORLD_SIZE"},
    {"MV2_COMM_WORLD_RANK", "MV2_COMM_WORLD_SIZE"},
    {"PMI_RANK", "PMI_SIZE"},
    {"PALS_RANKID", nullptr},
    {"ALPS_APP_PE", nullptr},
    {"JSM_NAMESPACE_RANK", "JSM_NAMESPACE_SIZE"},
    {"FLUX_TASK_RANK", "FLUX_JOB_SIZE"},
    {"SLURM_PROCID", "SLURM_NTASKS", "SLURM_STEP_ID"},
    {"PMIX_RANK", nullptr},
    {"JOB_COMPLETION_INDEX", nullptr},
};

// A launcher's name for the run, in one variable or two.
struct RunName {
  const char *Variable;
  const char *Second = nullptr;
};
// torchrun's own id is "none" unless the user sets one; then all its ranks
// share the address and port of the rendezvous.
constexpr RunName RunNames[] = {
    {"PMIX_NAMESPACE"},
    {"PMI_JOBID"},
    {"OMPI_MCA_ess_base_jobid"},
    {"PALS_APID"},
    {"ALPS_APP_ID"},
    {"FLUX_JOB_ID"},
    {"SLURM_JOB_ID", "SLURM_STEP_ID"},
    {"MASTER_ADDR", "MASTER_PORT"},
};

bool readVariable(const char *Name, int32_t &Number) {
  const char *Value = secure_getenv(Name);
  int64_t Parsed = 0;
  if (Value == nullptr || !parseNumber(Value, Parsed) || Parsed > INT32_MAX)
    return false;
  Number = static_cast<int32_t>(Parsed);
  return true;
}

// Null if it is unset or empty.
const char *wordOf(const char *Name) {
  const char *Value = secure_getenv(Name);
  return Value == nullptr || *Value == 0 ? nullptr : Value;
}

// Appends field FIELD (above 3) of the status of process PID; nothing if /proc
// lacks it. The name in the second field may contain anything, so fields are
// counted after its last ')'.
void appendStatus(pid_t Pid, unsigned Field, Text &Into) {
  TextBuffer<64> Path;
  Path << "/proc/" << static_cast<int64_t>(Pid) << "/stat";
  char Line[1024];
  if (readFile(Path.c_str(), Line, sizeof(Line)) == 0)
    return;
  const char *At = strrchr(Line, ')');
  for (unsigned I = 2; At != nullptr && I < Field; ++I)
    At = strchr(At + 1, ' ');
  for (; At != nullptr && At[1] >= '0' && At[1] <= '9'; ++At)
    Into << At[1];
}

// Appends the word after OPTION in the arguments of process PID; nothing if it
// has no such option or /proc lacks it.
void appendOption(pid_t Pid, const char *Option, Text &Into) {
  TextBuffer<64> Path;
  Path << "/proc/" << static_cast<int64_t>(Pid) << "/cmdline";
  char Arguments[2048];
  size_t Size = readFile(Path.c_str(), Arguments, sizeof(Arguments));
  for (size_t At = 0; At < Size; At += strlen(Arguments + At) + 1)
    if (size_t Next = At + strlen(Option) + 1;
        Next < Size && strcmp(Arguments + At, Option) == 0) {
      Into << Arguments + Next;
      return;
    }
}

// MPICH's Hydra doesn't name its runs. It starts a proxy on each host with the
// address at which mpirun listens. Scripts may lie between the proxy and the
// rank.
bool appendHydra(Text &Id) {
  constexpr unsigned MostBetween = 8;
  pid_t Pid = getppid();
  for (unsigned I = 0; I < MostBetween && Pid > 1; ++I) {
    TextBuffer<96> Address;
    appendOption(Pid, "--control-port", Address);
    if (*Address.c_str() != 0) {
      Id << "hydra " << Address.c_str();
      return true;
    }
    TextBuffer<24> Parent;
    constexpr unsigned ParentField = 4;
    appendStatus(Pid, ParentField, Parent);
    int64_t Number = 0;
    if (!parseNumber(Parent.c_str(), Number))
      return false;
    Pid = static_cast<pid_t>(Number);
  }
  return false;
}

// A shell starts many runs, so the parent's start time is needed to tell two
// processes with the same number apart.
void appendParent(Text &Id) {
  constexpr unsigned StartField = 22; // in the kernel's ticks since boot
  char Host[HOST_NAME_MAX + 1] = "";
  gethostname(Host, sizeof(Host) - 1);
  pid_t Parent = getppid();
  Id << LOOPSCOPE_RUN_ID_PARENT << static_cast<int64_t>(Parent) << '.';
  appendStatus(Parent, StartField, Id);
  Id << '@' << Host;
}
} // namespace

Rank loopscope::runtime::readRank() {
  for (const Launcher &Each : Launchers) {
    Rank Result;
    if (!readVariable(Each.Index, Result.Index) ||
        (Each.Also != nullptr && wordOf(Each.Also) == nullptr) ||
        (Each.World != nullptr && !readVariable(Each.World, Result.World)))
      continue;
    Result.Source = Each.Index;
    return Result;
  }
  return {};
}

void loopscope::runtime::readRunId(Text &Id) {
  for (const RunName &Each : RunNames) {
    const char *First = wordOf(Each.Variable);
    const char *Second = Each.Second == nullptr ? nullptr : wordOf(Each.Second);
    if (First == nullptr || (Each.Second != nullptr && Second == nullptr))
      continue;
    Id << Each.Variable << ' ' << First;
    if (Second != nullptr)
      Id << '.' << Second;
    return;
  }
  if (!appendHydra(Id))
    appendParent(Id);
}
