// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds out which compiler a command runs.

#include "Launch/Compiler.h"

#include "Launch/Process.h"
#include "Support/Paths.h"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <unistd.h>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

/// PROGRAM's name without directory, version ("-12", "-12.2") and target
/// ("x86_64-linux-gnu-").
std::string_view bareName(std::string_view Program) {
  std::string_view Name = fileName(Program);
  if (Name.ends_with(".exe"))
    Name.remove_suffix(4);
  std::size_t Dash = Name.find_last_of('-');
  if (Dash != Name.npos && Dash + 1 < Name.size() &&
      Name.find_first_not_of("0123456789.", Dash + 1) == Name.npos)
    Name = Name.substr(0, Dash);
  return Name.substr(Name.find_last_of('-') + 1);
}

bool isOneOf(std::string_view Name,
             std::initializer_list<std::string_view> Names) {
  return std::ranges::find(Names, Name) != Names.end();
}

/// The family of the bare name NAME. Other names stand for whatever they link
/// to.
Family ownName(std::string_view Name) {
  if (isOneOf(Name, {"gcc", "g++"}))
    return Family::Gcc;
  if (isOneOf(Name, {"clang", "clang++"}))
    return Family::Clang;
  return Name == "nvcc" ? Family::Nvcc : Family::Unknown;
}

/// Whether a driver of this name treats .c files as C++.
bool isCPlusPlusName(std::string_view Name) {
  return Name.find("++") != Name.npos || Name.find("CC") != Name.npos ||
         Name.find("cxx") != Name.npos;
}

/// Programs that run a compiler elsewhere, or not at all, and must see what it
/// really compiles.
bool isLauncher(std::string_view Program) {
  return isOneOf(fileName(Program), {"distcc", "icecc"}) || isCache(Program);
}

/// Programs that change how the program after them runs.
bool isRunner(std::string_view Program) {
  return isOneOf(fileName(Program),
                 {"nice", "ionice", "time", "nohup", "setsid", "taskset",
                  "timeout", "chrt", "stdbuf", "setarch", "numactl"});
}

bool isCompilerOrLauncher(std::string_view Program) {
  return isLauncher(Program) || compilerByName(Program).Kind != Family::Unknown;
}

bool isAssignment(std::string_view Word) {
  return !Word.starts_with("-") && Word.find('=') != Word.npos;
}

/// The first word after the `env` at BEGIN, its options and assignments; BEGIN
/// if that isn't known.
std::size_t behindEnv(const std::vector<std::string> &Words,
                      std::size_t Begin) {
  std::size_t I = Begin + 1;
  for (; I < Words.size(); ++I) {
    const std::string &Word = Words[I];
    if (isOneOf(Word, {"-u", "--unset", "-C", "--chdir"}))
      ++I;
    else if (Word.starts_with("-S") || Word.starts_with("--split-string"))
      return Begin;
    else if (!Word.starts_with("-") && !isAssignment(Word))
      return I;
  }
  return Begin;
}

} // namespace

std::string resolvedProgram(std::string_view Program) {
  std::error_code Why;
  auto Follow = [&](const fs::path &Path) {
    return access(Path.c_str(), X_OK) == 0 && !fs::is_directory(Path, Why)
               ? fs::canonical(Path, Why).string()
               : std::string();
  };
  if (Program.find('/') != Program.npos)
    return Follow(Program);
  const char *List = std::getenv("PATH");
  for (std::string_view Rest = List ? List : ""; !Rest.empty();) {
    std::size_t End = std::min(Rest.find(':'), Rest.size());
    if (std::string File = Follow(fs::path(Rest.substr(0, End)) / Program);
        !File.empty())
      return File;
    Rest.remove_prefix(std::min(End + 1, Rest.size()));
  }
  return "";
}

bool isCache(std::string_view Program) {
  return isOneOf(fileName(Program), {"ccache", "sccache", "buildcache"});
}

Compiler compilerByName(std::string_view Program) {
  std::string_view Name = bareName(Program);
  Compiler Who{ownName(Name), isCPlusPlusName(Name)};
  if (isOneOf(Name, {"cc", "c++", "c89", "c99"}))
    Who.Kind = ownName(bareName(resolvedProgram(Program)));
  return Who;
}

Compiler askCompiler(const std::vector<std::string> &Command,
                     const std::string &Directory) {
  auto Ask = [&](std::initializer_list<const char *> Words) {
    std::vector<std::string> Question = Command;
    Question.insert(Question.end(), Words.begin(), Words.end());
    Result<Captured> Answer = capture(Question, Directory);
    return Answer && Answer->End.good() ? Answer->Out : std::string();
  };
  std::string Version = Ask({"--version"});
  // A wrapper prints its compiler's version: "g++ (Debian 12.2.0) 12.2.0".
  std::string_view First = Version;
  First = First.substr(0, First.find_first_of(" \n"));
  Compiler Who{Family::Unknown, isCPlusPlusName(bareName(First)) ||
                                    isCPlusPlusName(fileName(Command.back()))};
  auto Says = [&](std::string_view Text) {
    return Version.find(Text) != Version.npos;
  };
  if (Version.empty())
    return Who;
  if (Says("Cuda compiler driver"))
    Who.Kind = Family::Nvcc;
  else if (Says("clang version"))
    Who.Kind = Family::Clang;
  if (Who.Kind != Family::Unknown)
    return Who;
  std::string Macros = Ask({"-E", "-dM", "-x", "c", "/dev/null"});
  auto Defines = [&](std::string_view Name) {
    return Macros.find("#define " + std::string(Name) + " ") != Macros.npos;
  };
  if (Defines("__clang__"))
    Who.Kind = Family::Clang;
  else if (Defines("__GNUC__") && !Defines("__NVCOMPILER") &&
           !Defines("__INTEL_COMPILER"))
    Who.Kind = Family::Gcc;
  return Who;
}

CommandParts partsOf(const std::vector<std::string> &Command) {
  CommandParts Parts;
  std::size_t I = 0;
  while (I < Command.size()) {
    std::size_t Next = I;
    if (fileName(Command[I]) == "env") {
      Next = behindEnv(Command, I);
    } else if (isRunner(Command[I])) {
      auto Found =
          std::find_if(Command.begin() + static_cast<std::ptrdiff_t>(I + 1),
                       Command.end(), isCompilerOrLauncher);
      if (Found != Command.end())
        Next = static_cast<std::size_t>(Found - Command.begin());
    }
    if (Next == I)
      break;
    I = Next;
  }
  Parts.Launcher = I;
  while (I < Command.size() && isLauncher(Command[I]))
    for (++I; I < Command.size() && isAssignment(Command[I]);)
      ++I; // ccache's own settings.
  // A launcher that nobody has heard of.
  Parts.Strange = I + 1 < Command.size() && !isCompilerOrLauncher(Command[I]) &&
                  compilerByName(Command[I + 1]).Kind != Family::Unknown;
  if (Parts.Strange)
    ++I;
  Parts.Compiler = I;
  return Parts;
}

} // namespace loopscope::launch
