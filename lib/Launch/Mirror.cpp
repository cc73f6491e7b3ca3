// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what the rewriter wrote.

#include "Launch/Mirror.h"

#include "Launch/Record.h"

#include <algorithm>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

namespace loopscope::launch {
namespace {

constexpr int ManifestVersion = 1;

std::string directoryOf(const std::string &Path) {
  return Path.substr(0, Path.find_last_of('/') + 1);
}

std::string textOf(const nlohmann::json &Object, const char *Key) {
  auto Found = Object.find(Key);
  return Found != Object.end() && Found->is_string() ? Found->get<std::string>()
                                                     : std::string();
}

std::string unquoted(const std::string &Operand) {
  return Operand.size() < 2 ? "" : Operand.substr(1, Operand.size() - 2);
}

/// Adds the names that a normal compile uses for what the mirrored copy ENTRY
/// of FILE includes outside the mirror, and for what is found beside that.
void addRenames(const nlohmann::json &File, const MirroredFile &Entry,
                const MirrorNames &Names, Mirror &M) {
  for (const nlohmann::json &Edit :
       File.value("include_edits", nlohmann::json::array())) {
    std::string To = unquoted(textOf(Edit, "to"));
    std::string Plain = textOf(Edit, "name");
    auto IsMirrored = [&](const std::string &Path) {
      return std::ranges::any_of(
          M.Files, [&](const MirroredFile &F) { return F.Mirrored == Path; });
    };
    if (IsMirrored(To) || IsMirrored(Names.Given + "/" + To))
      continue;
    if (!To.starts_with("/"))
      To.insert(0, directoryOf(Entry.Mirrored));
    std::string From = directoryOf(To);
    std::string Into = directoryOf(Plain);
    if (To.substr(From.size()) != Plain.substr(Into.size()))
      M.Renames.emplace_back(To, Plain);
    else if (From != Into)
      M.Renames.emplace_back(From, Into);
  }
}

} // namespace

std::string Mirror::mirroredPath(std::string_view Original) const {
  for (const MirroredFile &File : Files)
    if (File.Original == Original)
      return File.Mirrored;
  return "";
}

std::string Mirror::plainName(const std::string &Path) const {
  for (const MirroredFile &File : Files)
    if (File.Mirrored == Path)
      return File.Spelling;
  const std::pair<std::string, std::string> *Best = nullptr;
  for (const auto &Each : Renames)
    if ((Path == Each.first ||
         (Each.first.ends_with("/") && Path.starts_with(Each.first))) &&
        (!Best || Each.first.size() >= Best->first.size()))
      Best = &Each;
  return Best ? Best->second + Path.substr(Best->first.size()) : Path;
}

Result<Mirror> readMirror(std::string_view Manifest, const std::string &Main,
                          const MirrorNames &Names) {
  nlohmann::json Root = nlohmann::json::parse(Manifest, nullptr,
                                              /*allow_exceptions=*/false);
  if (!Root.is_object())
    return Error{"the rewriter's manifest is not a JSON object"};
  auto Version = Root.find("version");
  if (Version == Root.end() || *Version != ManifestVersion)
    return Error{fmt::format("the rewriter's manifest is not of version {}: "
                             "loopscope-launch and loopscope-rewrite don't "
                             "belong to the same installation",
                             ManifestVersion)};
  Mirror M;
  std::string Status = textOf(Root, "status");
  if (Status == "instrumented")
    M.Status = Mirror::Outcome::Instrumented;
  else if (Status == "failed")
    M.Status = Mirror::Outcome::Failed;
  else if (Status != "unchanged")
    return Error{
        fmt::format("the rewriter's manifest has status '{}'", Status)};
  M.OwnCleanups = Root.value("own_cleanups", false);
  for (const nlohmann::json &Each :
       Root.value("without_hooks", nlohmann::json::array()))
    if (Each.is_string())
      M.WithoutHooks.push_back(Each.get<std::string>());
  if (auto Rules = Root.find("rules"); Rules != Root.end())
    M.Rules = readRules(Rules->dump());
  for (const nlohmann::json &Each :
       Root.value("functions", nlohmann::json::array()))
    if (textOf(Each, "left_out") == SmallInProfile)
      M.SmallInProfile.push_back(textOf(Each, "place") + " " +
                                 textOf(Each, "name"));
  auto Files = Root.find("files");
  if (Files == Root.end() || !Files->is_array())
    return M;
  for (const nlohmann::json &File : *Files) {
    MirroredFile Entry;
    Entry.Original = textOf(File, "original");
    Entry.Spelling = textOf(File, "spelling");
    Entry.Mirrored = textOf(File, "mirrored");
    auto IsMain = File.find("main");
    Entry.Main = IsMain != File.end() && *IsMain == true;
    if (Entry.Main)
      Entry.Spelling = Main;
    if (Entry.Original.empty() || Entry.Mirrored.empty())
      return Error{"the rewriter's manifest names a file without its path"};
    if (Entry.Mirrored.starts_with(Names.Directory + "/"))
      Entry.Mirrored.replace(0, Names.Directory.size(), Names.Given);
    M.Files.push_back(std::move(Entry));
  }
  for (std::size_t I = 0; I < M.Files.size(); ++I)
    addRenames((*Files)[I], M.Files[I], Names, M);
  if (M.Status == Mirror::Outcome::Instrumented &&
      (M.Files.empty() || !M.Files.front().Main))
    return Error{"the rewriter's manifest doesn't name the source itself"};
  return M;
}

} // namespace loopscope::launch
