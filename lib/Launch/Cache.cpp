// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names that a compiler cache gives to files.

#include "Launch/Cache.h"

#include "Launch/Process.h"

#include <algorithm>
#include <filesystem>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

/// The cache that runs LINE's compiler; "" if there is none.
std::string cacheOf(const CommandLine &Line) {
  for (const std::string &Each : Line.Launchers)
    if (isCache(Each))
      return Each;
  std::string Program = resolvedProgram(Line.Compiler);
  return isCache(Program) ? Program : "";
}

/// ccache's base_dir for LINE; "" if there is none.
std::string baseOf(const CommandLine &Line, const std::string &Directory) {
  constexpr std::string_view Own = "base_dir=";
  for (const std::string &Each : Line.Launchers)
    if (Each.starts_with(Own))
      return Each.substr(Own.size());
  std::string Program = cacheOf(Line);
  if (!Program.ends_with("ccache") || Program.ends_with("sccache"))
    return "";
  Result<Captured> Answer =
      capture({Program, "--get-config", "base_dir"}, Directory);
  if (!Answer || !Answer->End.good())
    return "";
  return Answer->Out.substr(0, Answer->Out.find('\n'));
}

/// Options whose value ccache takes for a path, of those that a source's name
/// may start with.
bool hasPath(const Option &O) {
  constexpr std::string_view Names[] = {"-I",         "-iquote",  "-isystem",
                                        "-idirafter", "-include", "-imacros"};
  return std::ranges::find(Names, O.Name) != std::end(Names);
}

} // namespace

bool isCached(const CommandLine &Line) {
  return (Line.Kind == Family::Gcc || Line.Kind == Family::Clang) &&
         !cacheOf(Line).empty();
}

CacheNames::CacheNames(const CommandLine &Line, std::string Directory)
    : Directory(std::move(Directory)), Base(baseOf(Line, this->Directory)) {
  while (Base.size() > 1 && Base.ends_with("/"))
    Base.pop_back();
}

std::string CacheNames::nameOf(const std::string &Path) const {
  if (Base.empty() || !Path.starts_with(Base) ||
      (Path.size() > Base.size() && Base != "/" && Path[Base.size()] != '/'))
    return Path;
  // An object needn't exist yet.
  std::error_code Why;
  fs::path Known(Path);
  fs::path Rest;
  while (!fs::exists(Known, Why) && Known != Known.parent_path()) {
    Rest = Rest.empty() ? Known.filename() : Known.filename() / Rest;
    Known = Known.parent_path();
  }
  fs::path Best;
  for (const fs::path &Each :
       {Known.lexically_normal(), fs::weakly_canonical(Known, Why)}) {
    fs::path Name = Each.lexically_relative(Directory);
    if (fs::equivalent(fs::path(Directory) / Name, Known, Why) &&
        (Best.empty() || Name.native().size() < Best.native().size()))
      Best = Name;
  }
  if (Best.empty())
    return Path;
  return (Rest.empty() ? Best : (Best / Rest).lexically_normal()).string();
}

std::vector<std::string> CacheNames::words(const CommandLine &Line) const {
  CommandLine Named = Line;
  for (const Source &S : Line.Sources)
    Named.Args[S.Index] = nameOf(S.Path);
  for (const Option &O : Line.Options) {
    std::string Name = hasPath(O) ? nameOf(O.Value) : O.Value;
    if (Name == O.Value)
      continue;
    std::string &Word = Named.Args[O.Index + O.Length - 1];
    Word.replace(Word.size() - O.Value.size(), std::string::npos, Name);
  }
  return Named.words();
}

} // namespace loopscope::launch
