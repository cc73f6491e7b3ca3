// Telling input files apart.
#include "Report/Input.h"

#include "Profile/KinetoProfile.h"
#include "Profile/KinetoReader.h"
#include "Profile/Merge.h"
#include "Profile/ProfileReader.h"
#include "Profile/SelectThread.h"
#include "Report/KinetoSection.h"
#include "Report/TableOptions.h"
#include "Report/ViewNames.h"
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
// to the profile reader, which says why. A pipe can hold a trace only.
bool isTrace(const std::string &Path) {
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
                                   const ViewOptions &Options,
                                   WithTimeline Events) {
  auto Select = [&](auto From) -> Result<Input> {
    if (!From)
      return From.error();
    if (Options.Thread.empty())
      return Input(std::move(*From));
    auto One = selectThread(std::move(*From), Options.Thread);
    return One ? Result<Input>(std::move(*One)) : One.error();
  };
  if (isTrace(Path))
    return Select(readKinetoTrace(Path, TraceLimits{Options.MaxInflated}));
  return Select(readProfile(Path, Events));
}

bool loopscope::isWanted(const Input &From, const ViewOptions &Options) {
  return !Options.Rank ||
         std::visit([](const auto &Model) -> int64_t { return Model.Rank; },
                    From) == *Options.Rank;
}

std::string loopscope::noSuchRank(const ViewOptions &Options) {
  return fmt::format("--rank: none of the files is of rank {}",
                     Options.Rank.value_or(0));
}

Result<Section> loopscope::sectionOf(const Input &From, View Which,
                                     const ViewOptions &Options) {
  return shaped(std::visit(
                    [&](const auto &Model) {
                      return buildSection(Model, Which, Options);
                    },
                    From),
                Which, Options);
}

std::optional<Error> Merger::add(Input From) {
  const auto *Trace = std::get_if<KinetoTrace>(&From);
  if (!Trace) {
    Profiles.push_back(std::move(std::get<Profile>(From)));
    return std::nullopt;
  }
  if (std::optional<Error> Why = refusal(*Trace, Which, Options))
    return Why;
  if (!isTraceView(Which)) {
    Profiles.push_back(profileOfTrace(*Trace));
    return std::nullopt;
  }
  Result<TraceFigures> Figures = wantedFigures(*Trace, Options);
  if (!Figures)
    return Figures.error();
  Traces.push_back(std::move(*Figures));
  return std::nullopt;
}

Result<Section> Merger::finish() {
  if (!Profiles.empty() && !Traces.empty())
    return Error{fmt::format("--merge: the {} view of PyTorch traces has other "
                             "rows than that of Loopscope profiles; report "
                             "them apart",
                             viewName(Which))};
  if (!Traces.empty())
    return shaped(buildSection(mergeFigures(std::move(Traces)), Which, Options),
                  Which, Options);
  if (Which == View::Ranks)
    return shaped(buildRanks(Profiles), Which, Options);
  Result<Profile> All = Which == View::Timeline
                            ? mergeTimelines(std::move(Profiles))
                            : mergeProfiles(std::move(Profiles));
  if (!All)
    return All.error();
  return shaped(buildSection(*All, Which, Options), Which, Options);
}
