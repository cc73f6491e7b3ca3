// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A program's list of sources, compared with the files that are here.

#include "Analysis/Samples/ProgramSources.h"

#include "Support/Numbers.h"
#include "Symbols/ElfFile.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <sys/stat.h>
#include <utility>

using namespace loopscope;

namespace {
// The file of SOURCE, whose compile may have been in any directory: one with
// its text whose name starts at the directory of PROGRAM or one above; the name
// itself if there is none.
std::filesystem::path foundAround(const std::filesystem::path &Program,
                                  const CompiledSource &Source) {
  if (std::filesystem::path(Source.Name).is_absolute())
    return std::filesystem::path(Source.Name).lexically_normal();
  for (std::filesystem::path Top = Program; Top.has_relative_path();) {
    Top = Top.parent_path();
    std::filesystem::path Path = (Top / Source.Name).lexically_normal();
    std::optional<std::string> Text = sourceText(Path);
    if (Text && hashOf(*Text) == Source.Hash)
      return Path;
  }
  return Source.Name;
}

// Whether FILE, the program of R as it is now, may be another one than ran.
// Only a run with samples knows the build id.
bool isRebuilt(const Run &R, const ElfFile &File) {
  auto Loaded =
      std::ranges::find(R.Stacks.Objects, R.Program, &CodeObject::Path);
  if (Loaded != R.Stacks.Objects.end() && !Loaded->BuildId.empty())
    return Loaded->BuildId != File.buildId();
  return isNewerThan(R.Program, R);
}

// Whether a line of TEXT looks like a directive that numbers those after it, or
// like what a preprocessor leaves of it.
bool hasLineDirective(const std::string &Text) {
  for (size_t At = Text.find('#'); At != Text.npos;
       At = Text.find('#', At + 1)) {
    size_t Before = Text.find_last_not_of(" \t", At - 1);
    if (At != 0 && Before != Text.npos && Text[Before] != '\n')
      continue;
    size_t Word = std::min(Text.find_first_not_of(" \t", At + 1), Text.size());
    size_t End = std::min(Text.find_first_of(" \t\r\n\"", Word), Text.size());
    std::string_view Found = std::string_view(Text).substr(Word, End - Word);
    if (Found == "line" ||
        (!Found.empty() && Found[0] >= '0' && Found[0] <= '9'))
      return true;
  }
  return false;
}
} // namespace

bool loopscope::isNewerThan(const std::string &Path, const Run &R) {
  struct stat Facts{};
  return stat(Path.c_str(), &Facts) == 0 && R.StartRealtimeNs > 0 &&
         Facts.st_mtim.tv_sec > R.StartRealtimeNs / NsPerSecond;
}

ProgramSources::ProgramSources(const Run &R, std::set<std::string> Whole)
    : Program(R.Program), Whole(std::move(Whole)) {
  std::optional<ElfFile> File = ElfFile::read(R.Program);
  if (!File)
    return;
  for (const std::string &Text : File->sources())
    if (std::optional<CompiledSource> Each = readCompiledSource(Text))
      add(*Each);
  State = Hashes.empty()        ? ProgramState::Silent
          : isRebuilt(R, *File) ? ProgramState::Rebuilt
                                : ProgramState::Known;
}

void ProgramSources::add(const CompiledSource &Source) {
  std::filesystem::path Name(Source.Name);
  std::filesystem::path Path =
      Source.Directory.empty()
          ? foundAround(Program, Source)
          : (std::filesystem::path(Source.Directory) / Name).lexically_normal();
  // One that isn't absolute is of a build that hid its directory.
  if (Path.is_absolute())
    ByName[Name.lexically_normal().string()].insert(Path.string());
  Hashes[Path.string()].insert(Source.Hash);
}

std::string ProgramSources::pathOf(const std::string &Name) const {
  std::filesystem::path Path = std::filesystem::path(Name).lexically_normal();
  if (Path.is_absolute())
    return Path.string();
  if (auto Known = ByName.find(Path.string());
      Known != ByName.end() && Known->second.size() == 1)
    return *Known->second.begin();
  std::string End = '/' + Path.string();
  const std::string *Only = nullptr;
  for (const std::string &Each : Whole)
    if (Each.ends_with(End)) {
      if (Only)
        return Path.string();
      Only = &Each;
    }
  return Only ? *Only : Path.string();
}

std::set<uint64_t> ProgramSources::hashesAt(const std::string &Path) const {
  auto Known = Hashes.find(Path);
  return Known != Hashes.end() ? Known->second : std::set<uint64_t>();
}

CheckedText loopscope::checkedText(const std::string &Path,
                                   const std::set<uint64_t> &Hashes,
                                   ProgramState Program) {
  if (!std::filesystem::path(Path).is_absolute())
    return {TextState::Unplaced, ""};
  std::optional<std::string> Text = sourceText(Path);
  if (!Text)
    return {TextState::Missing, ""};
  // Where objects were compiled from several texts, lines of one are wrong.
  if (!Hashes.empty() &&
      (Hashes.size() > 1 || hashOf(*Text) != *Hashes.begin()))
    return {TextState::Changed, ""};
  if (hasLineDirective(*Text))
    return {TextState::Renumbered, ""};
  TextState State = Program == ProgramState::Missing  ? TextState::NoProgram
                    : Program == ProgramState::Silent ? TextState::Silent
                    : Hashes.empty()                  ? TextState::Unlisted
                    : Program == ProgramState::Known  ? TextState::Compiled
                                                      : TextState::Rebuilt;
  return {State, std::move(*Text)};
}
