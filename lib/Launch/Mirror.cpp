// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads what the rewriter wrote.

#include "Launch/Mirror.h"

#include "Launch/Record.h"

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

/// An include operand without quotes or brackets; "" for a macro.
std::string bareOperand(const std::string &Operand) {
  if (Operand.size() < 2 || (Operand[0] != '"' && Operand[0] != '<'))
    return "";
  return Operand.substr(1, Operand.size() - 2);
}

/// Adds the names that a normal compile uses for files that FILE finds beside
/// itself: the mirrored copy names them by absolute path.
void addRenames(const nlohmann::json &File, const MirroredFile &Entry,
                Family Kind, Mirror &M) {
  std::string Directory = directoryOf(Entry.Original);
  std::string Plain = directoryOf(Entry.Spelling);
  // Beside main.cpp, Clang finds ./a.h and GCC a.h.
  if (Plain.empty() && Kind == Family::Clang)
    Plain = "./";
  if (Directory == Plain)
    return;
  auto Edits = File.find("include_edits");
  if (Edits == File.end() || !Edits->is_array())
    return;
  for (const nlohmann::json &Edit : *Edits) {
    std::string To = bareOperand(textOf(Edit, "to"));
    std::string From = bareOperand(textOf(Edit, "from"));
    if (To.starts_with(Directory))
      M.Renames.emplace_back(Directory, Plain);
    else if (!To.empty() && !From.empty() && !From.starts_with("/"))
      M.Renames.emplace_back(To, Plain + From);
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
  for (auto Each = Renames.rbegin(); Each != Renames.rend(); ++Each)
    if (Path == Each->first ||
        (Each->first.ends_with("/") && Path.starts_with(Each->first)))
      return Each->second + Path.substr(Each->first.size());
  return Path;
}

Result<Mirror> readMirror(std::string_view Manifest, const std::string &Main,
                          Family Kind) {
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
    addRenames(File, Entry, Kind, M);
    M.Files.push_back(std::move(Entry));
  }
  if (M.Status == Mirror::Outcome::Instrumented &&
      (M.Files.empty() || !M.Files.front().Main))
    return Error{"the rewriter's manifest doesn't name the source itself"};
  return M;
}

} // namespace loopscope::launch
