// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Gathers the identity before main.

#include "identity.h"

#include "base/slow_lock.h"
#include "facts.h"
#include "profile/profile_file.h"

#include <limits.h>
#include <sys/auxv.h>
#include <unistd.h>

using namespace loopscope::runtime;

namespace {
struct Identity {
  char Program[256] = "";
  char WorkingDirectory[512] = "";
  char CommandLine[1024] = "";
  char RunId[128] = "";
};
constinit Identity Own;

// Determines the run's id, the same on all its ranks.
void nameRun() {
  TextBuffer<sizeof(Own.RunId)> RunId;
  readRunId(RunId);
  copyHead(Own.RunId, sizeof(Own.RunId), RunId.c_str());
}

void describeRank(loopscope_profile_header &Into) {
  Into.rank = Process.Rank.Index;
  Into.world_size = Process.Rank.World;
  copyHead(Into.rank_source, sizeof(Into.rank_source), Process.Rank.Source);
  copyHead(Into.run_id, sizeof(Into.run_id), Own.RunId);
}
} // namespace

void loopscope::runtime::readIdentity() {
  ssize_t Length =
      readlink("/proc/self/exe", Own.Program, sizeof(Own.Program) - 1);
  if (Length <= 0) {
    // Without /proc, use the name that execve was given.
    const auto *Name = reinterpret_cast<const char *>(getauxval(AT_EXECFN));
    copyTail(Own.Program, sizeof(Own.Program), Name == nullptr ? "" : Name);
  } else {
    Own.Program[Length] = 0;
  }
  if (getcwd(Own.WorkingDirectory, sizeof(Own.WorkingDirectory)) == nullptr)
    Own.WorkingDirectory[0] = 0;
  if (Process.Rank.Index >= 0)
    nameRun();
  size_t Used =
      readFile("/proc/self/cmdline", Own.CommandLine, sizeof(Own.CommandLine));
  for (size_t I = 0; I + 1 < Used; ++I)
    if (Own.CommandLine[I] == 0)
      Own.CommandLine[I] = ' ';
}

void loopscope::runtime::describeIdentity(loopscope_profile_header &Into) {
  Into.pid = getpid();
  Into.parent_pid = getppid();
  describeRank(Into);
  char Host[HOST_NAME_MAX + 1] = "";
  if (gethostname(Host, sizeof(Host) - 1) == 0)
    copyHead(Into.host, sizeof(Into.host), Host);
  copyTail(Into.program, sizeof(Into.program), Own.Program);
  copyTail(Into.working_directory, sizeof(Into.working_directory),
           Own.WorkingDirectory);
  if (Process.Settings.IsPrivate)
    Into.flags |= LOOPSCOPE_FLAG_PRIVATE;
  else
    copyHead(Into.command_line, sizeof(Into.command_line), Own.CommandLine);
}

const char *loopscope::runtime::workingDirectory() {
  return Own.WorkingDirectory;
}

ProfileName loopscope::runtime::ownProfileName() {
  return {Process.Settings.Output, Own.WorkingDirectory, Own.Program, getpid(),
          Process.Rank.Index};
}

bool loopscope::runtime::makeOutputPath(const char *Output, Text &Path) {
  return makeOutputPath(Output, Path, Process.Rank.Index);
}

bool loopscope::runtime::makeOutputPath(const char *Output, Text &Path,
                                        int64_t Rank) {
  ProfileName Name = ownProfileName();
  Name.Output = Output;
  Name.RankIndex = Rank;
  return makeProfileName(Name, Path);
}

void loopscope::runtime::correctRank(const Rank &Known) {
  SlowLock Lock;
  Process.Rank = Known;
  if (Own.RunId[0] == 0)
    nameRun();
  if (Header != nullptr)
    describeRank(*Header);
}
