// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Distinguishes input files.

#include "Report/Commands/Input.h"

#include "Run/Combine/SelectThread.h"
#include "Run/Kineto/KinetoReader.h"
#include "Run/Read/MergedFile.h"
#include "Run/Read/PartsReader.h"
#include "Run/Read/ProfileReader.h"
#include "Support/Numbers.h"
#include "Support/Printable.h"

#include <loopscope/run_settings.h>

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <set>
#include <sys/stat.h>
#include <system_error>

using namespace loopscope;

namespace {
constexpr const char *StandardInput = "-";

// Whether the file at PATH starts like a trace. If it can't be opened, the
// profile reader reports why. A pipe can only hold a trace.
bool startsLikeTrace(const std::string &Path) {
  bool IsInput = Path == StandardInput;
  std::string Name = IsInput ? "/dev/stdin" : Path;
  std::error_code Failed; // opening a pipe would wait for its writer
  if (!std::filesystem::is_regular_file(Name, Failed))
    return IsInput;
  std::ifstream File(Name, std::ios::binary);
  std::array<char, 64> Start{};
  File.read(Start.data(), Start.size());
  return looksLikeTrace(
      {Start.data(),
       static_cast<size_t>(std::max<std::streamsize>(File.gcount(), 0))});
}

bool isInput(const std::string &Name) {
  for (const char *End : {".loopscope", ".pt.trace.json", ".pt.trace.json.gz"})
    if (Name.ends_with(End))
      return true;
  return false;
}
} // namespace

Result<std::vector<std::string>>
loopscope::expandInputs(const std::vector<std::string> &Paths) {
  namespace fs = std::filesystem;
  std::vector<std::string> Out;
  for (const std::string &Path : Paths) {
    std::error_code Failed;
    if (!fs::is_directory(Path, Failed)) {
      Result<std::vector<std::string>> Members = memberPaths(Path);
      if (!Members)
        return Members.error();
      Out.insert(Out.end(), Members->begin(), Members->end());
      continue;
    }
    std::vector<std::string> Found;
    for (fs::directory_iterator At(Path, Failed), Past; !Failed && At != Past;
         At.increment(Failed))
      if (isInput(At->path().filename().string()))
        Found.push_back(At->path().string());
    if (Failed)
      return Error{fmt::format("cannot list '{}': {}", Path, Failed.message())};
    if (Found.empty())
      return Error{fmt::format("'{}' holds no profile (*.loopscope) and no "
                               "trace (*.pt.trace.json, *.pt.trace.json.gz)",
                               Path)};
    std::sort(Found.begin(), Found.end());
    for (const std::string &Each : Found) {
      Result<std::vector<std::string>> Members = memberPaths(Each);
      if (Members)
        Out.insert(Out.end(), Members->begin(), Members->end());
      else
        Out.push_back(Each); // what reads it says why it can't
    }
  }
  return onceEach(Out);
}

std::vector<std::string>
loopscope::onceEach(const std::vector<std::string> &Paths) {
  std::vector<std::string> Out;
  std::set<std::string> Names; // of standard input, and ranks of merged files
  std::set<std::pair<dev_t, ino_t>> Files;
  for (const std::string &Path : Paths) {
    struct stat Status{};
    bool IsFile = stat(Path.c_str(), &Status) == 0;
    if (IsFile ? Files.emplace(Status.st_dev, Status.st_ino).second
               : Names.insert(Path).second)
      Out.push_back(Path);
    else
      fmt::print(stderr,
                 "loopscope: {} is given more than once; it counts once\n",
                 printable(Path));
  }
  std::vector<std::string> Latest = withoutEarlierParts(Out);
  if (size_t Count = Out.size() - Latest.size(); Count != 0)
    fmt::print(stderr,
               "loopscope: left out {} of earlier parts of runs whose later "
               "part counts; name them alone to read them\n",
               counted(Count, "file"));
  return withoutCopies(std::move(Latest));
}

Result<Run> loopscope::readInput(const std::string &Path,
                                 const ViewOptions &Options,
                                 WithTimeline Events) {
  Result<Run> From =
      startsLikeTrace(Path)
          ? readKinetoTrace(Path, TraceLimits{Options.MaxInflated})
          : readProfile(Path, Events);
  if (!From && Path == StandardInput && startsLikeTrace(Path))
    return Error{From.error().Message +
                 "; a profile is read from a file, not from a pipe"};
  if (From && Options.PeakFlops != 0)
    From->Given.set(LOOPSCOPE_SETTING_FLOPS_PEAK, Options.PeakFlops);
  return From && !Options.Thread.empty()
             ? selectThread(std::move(*From), Options.Thread)
             : std::move(From);
}

bool loopscope::isWanted(const Run &From, const ViewOptions &Options) {
  return !Options.Rank || From.Rank == *Options.Rank;
}

std::string loopscope::noSuchRank(const ViewOptions &Options) {
  return fmt::format("--rank: no file is from rank {}",
                     Options.Rank.value_or(0));
}
