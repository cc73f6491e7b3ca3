// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each run writes its profiles to a directory of its own:
//
//   KEEP/before-1/   KEEP/after-1/   KEEP/before-2/ ...
//
// KEEP is temporary unless the user names one. During a run, the directory is
// KEEP/run/ for both sides: a path of another length would move the program's
// stack.

#include "Report/Commands/DiffRuns.h"

#include "Report/Commands/Input.h"
#include "Report/Commands/Program.h"
#include "Report/Views/View.h"
#include "Run/Combine/Merge.h"
#include "Run/Model/CallTree.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// One side of the comparison.
struct DiffProgram {
  const char *Name; ///< "before"
  const std::vector<std::string> &Command;
};

// A directory that is removed with the object, unless it is the user's.
class ProfilePlace {
public:
  /// Creates PATH, or a temporary directory if it is empty.
  explicit ProfilePlace(const std::string &Path) : IsTemporary(Path.empty()) {
    std::error_code Failed;
    if (IsTemporary) {
      std::string Pattern =
          (fs::temp_directory_path(Failed) / "loopscope-diff-XXXXXX").string();
      if (Failed || !mkdtemp(Pattern.data()))
        return;
      Directory = Pattern;
    } else if (fs::create_directories(Path, Failed) || !Failed) {
      Directory = fs::absolute(Path, Failed);
    }
  }
  ~ProfilePlace() {
    std::error_code Failed;
    if (IsTemporary && !Directory.empty())
      fs::remove_all(Directory, Failed);
  }
  ProfilePlace(const ProfilePlace &) = delete;
  ProfilePlace &operator=(const ProfilePlace &) = delete;

  /// Empty if it couldn't be created.
  const fs::path &path() const { return Directory; }

private:
  bool IsTemporary;
  fs::path Directory;
};

// Shows progress on a terminal.
class RunCounter {
public:
  explicit RunCounter(size_t All)
      : All(All), IsShown(isatty(STDERR_FILENO) != 0) {}
  ~RunCounter() {
    if (IsShown)
      fmt::print(stderr, "\r\033[K");
  }
  RunCounter(const RunCounter &) = delete;
  RunCounter &operator=(const RunCounter &) = delete;

  void next() {
    if (IsShown)
      fmt::print(stderr, "\rloopscope: run {} of {}\033[K", ++Count, All);
  }

private:
  size_t All;
  size_t Count = 0;
  bool IsShown;
};

std::string howItEnded(int Status) {
  return WIFSIGNALED(Status)
             ? fmt::format("was ended by SIG{}", sigabbrev_np(WTERMSIG(Status)))
             : fmt::format("exited with {}", WEXITSTATUS(Status));
}

// The profiles in DIRECTORY, all of one run, as one.
Result<Run> readRun(const fs::path &Directory, const ViewOptions &Options) {
  std::vector<Run> Ranks;
  for (const auto &[Path, Time] : listProfiles(Directory)) {
    Result<Run> From = readInput(Path, Options);
    if (!From)
      return From.error();
    addTree(*From);
    From->Stream = {};
    Ranks.push_back(std::move(*From));
  }
  if (Ranks.empty())
    return Error{"wrote no profile; build it with loopscope_instrument or "
                 "loopscope-launch"};
  if (Ranks.size() == 1)
    return std::move(Ranks.front());
  return mergeProfiles(std::move(Ranks));
}

// Runs a side's program once and leaves its profiles in PLACE/NAME.
Result<Run> runOnce(const DiffProgram &Program, const fs::path &Place,
                    const std::string &Name, const std::string &Environment,
                    const ViewOptions &Options) {
  auto Fail = [&](const std::string &Why) {
    return Error{
        fmt::format("{} ({}) {}", Program.Command.front(), Program.Name, Why)};
  };
  fs::path Directory = Place / "run";
  std::error_code Failed;
  if (!fs::create_directory(Directory, Failed))
    return Fail(fmt::format("can't write its profile to {}: {}",
                            Directory.string(),
                            Failed ? Failed.message() : "it already exists"));
  std::string Words = Environment.empty() ? "" : Environment + ',';
  Words += fmt::format("report=none,output={}/", Directory.string());
  setenv("LOOPSCOPE", Words.c_str(), 1);
  int Status = waitForProgram(Program.Command, ProgramOutput::Dropped).Status;
  if (Status != 0)
    return Fail(howItEnded(Status) +
                "; only runs that exit with 0 are compared");
  Result<Run> From = readRun(Directory, Options);
  fs::rename(Directory, Place / Name, Failed);
  if (Failed)
    return Fail(fmt::format("can't keep its profiles in {}: {}",
                            (Place / Name).string(), Failed.message()));
  return From ? std::move(From) : Fail(From.error().Message);
}
} // namespace

Result<PairedRuns> loopscope::runPairs(const PairsRequest &Request,
                                       const ViewOptions &Options) {
  ProfilePlace Place(Request.KeepDirectory);
  if (Place.path().empty())
    return Error{fmt::format("cannot make the directory '{}' for profiles: {}",
                             Request.KeepDirectory, std::strerror(errno))};
  const char *Given = std::getenv("LOOPSCOPE");
  std::string Environment = !Request.Environment.empty() ? Request.Environment
                            : Given                      ? Given
                                                         : "";
  const DiffProgram Before = {"before", Request.Before};
  const DiffProgram After = {"after", Request.After};
  size_t Pairs = Request.Warmup + Request.Runs;
  RunCounter Counter(Pairs * 2);
  PairedRuns Result;
  for (size_t I = 0; I < Pairs; ++I) {
    bool IsSwapped = I % 2 == 1;
    for (const DiffProgram *Each :
         {IsSwapped ? &After : &Before, IsSwapped ? &Before : &After}) {
      bool IsWarmup = I < Request.Warmup;
      std::string Name =
          fmt::format("{}-{}{}", Each->Name, IsWarmup ? "warmup-" : "",
                      IsWarmup ? I + 1 : I + 1 - Request.Warmup);
      Counter.next();
      loopscope::Result<Run> From =
          runOnce(*Each, Place.path(), Name, Environment, Options);
      if (!From)
        return From.error();
      if (!IsWarmup)
        (Each == &Before ? Result.Before : Result.After)
            .push_back(std::move(*From));
    }
  }
  return Result;
}
