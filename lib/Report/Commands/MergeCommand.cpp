// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope merge`: finds the ranks of the newest run and copies their bytes.

#include "Report/Commands/MergeCommand.h"

#include "Report/Commands/Input.h"
#include "Report/Commands/Output.h"
#include "Run/Combine/RollCall.h"
#include "Run/Read/MergedFile.h"
#include "Run/Read/ProfileReader.h"
#include "Support/Numbers.h"
#include "Support/Printable.h"

#include <fmt/format.h>

#include <algorithm>

using namespace loopscope;

namespace {
// A merged file has a slot per rank; a larger rank is a mistake.
constexpr int64_t MostRanks = 1 << 20;

// What the files say about themselves.
Result<std::vector<RunInfo>> infosOf(const std::vector<std::string> &Paths) {
  std::vector<RunInfo> Infos;
  for (const std::string &Path : Paths) {
    Result<Run> From = readProfile(Path);
    if (!From)
      return From.error();
    Infos.push_back(*From);
  }
  return Infos;
}

// "ranks 0 to 3 of 4", and what is wrong with them.
void printDone(const MergeRequest &Request, const RankSet &Of,
               const std::vector<RunInfo> &Infos, size_t Runs) {
  std::vector<int64_t> Ranks;
  for (size_t Each : Of.Files)
    Ranks.push_back(Infos[Each].Rank);
  fmt::print("wrote {}: rank{} {}{}\n", printable(Request.OutputFile),
             Ranks.size() == 1 ? "" : "s", rangesText(Ranks),
             Runs == 1 ? ""
                       : fmt::format(", from the run that started last, of {}",
                                     counted(Runs, "run")));
  for (const std::string &Note : Of.Notes)
    fmt::print("{}\n", Note);
}
} // namespace

int loopscope::runMerge(const MergeRequest &Request) {
  Result<std::vector<std::string>> Paths = expandInputs(Request.Files);
  if (!Paths)
    return fail(Paths.error().Message);
  Result<std::vector<RunInfo>> Infos = infosOf(*Paths);
  if (!Infos)
    return fail(Infos.error().Message);
  std::vector<const RunInfo *> Asked;
  for (const RunInfo &Each : *Infos)
    Asked.push_back(&Each);
  RollCall Found = callRoll(Asked);
  if (Found.Runs.empty())
    return fail("these are all forked children, which aren't ranks");
  const RankSet &Newest = Found.Runs.front();
  std::vector<OpenProfile> Opened;
  std::vector<std::span<const std::byte>> Profiles;
  for (size_t Each : Newest.Files) {
    int64_t Rank = (*Infos)[Each].Rank;
    if (Rank < 0 || Rank >= MostRanks ||
        std::find(Newest.Doubtful.begin(), Newest.Doubtful.end(), Each) !=
            Newest.Doubtful.end())
      return fail(fmt::format(
          "{}: {}", (*Paths)[Each],
          Rank < 0
              ? "has no rank, so it can't be in a merged file; leave it out"
              : "its rank is out of range, or another file has it too; leave "
                "one out"));
    Result<OpenProfile> Next = openProfileBytes((*Paths)[Each]);
    if (!Next)
      return fail(Next.error().Message);
    auto Size = static_cast<size_t>(
        std::clamp<int64_t>((*Infos)[Each].WorldSize, Rank + 1, MostRanks));
    Profiles.resize(std::max(Profiles.size(), Size));
    Profiles[static_cast<size_t>(Rank)] = Next->Bytes;
    Opened.push_back(std::move(*Next));
  }
  if (!writeOutput(mergedFile(Profiles), Request.OutputFile, *Paths))
    return Failure;
  if (!isStandardOutput(Request.OutputFile))
    printDone(Request, Newest, *Infos, Found.Runs.size());
  return Fine;
}
