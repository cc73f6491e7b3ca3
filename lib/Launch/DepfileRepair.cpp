// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Repairs the depfiles of a compile with mirrors.

#include "Launch/Depfile.h"
#include "Launch/Launcher.h"
#include "Support/OutputFile.h"
#include "Support/Paths.h"

#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

/// Files that may be the depfile of U: compilers name it differently if -MF
/// doesn't.
std::vector<std::string> depfilesOf(const CommandLine &Line, const Unit &U) {
  if (!Line.WritesDepfile)
    return {};
  if (!Line.Depfile.empty())
    return {Line.Depfile};
  std::string Stem = fs::path(U.Input.Path).stem().string();
  std::vector<std::string> Names = {Stem + ".d"};
  if (std::optional<std::string> Objects = Line.lastValue("-odir"))
    Names.push_back(*Objects + "/" + Stem + ".d");
  std::string Base = Line.Output.empty() ? "a" : Line.Output;
  Names.push_back(fs::path(Base).replace_extension(".d").string());
  fs::path Bare = fs::path(Base).replace_extension();
  Names.push_back(Bare.string() + "-" + Stem + ".d");
  Names.push_back(Base + "-" + Stem + ".d");
  return Names;
}

} // namespace

std::optional<Error> repairDepfiles(const CommandLine &Line,
                                    const std::vector<Unit> &Units,
                                    const std::vector<std::string> &Deciding,
                                    const std::string &Rewriter,
                                    const std::string &Directory) {
  // One file may name several sources' mirrors, so all are collected before any
  // name is changed.
  Mirror All;
  std::set<std::string> Names;
  for (const Unit &U : Units) {
    if (U.Written.Status == Mirror::Outcome::Failed ||
        (U.Written.Status == Mirror::Outcome::Unchanged && Deciding.empty()))
      continue;
    All.Files.insert(All.Files.end(), U.Written.Files.begin(),
                     U.Written.Files.end());
    All.Renames.insert(All.Renames.end(), U.Written.Renames.begin(),
                       U.Written.Renames.end());
    for (std::string &Name : depfilesOf(Line, U))
      Names.insert(std::move(Name));
  }
  std::vector<std::string> More = {Rewriter};
  More.insert(More.end(), Deciding.begin(), Deciding.end());
  std::set<std::string> Decided; // Sources that a change of these concerns.
  if (!Deciding.empty())
    for (const Unit &U : Units)
      Decided.insert(U.Input.Path);
  for (const std::string &Name : Names) {
    std::string Path = absoluteIn(Name, Directory);
    std::error_code Why;
    if (!fs::is_regular_file(Path, Why))
      continue;
    std::string Text = readFile(Path);
    bool Ours = false;
    std::string Repaired = renameDependencies(
        Text,
        [&](const std::string &Each) {
          std::string Plain = All.plainName(Each);
          Ours |= Plain != Each || Decided.contains(Each);
          // Compilers leave this out.
          while (Plain != Each && Plain.starts_with("./"))
            Plain.erase(0, 2);
          return Plain;
        },
        More);
    if (!Ours)
      continue;
    if (Result<Written> Done = writeOutputFile(Path, Repaired); !Done)
      return Error{"the depfile: " + Done.error().Message};
  }
  return std::nullopt;
}

} // namespace loopscope::launch
