// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Folders of libraries; bytes as they are, without a locale.

#include "Support/Paths.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <system_error>

bool loopscope::isSystemLibrary(std::string_view Path) {
  constexpr std::string_view Folders[] = {"/lib/", "/lib64/", "/usr/lib/",
                                          "/usr/lib64/"};
  return std::ranges::any_of(
      Folders, [&](std::string_view Each) { return Path.starts_with(Each); });
}

std::string loopscope::readFile(const std::string &Path) {
  return readWholeFile(Path).value_or("");
}

// By read(), which tells a failure by the stream's state. Iterators of a
// stream's buffer throw: at a folder, or /proc of a process that just ended.
std::optional<std::string> loopscope::readWholeFile(const std::string &Path) {
  std::ifstream Stream(Path, std::ios::binary);
  if (!Stream)
    return std::nullopt;
  std::string Text;
  std::array<char, 4096> Piece;
  do {
    Stream.read(Piece.data(), Piece.size());
    Text.append(Piece.data(), static_cast<size_t>(Stream.gcount()));
  } while (Stream);
  if (Stream.bad())
    return std::nullopt;
  return Text;
}

// A file that CMake writes at the top of the tree, so that no program names a
// folder of who built it. Its lines are NAME=PATH.
std::string loopscope::inBuildTree(std::string_view Name) {
  namespace fs = std::filesystem;
  constexpr int Levels = 4; // bin/loopscope, test/unit/report-tests
  std::error_code Failed;
  fs::path Folder = fs::read_symlink("/proc/self/exe", Failed);
  for (int I = 0; I < Levels && Folder.has_relative_path(); ++I) {
    Folder = Folder.parent_path();
    std::ifstream Lines(Folder / "loopscope-build-tree");
    for (std::string Line; std::getline(Lines, Line);)
      if (Line.starts_with(Name) && Line.substr(Name.size()).starts_with("="))
        return Line.substr(Name.size() + 1);
  }
  return "";
}
