// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs `loopscope report` on the profile out of the program's sight.

#include "report_launch.h"

#include "base/free_name.h"
#include "base/memory.h"
#include "base/system.h"
#include "facts.h"
#include "hidden_child.h"
#include "options.h"
#include "profile/files.h"
#include "profile/lost_file.h"
#include "profile/profile_file.h"
#include "profile/profile_name.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

// Set by the build plugin: the path of the report generator. See hooks.h.
extern "C" __attribute__((weak)) char __loopscope_tool_path[];

extern char **environ;

using namespace loopscope::runtime;

namespace {
constexpr int NotFound = 127;

// The view for a run of several ranks whose profiles MPI merged: printed after
// the usual view, or on request.
constexpr const char *RanksView = "ranks";

const char *viewName() {
  if (Process.Settings.View[0] != 0)
    return Process.Settings.View;
  if (Process.Settings.Mode == LOOPSCOPE_MODE_ADVANCED)
    return "advanced";
  // Only that view's tables have styles.
  bool IsSimple =
      Process.Settings.IsSimpleAsked || Process.Settings.Style[0] != 0;
  return IsSimple ? "simple" : "summary";
}

// The tool's path, or its name for a search in PATH.
const char *toolPath() {
  if (__loopscope_tool_path != nullptr &&
      access(__loopscope_tool_path, X_OK) == 0)
    return __loopscope_tool_path;
  return "loopscope";
}

// A copy of the environment with LOOPSCOPE off.
class ReportEnvironment {
public:
  ReportEnvironment() {
    static char Off[] = "LOOPSCOPE=off";
    size_t Count = 0;
    while (environ != nullptr && environ[Count] != nullptr)
      ++Count;
    Size = (Count + 2) * sizeof(char *);
    Variables = static_cast<char **>(mapMemory(Size));
    if (Variables == nullptr)
      return;
    size_t Used = 0;
    Variables[Used++] = Off;
    for (size_t I = 0; I < Count; ++I)
      if (strncmp(environ[I], "LOOPSCOPE=", 10) != 0)
        Variables[Used++] = environ[I];
  }
  ~ReportEnvironment() {
    if (Variables != nullptr)
      munmap(static_cast<void *>(Variables), Size);
  }
  ReportEnvironment(const ReportEnvironment &) = delete;
  ReportEnvironment &operator=(const ReportEnvironment &) = delete;

