// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Asks a real compiler about its system.

#include "Instrument/Parse/CompilerQuery.h"

#include "Launch/CommandLine.h"
#include "Launch/Process.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <fmt/format.h>

namespace loopscope::instrument {
namespace {

/// Calls VISIT for each line of TEXT.
template <typename Callable>
void forEachLine(std::string_view Text, Callable Visit) {
  while (!Text.empty()) {
    std::size_t End = std::min(Text.find('\n'), Text.size());
    Visit(Text.substr(0, End));
    Text.remove_prefix(std::min(End + 1, Text.size()));
  }
}

/// Whether DIRECTORY contains the headers of a compiler version.
bool isOwnDirectory(std::string_view Directory) {
  return Directory.find("/lib/clang/") != Directory.npos ||
         ((Directory.find("/gcc/") != Directory.npos ||
           Directory.find("/gcc-cross/") != Directory.npos) &&
          (Directory.ends_with("/include") ||
           Directory.ends_with("/include-fixed")) &&
          Directory.find("/include/") == Directory.npos);
}

/// The value of `#define NAME value`, a year and month; 0 without one.
unsigned versionMacro(std::string_view Macros, std::string_view Name) {
  std::string Define = fmt::format("#define {} ", Name);
  std::size_t At = Macros.find(Define);
  unsigned Value = 0;
  if (At != Macros.npos) {
    const char *Begin = Macros.data() + At + Define.size();
    std::from_chars(Begin, Macros.data() + Macros.size(), Value);
  }
  return Value;
}

std::string dialect(std::string_view Macros, bool CPlusPlus) {
  struct Edition {
    unsigned Last; ///< The highest value of the version macro that means it.
    const char *Name;
  };
  constexpr Edition Cxx[] = {{199711, "98"}, {201103, "11"}, {201402, "14"},
                             {201703, "17"}, {202002, "20"}, {202302, "23"},
                             {~0U, "26"}};
  constexpr Edition C[] = {{199409, "90"},
                           {199901, "99"},
                           {201112, "11"},
                           {201710, "17"},
                           {~0U, "23"}};
  std::string Prefix =
      Macros.find("#define __STRICT_ANSI__") == Macros.npos ? "gnu" : "c";
  unsigned Value =
      versionMacro(Macros, CPlusPlus ? "__cplusplus" : "__STDC_VERSION__");
  if (CPlusPlus) {
    for (const Edition &Each : Cxx)
      if (Value != 0 && Value <= Each.Last)
        return Prefix + "++" + Each.Name;
    return "";
  }
  for (const Edition &Each : C)
    if (Value <= Each.Last)
      return Prefix + Each.Name;
  return "";
}

/// The words of `NAME="-I..." ...` in LINE, without quotes, -I and -isystem.
void addDirectories(std::string_view Line, std::vector<std::string> &Result) {
  for (std::string Word : launch::splitResponseText(Line)) {
    if (Word == "-isystem")
      continue;
    if (Word.starts_with("-I"))
      Word.erase(0, 2);
    if (Word.starts_with("/"))
      Result.push_back(std::filesystem::path(Word).lexically_normal().string());
  }
}

/// The digits after KEY in LOG.
std::string numberBehind(std::string_view Log, std::string_view Key) {
  std::size_t At = Log.find(Key);
  if (At == Log.npos)
    return "";
  std::string_view Rest = Log.substr(At + Key.size());
  return std::string(Rest.substr(0, Rest.find_first_not_of("0123456789")));
}

} // namespace

CompilerFacts parseCompilerFacts(std::string_view Macros, std::string_view Log,
                                 bool CPlusPlus) {
  CompilerFacts Facts;
  bool InList = false, Placed = false;
  forEachLine(Log, [&](std::string_view Line) {
    if (Line.starts_with("Target: "))
      Facts.Target = Line.substr(8);
    else if (Line.starts_with("#include <...> search starts here:"))
      InList = true;
    else if (Line.starts_with("End of search list."))
      InList = false;
    else if (InList && Line.starts_with(" ")) {
      std::string Directory(Line.substr(1));
      if (!isOwnDirectory(Directory)) {
        Facts.SystemDirectories.push_back(std::move(Directory));
        return;
      }
      if (!Placed)
        Facts.OwnPlace = Facts.SystemDirectories.size();
      Placed = true;
      Facts.OwnDirectories.push_back(std::move(Directory));
    }
  });
  if (!Placed)
    Facts.OwnPlace = Facts.SystemDirectories.size();
  Facts.Standard = dialect(Macros, CPlusPlus);
  return Facts;
}

CudaFacts parseCudaFacts(std::string_view Log) {
  CudaFacts Facts;
  forEachLine(Log, [&](std::string_view Line) {
    if (!Line.starts_with("#$ "))
      return;
    Line.remove_prefix(3);
    if (Line.starts_with("TOP="))
      Facts.Root =
          std::filesystem::path(Line.substr(4)).lexically_normal().string();
    else if (Line.starts_with("INCLUDES="))
      addDirectories(Line.substr(9), Facts.Directories);
    else if (Line.starts_with("SYSTEM_INCLUDES="))
      addDirectories(Line.substr(16), Facts.Directories);
  });
  while (Facts.Root.size() > 1 && Facts.Root.ends_with("/"))
    Facts.Root.pop_back();
  Facts.MajorVersion = numberBehind(Log, "-D__CUDACC_VER_MAJOR__=");
  Facts.MinorVersion = numberBehind(Log, "-D__CUDACC_VER_MINOR__=");
  return Facts;
}

Result<CompilerFacts> queryCompiler(const std::string &Compiler,
                                    const std::vector<std::string> &Flags,
                                    const std::string &Language,
                                    const std::string &Directory) {
  std::vector<std::string> Command = {Compiler};
  Command.insert(Command.end(), Flags.begin(), Flags.end());
  Command.insert(Command.end(),
                 {"-E", "-v", "-dM", "-x", Language, "/dev/null"});
  Result<launch::Captured> Answer = launch::capture(Command, Directory);
  if (!Answer)
    return Answer.error();
  if (!Answer->End.good()) {
    std::string_view Last = Answer->Err;
    while (Last.ends_with("\n"))
      Last.remove_suffix(1);
    return Error{fmt::format("the compiler doesn't say where its headers are: "
                             "'{}' failed: {}",
                             launch::shellText(Command),
                             Last.substr(Last.find_last_of('\n') + 1))};
  }
  return parseCompilerFacts(Answer->Out, Answer->Err, Language == "c++");
}

Result<CudaFacts> queryCuda(const std::string &Compiler,
                            const std::string &Directory) {
  std::vector<std::string> Command = {Compiler, "--dryrun",  "-c", "-x",
                                      "cu",     "/dev/null", "-o", "/dev/null"};
  Result<launch::Captured> Answer = launch::capture(Command, Directory);
  if (!Answer)
    return Answer.error();
  CudaFacts Facts = parseCudaFacts(Answer->Err + Answer->Out);
  if (Facts.Root.empty())
    return Error{fmt::format("'{}' doesn't say where CUDA is",
                             launch::shellText(Command))};
  return Facts;
}

} // namespace loopscope::instrument
