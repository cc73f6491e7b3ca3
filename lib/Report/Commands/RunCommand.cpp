// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Starts the program, waits for it, and finds its profiles.

#include "Report/Commands/RunCommand.h"

#include "Report/Commands/Output.h"
#include "Report/Commands/Program.h"
#include "Run/Read/ProcessEnd.h"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <map>
#include <string_view>
#include <sys/resource.h>
#include <sys/wait.h>
#include <system_error>
#include <unistd.h>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
// The value of KEY in comma-separated OPTIONS; empty if it isn't there.
std::string valueOf(std::string_view Options, std::string_view Key) {
  while (!Options.empty()) {
    std::string_view Word = Options.substr(0, Options.find(','));
    Options.remove_prefix(std::min(Options.size(), Word.size() + 1));
    if (Word.substr(0, Key.size()) == Key)
      return std::string(Word.substr(Key.size()));
  }
  return {};
}

// Where the run's profiles go.
fs::path profileDirectory(const std::string &Options) {
  std::string Output = valueOf(Options, "output=");
  std::error_code Failed;
  if (Output.empty())
    return fs::current_path(Failed);
  if (Output.back() == '/' || fs::is_directory(Output, Failed))
    return Output;
  fs::path Parent = fs::path(Output).parent_path();
  return Parent.empty() ? fs::current_path(Failed) : Parent;
}

// Profiles in AFTER that aren't in BEFORE or are older there; relative to the
// working directory if they are below it.
std::vector<std::string> newProfiles(const ProfileListing &Before,
                                     const ProfileListing &After) {
  std::vector<std::string> Result;
  std::error_code Failed;
  for (const auto &[Path, Time] : After) {
    auto Old = Before.find(Path);
    if (Old != Before.end() && Old->second == Time)
      continue;
    fs::path Short =
        fs::path(Path).lexically_relative(fs::current_path(Failed));
    bool IsInside = !Short.empty() && *Short.begin() != "..";
    Result.push_back(IsInside ? Short.string() : Path);
  }
  return Result;
}

// Ends as the program did.
int endLike(int Status, bool Reported) {
  if (WIFSIGNALED(Status)) {
    // One core file, the program's own, is enough.
    rlimit NoCore{0, 0};
    setrlimit(RLIMIT_CORE, &NoCore);
    std::signal(WTERMSIG(Status), SIG_DFL);
    raise(WTERMSIG(Status));
  }
  int Code = WEXITSTATUS(Status);
  return Code == 0 && !Reported ? Failure : Code;
}
} // namespace

int loopscope::runProgram(RunRequest Request) {
  const char *Given = std::getenv("LOOPSCOPE");
  std::string Options = !Request.Options.empty() ? Request.Options
                        : Given                  ? Given
                                                 : "";
  // We make the report, unless it was asked for elsewhere.
  if (valueOf(Options, "report=").empty())
    Options += Options.empty() ? "report=none" : ",report=none";
  setenv("LOOPSCOPE", Options.c_str(), 1);

  fs::path Directory = profileDirectory(Options);
  ProfileListing Before = listProfiles(Directory);
  auto [Status, Pid] = waitForProgram(Request.Command);
  Request.Report.Files = newProfiles(Before, listProfiles(Directory));
  for (const std::string &Path : Request.Report.Files)
    recordEnd(Path, Pid, Status);
  bool Reported = false;
  if (!Request.Report.Files.empty())
    Reported = runReport(Request.Report) == Fine;
  else if (!WIFEXITED(Status) || WEXITSTATUS(Status) < NotExecutable)
    printError(fmt::format(
        "{} left no profile in {}: it was built without loopscope-launch or "
        "loopscope_instrument, no place in it is marked, or LOOPSCOPE=off was "
        "set. Without marks, `loopscope-launch --functions g++ ...` times its "
        "functions, and `loopscope-rewrite --suggest FILE.cpp -o loops.yaml` "
        "finds its loops for `loopscope-launch --select=loops.yaml g++ ...`",
        Request.Command[0], Directory.string()));
  return endLike(Status, Reported);
}
