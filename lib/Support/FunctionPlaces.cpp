// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and files, each by its last parts.

#include "Support/FunctionPlaces.h"

#include <filesystem>

using namespace loopscope;

namespace {
// "f" of "N::C<int>::f<(A)1>": without scopes and template arguments.
std::string plainName(std::string_view Name) {
  int Depth = 0;
  size_t End = Name.size();
  if (Name.ends_with('>') && Name.find("operator") == Name.npos)
    while (End != 0) {
      char C = Name[--End];
      Depth += C == '>' ? 1 : C == '<' ? -1 : 0;
      if (Depth == 0)
        break;
    }
  Name = Name.substr(0, End);
  size_t Scope = Name.rfind("::");
  return std::string(Scope == Name.npos ? Name : Name.substr(Scope + 2));
}

// The name of FILE's directory; empty if FILE has none.
std::string lastDirectory(const std::filesystem::path &File) {
  std::string Last = File.lexically_normal().parent_path().filename().string();
  return Last == "." || Last == ".." ? "" : Last;
}

std::pair<std::string, std::string> keyOf(const FunctionPlace &Place) {
  return {std::filesystem::path(Place.File).filename().string(),
          plainName(Place.Name)};
}
} // namespace

void FunctionPlaces::add(const FunctionPlace &Place, uint32_t Number) {
  ByName[keyOf(Place)].push_back(
      {lastDirectory(Place.File), Place.Line, Number});
}

std::optional<uint32_t> FunctionPlaces::find(const FunctionPlace &Place) const {
  auto Named = ByName.find(keyOf(Place));
  if (Named == ByName.end())
    return std::nullopt;
  std::string Directory = lastDirectory(Place.File);
  const Entry *Only = nullptr;
  size_t Count = 0;
  for (const Entry &Each : Named->second) {
    if (!Directory.empty() && !Each.Directory.empty() &&
        Each.Directory != Directory)
      continue;
    if (Each.Line == Place.Line)
      return Each.Number;
    Only = &Each;
    ++Count;
  }
  return Count == 1 ? std::optional(Only->Number) : std::nullopt;
}