  size_t Size = 0;
  char **Variables = nullptr; ///< null if out of memory
};

// The file for the report: a new one at report=FILE or a numbered name next to
// it, or FILE itself if that is a device or a pipe.
int createReportFile(Text &Name) {
  struct stat Status{};
  if (stat(Process.Settings.ReportFile, &Status) == 0 &&
      (S_ISCHR(Status.st_mode) || S_ISFIFO(Status.st_mode))) {
    Name << Process.Settings.ReportFile;
    // A pipe without a reader must not keep the program from ending.
    int File = open(Process.Settings.ReportFile,
                    O_WRONLY | O_NOCTTY | O_NONBLOCK | O_CLOEXEC);
    if (File >= 0)
      fcntl(File, F_SETFL, 0);
    return File;
  }
  return makeUnderFreeName(
      Process.Settings.ReportFile, strlen(Process.Settings.ReportFile), Name,
      [](const char *Path) {
        return open(Path, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                    0666);
      });
}

// Descriptor for the report's output; -1 for no output.
int reportDescriptor() {
  if (Process.Settings.Report == ReportTo::Stdout)
    return isStream(STDOUT_FILENO) ? STDOUT_FILENO : -1;
  if (Process.Settings.Report == ReportTo::Stderr)
    return isStream(STDERR_FILENO) ? STDERR_FILENO : -1;
  TextBuffer<1024> Name;
  int File = aboveStreams(createReportFile(Name), F_DUPFD_CLOEXEC);
  if (File < 0) {
    TextBuffer<1400> Message;
    Message << "cannot write the report to " << Process.Settings.ReportFile
            << ": " << reasonOf(errno);
    warn(Message.c_str());
  } else {
    warnOfOtherName("report", Process.Settings.ReportFile, Name.c_str());
  }
  return File;
}

// What a report is made of and where it goes.
struct ToolRun {
  const char *Profile;
  const char *View;
  int Output;
};

// Starts the tool for RUN with its standard output on Output, and waits for it.
// Returns its exit status, or NotFound if it couldn't be started.
int startTool(const ToolRun &Run) {
  ReportEnvironment Environment;
  posix_spawn_file_actions_t Actions;
  posix_spawnattr_t Attributes;
  if (Environment.Variables == nullptr ||
      posix_spawn_file_actions_init(&Actions) != 0)
    return NotFound;
  if (posix_spawnattr_init(&Attributes) != 0) {
    posix_spawn_file_actions_destroy(&Actions);
    return NotFound;
  }
  if (Run.Output != STDOUT_FILENO)
    posix_spawn_file_actions_adddup2(&Actions, Run.Output, STDOUT_FILENO);
  sigset_t None;
  sigset_t All;
  sigemptyset(&None);
  sigfillset(&All);
  posix_spawnattr_setsigmask(&Attributes, &None);
  posix_spawnattr_setsigdefault(&Attributes, &All);
  posix_spawnattr_setflags(&Attributes,
                           POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF);
  char Tool[] = "loopscope";
  char Report[] = "report";
  char ViewFlag[] = "--view";
  char StyleFlag[] = "--style";
  bool HasStyle = Process.Settings.Style[0] != 0;
  char *Arguments[] = {Tool,
                       Report,
                       const_cast<char *>(Run.Profile),
                       ViewFlag,
                       const_cast<char *>(Run.View),
                       HasStyle ? StyleFlag : nullptr,
                       Process.Settings.Style,
                       nullptr};
  pid_t Child = 0;
  int Status = 0;
  int Error = posix_spawnp(&Child, toolPath(), &Actions, &Attributes, Arguments,
                           Environment.Variables);
  posix_spawnattr_destroy(&Attributes);
  posix_spawn_file_actions_destroy(&Actions);
  if (Error != 0)
    return NotFound;
  while (waitpid(Child, &Status, 0) < 0)
    if (errno != EINTR)
      return NotFound;
  return WIFEXITED(Status) ? WEXITSTATUS(Status) : NotFound;
}

// The same out of the program's sight. Returns whether there is a report.
bool runTool(const char *Profile, const char *View, int Output) {
  ToolRun Run{Profile, View, Output};
  auto Start = [](void *Of) { return startTool(*static_cast<ToolRun *>(Of)); };
  return runInHiddenChild(Start, &Run) == 0;
}

// If the tool can't be found, print how to get the report instead of failing.
void printHow(const char *Profile) {
  TextBuffer<1400> Message;
  if (profilePath()[0] == 0)
    Message << "the report could not be made: the tool 'loopscope' was not "
               "found or failed, and the profile was only in memory";
  else
    Message << "the profile is " << Profile
            << "; to read it: loopscope report --view " << viewName()
            << (Process.Settings.Style[0] != 0 ? " --style " : "")
            << Process.Settings.Style << ' ' << Profile;
  warn(Message.c_str());
}

void flushStandardOutput() {
  if (ftrylockfile(stdout) != 0)
    return;
  fflush(stdout);
  funlockfile(stdout);
}
} // namespace

void loopscope::runtime::launchReport(ReportTime When) {
  if (Process.Settings.Report == ReportTo::None || Process.Rank.Index > 0 ||
      fileLoss() == Loss::Lost) // which was said when it happened
    return;
  TextBuffer<1100> Profile;
  int Copy = snapshot(Profile);
  if (When == ReportTime::AtEnd)
    flushStandardOutput();
  int Output = Profile.size() == 0 ? -1 : reportDescriptor();
  if (Output < 0) {
    printHow(profilePath());
    if (Copy >= 0)
      close(Copy);
    return;
  }
  bool HasRanks = Process.Merged[0] != 0;
  bool WantsRanks = strcmp(viewName(), RanksView) == 0;
  const char *Reported =
      HasRanks && WantsRanks ? Process.Merged : Profile.c_str();
  if (!runTool(Reported, viewName(), Output))
    printHow(profilePath());
  else if (HasRanks && Process.Settings.View[0] == 0)
    runTool(Process.Merged, RanksView, Output);
  if (Output > STDERR_FILENO)
    close(Output);
  if (Copy >= 0)
    close(Copy);
}
