// Telling input files apart.
#include "Report/Input.h"

#include "Profile/KinetoReader.h"
#include "Profile/Merge.h"
#include "Profile/ProfileReader.h"
#include "Report/KinetoSection.h"
#include "Report/TableOptions.h"
#include "Report/Views.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

using namespace loopscope;

namespace {
constexpr const char *StandardInput = "-";

// True when the file at PATH starts like a trace. What can't be opened is left
// to the profile reader, which says why.
bool isTrace(const std::string &Path) {
  std::error_code Failed; // opening a pipe would wait for its writer
  if (!std::filesystem::is_regular_file(Path, Failed))
    return false;
  std::ifstream File(Path, std::ios::binary);
  std::array<char, 64> Start{};
  File.read(Start.data(), Start.size());
  return looksLikeTrace(
      {Start.data(),
       static_cast<size_t>(std::max<std::streamsize>(File.gcount(), 0))});
}

Result<Section> shaped(Result<Section> Built, View Which,
                       const ViewOptions &Options) {
  return Built ? applyOptions(std::move(*Built), Which, Options)
               : std::move(Built);
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
      Out.push_back(Path);
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
    Out.insert(Out.end(), Found.begin(), Found.end());
  }
  return Out;
}

Result<Input> loopscope::readInput(const std::string &Path,
                                   uint64_t MaxInflated, WithTimeline Events) {
  if (Path == StandardInput || isTrace(Path)) {
    Result<KinetoTrace> Trace = readKinetoTrace(Path, TraceLimits{MaxInflated});
    return Trace ? Result<Input>(std::move(*Trace)) : Trace.error();
  }
  Result<Profile> P = readProfile(Path, Events);
  return P ? Result<Input>(std::move(*P)) : P.error();
}

Result<Section> loopscope::readSection(const std::string &Path, View Which,
                                       const ViewOptions &Options) {
  Result<Input> From = readInput(Path, Options.MaxInflated);
  if (!From)
    return From.error();
  return shaped(std::visit(
                    [&](const auto &Model) {
                      return buildSection(Model, Which, Options);
                    },
                    *From),
                Which, Options);
}

Result<Section>
loopscope::readMergedSection(const std::vector<std::string> &Paths, View Which,
                             const ViewOptions &Options) {
  std::vector<Profile> All;
  for (const std::string &Path : Paths) {
    if (Path == StandardInput || isTrace(Path))
      return Error{fmt::format("{}: --merge is for Loopscope profiles; report "
                               "traces one by one",
                               Path)};
    Result<Profile> P = readProfile(Path);
    if (!P)
      return P.error();
    All.push_back(std::move(*P));
  }
  if (Which == View::Ranks)
    return buildRanks(All);
  return shaped(buildSection(mergeProfiles(std::move(All)), Which, Options),
                Which, Options);
}
