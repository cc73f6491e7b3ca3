// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Finds the build system, and stands between it and the compilers.

#include "Report/Commands/InstrumentedBuild.h"

#include "Report/Commands/CMakeTargets.h"
#include "Report/Commands/Program.h"
#include "Report/Commands/SourceCopy.h"
#include "Support/OutputFile.h"
#include "Support/Printable.h"
#include "Symbols/Executable.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstdlib>
#include <fstream>
#include <map>
#include <regex>
#include <string_view>
#include <sys/wait.h>
#include <system_error>
#include <thread>

using namespace loopscope;
namespace fs = std::filesystem;

namespace {
constexpr const char *CopyName = "source";
constexpr const char *BuildName = "build";
constexpr const char *LogName = "build.log";
constexpr const char *PlainPrefix = "plain-";
constexpr const char *CompilersName = "compilers";
constexpr const char *RecordName = "record";

std::string jobs() {
  return std::to_string(std::max(1u, std::thread::hardware_concurrency()));
}

// Without a slash at its end.
fs::path absolutePath(const fs::path &Path) {
  std::error_code Why;
  fs::path Result = fs::absolute(Path, Why).lexically_normal();
  return Result.has_filename() ? Result : Result.parent_path();
}

// PATH relative to FOLDER; empty if it isn't in it.
fs::path inside(const fs::path &Path, const fs::path &Folder) {
  fs::path Relative = absolutePath(Path).lexically_relative(Folder);
  return Relative.empty() || *Relative.begin() == ".." ? fs::path() : Relative;
}

// Whether WORD is the path of a program that a compiler made.
bool isProgram(const std::string &Word) {
  if (Word.find('/') == std::string::npos)
    return false;
  std::optional<Executable> Found = readExecutable(Word);
  return Found && Found->Interpreter.empty();
}

// The program for which libtool made the script WORD.
std::optional<fs::path> behindScript(const std::string &Word) {
  std::error_code Why;
  fs::path Path = Word;
  fs::path Real = Path.parent_path() / ".libs" / Path.filename();
  if (fs::exists(Path, Why) && isProgram(Real.string()))
    return Real;
  return std::nullopt;
}

// Whether FOLDER has a file for make that CMake didn't write.
bool hasMakefile(const fs::path &Folder) {
  std::error_code Why;
  for (const char *Name : {"GNUmakefile", "makefile", "Makefile"})
    if (fs::exists(Folder / Name, Why)) {
      std::ifstream Stream(Folder / Name);
      std::string Line;
      std::getline(Stream, Line);
      return Line.find("CMAKE generated") == std::string::npos;
    }
  return false;
}

// The folder of the CMake build that PROGRAM is in; empty if it is in none.
fs::path cmakeBuildOf(const fs::path &Program) {
  std::error_code Why;
  for (fs::path At = absolutePath(Program).parent_path();
       At.has_relative_path(); At = At.parent_path())
    if (fs::exists(At / "CMakeCache.txt", Why))
      return At;
  return {};
}

struct CacheEntry {
  std::string Type, Value;
};

// The entries of a CMakeCache.txt by their names.
std::map<std::string, CacheEntry> readCache(const fs::path &Build) {
  std::map<std::string, CacheEntry> Result;
  std::ifstream Stream(Build / "CMakeCache.txt");
  for (std::string Line; std::getline(Stream, Line);) {
    size_t Colon = Line.find(':');
    size_t Equals = Line.find('=', Colon);
    if (Line.empty() || Line[0] == '#' || Line[0] == '/' ||
        Colon == std::string::npos || Equals == std::string::npos)
      continue;
    std::string Name = Line.substr(0, Colon);
    std::erase(Name, '"');
    Result[Name] = {Line.substr(Colon + 1, Equals - Colon - 1),
                    Line.substr(Equals + 1)};
  }
  return Result;
}

// A CMake script with the choices of CACHE, and ours. LAUNCHER: words in front
// of compilers and linkers; empty: none.
std::string initialCache(std::map<std::string, CacheEntry> Cache,
                         const std::string &Launcher) {
  for (const char *Language : {"C", "CXX", "CUDA"}) {
    CacheEntry &Flags = Cache[fmt::format("CMAKE_{}_FLAGS", Language)];
    Flags.Type = "STRING";
    Flags.Value += " -g";
    for (const char *Which : {"COMPILER", "LINKER"}) {
      CacheEntry &Words =
          Cache[fmt::format("CMAKE_{}_{}_LAUNCHER", Language, Which)];
      Words.Type = "STRING";
      if (!Launcher.empty())
        Words.Value =
            Words.Value.empty() ? Launcher : Launcher + ';' + Words.Value;
    }
  }
  std::string Text;
  for (const auto &[Name, Each] : Cache)
    if (Each.Type != "INTERNAL" && Each.Type != "STATIC")
      Text +=
          fmt::format("set({} [==[{}]==] CACHE {} \"\")\n", Name, Each.Value,
                      Each.Type == "UNINITIALIZED" ? "STRING" : Each.Type);
  return Text;
}

// loopscope-launch beside this program; empty if it isn't there.
std::string findLauncher() {
  std::error_code Why;
  fs::path File = fs::read_symlink("/proc/self/exe", Why).parent_path() /
                  "loopscope-launch";
  return fs::exists(File, Why) ? File.string() : std::string();
}

// The compilers in PATH, and `strip`: the first one of each name.
std::map<std::string, fs::path> findCompilers() {
  static const std::regex Names(
      R"((.*-)?(cc|c\+\+|gcc|g\+\+|clang|clang\+\+)(-[0-9.]+)?|(.*-)?strip|nvcc|mpi(cc|cxx|c\+\+|CC|icc|icpc))");
  std::map<std::string, fs::path> Result;
  const char *Path = std::getenv("PATH");
  std::string_view Left = Path ? Path : "/usr/bin:/bin";
  while (!Left.empty()) {
    std::string_view Folder = Left.substr(0, Left.find(':'));
    Left.remove_prefix(std::min(Left.size(), Folder.size() + 1));
    std::error_code Why;
    for (fs::directory_iterator At(Folder, Why), Past; !Why && At != Past;
         At.increment(Why))
      if (std::string Name = At->path().filename().string();
          std::regex_match(Name, Names))
        Result.try_emplace(Name, absolutePath(At->path()));
  }
  return Result;
}

// Whether NAME is that of a program which takes debug information away.
bool isStrip(std::string_view Name) {
  return Name == "strip" || Name.ends_with("-strip");
}

// Programs of the compilers' names that call the compilers: with debug
// information, which the linker keeps, and through LAUNCHER if that isn't
// empty. What a compiler calls itself is left as it is. `strip` does nothing.
std::optional<Error> makeCompilers(const fs::path &Folder,
                                   const std::string &Launcher) {
  std::error_code Why;
  fs::create_directories(Folder, Why);
  for (const auto &[Name, Path] : findCompilers()) {
    std::string Real = shellQuoted(Path.string());
    std::string Text =
        isStrip(Name)
            ? "#!/bin/sh\n"
            : fmt::format(
                  "#!/bin/sh\n"
                  "[ -z \"$LOOPSCOPE_TRY_COMPILES\" ] || exec {0} \"$@\"\n"
                  "for Each; do\n"
                  "  shift\n"
                  "  case $Each in -s|-Wl,-s) ;; *) set -- \"$@\" \"$Each\";; "
                  "esac\n"
                  "done\n"
                  "LOOPSCOPE_TRY_COMPILES=1 exec {1}{0} -g \"$@\"\n",
                  Real, Launcher);
    fs::path File = Folder / Name;
    Result<Written> Done = writeOutputFile(File.string(), Text);
    if (!Done)
      return Done.error();
    fs::permissions(File, fs::perms::owner_all, Why);
  }
  return std::nullopt;
}

// Ours called NAME, which both builds have.
fs::path inFolder(const InstrumentedBuild &Build, const std::string &Name) {
  return Build.Folder / (Build.IsPlain ? PlainPrefix + Name : Name);
}

// The first line of LOG that tells of an error, behind ": "; empty: none does.
std::string firstErrorIn(const fs::path &Log) {
  std::ifstream Stream(Log);
  for (std::string Line; std::getline(Stream, Line);)
    if (Line.find("error:") != std::string::npos)
      return ": " + Line;
  return "";
}

// Runs TEXT; what it prints goes to the end of LOG.
std::optional<Error> shell(const std::string &Text, const fs::path &Log,
                           const std::string &Shown) {
  EndedProgram Ended =
      waitForProgram({"sh", "-c",
                      fmt::format("exec >>{} 2>&1 </dev/null\n{}",
                                  shellQuoted(Log.string()), Text)});
  if (WIFEXITED(Ended.Status) && WEXITSTATUS(Ended.Status) == 0)
    return std::nullopt;
  return Error{fmt::format("{} failed{}; see {}", Shown, firstErrorIn(Log),
                           Log.string())};
}

// Builds TARGETS of a CMake project, or all if they are empty.
std::optional<Error> buildTargets(const InstrumentedBuild &Build,
                                  const std::vector<std::string> &Targets) {
  std::string Text =
      fmt::format("cmake --build {} -j {}",
                  shellQuoted(Build.buildFolder().string()), jobs());
  for (const std::string &Each : Targets)
    Text += (&Each == Targets.data() ? " --target " : " ") + shellQuoted(Each);
  return shell(Text, Build.log(), Build.shown());
}
} // namespace

InstrumentedBuild InstrumentedBuild::plain() const {
  InstrumentedBuild Result = *this;
  Result.IsPlain = true;
  return Result;
}

fs::path InstrumentedBuild::sourcesBuilt() const {
  return CMakeBuild.empty() ? inFolder(*this, CopyName) : Source;
}

fs::path InstrumentedBuild::buildFolder() const {
  return inFolder(*this, BuildName);
}

fs::path InstrumentedBuild::log() const { return inFolder(*this, LogName); }

std::string InstrumentedBuild::shown() const {
  return CMakeBuild.empty() ? Command : "cmake --build";
}

std::vector<std::string>
InstrumentedBuild::placedIn(const std::vector<std::string> &Of) const {
  std::vector<std::string> Result = Of;
  const fs::path &From = CMakeBuild.empty() ? Source : CMakeBuild;
  fs::path To = CMakeBuild.empty() ? sourcesBuilt() : buildFolder();
  for (std::string &Word : Result)
    if (isProgram(Word))
      if (fs::path Relative = inside(Word, From); !Relative.empty())
        Word = (To / Relative).string();
  return Result;
}

Result<InstrumentedBuild>
loopscope::planBuild(const std::vector<std::string> &Command,
                     const std::string &Given, const fs::path &Source,
                     const fs::path &Folder) {
  auto Program = std::ranges::find_if(Command, isProgram);
  std::error_code Why;
  if (Program == Command.end() && Command[0].find('/') != std::string::npos &&
      !fs::exists(Command[0], Why))
    return Error{fmt::format("there is no {}; build it first", Command[0])};
  if (std::optional<fs::path> Real = behindScript(Command[0]);
      Program == Command.end() && Real)
    return Error{fmt::format(
        "{} is a script of libtool's around {}, which needs the project's "
        "shared libraries; build without them (./configure --disable-shared)",
        Command[0], Real->string())};
  if (Program == Command.end())
    return Error{fmt::format(
        "'{}' names no program by its path, such as ./train; build it first, "
        "and give its path",
        fmt::join(Command, " "))};
  InstrumentedBuild Plan{
      absolutePath(Folder), absolutePath(Source), {}, Given, {}, false};
  if (Given.empty()) {
    Plan.CMakeBuild = cmakeBuildOf(*Program);
    // A project of make may be below a build folder of another one.
    if (hasMakefile(Plan.Source) &&
        !inside(Plan.Source, Plan.CMakeBuild).empty())
      Plan.CMakeBuild.clear();
    if (!Plan.CMakeBuild.empty())
      Plan.Source = readCache(Plan.CMakeBuild)["CMAKE_HOME_DIRECTORY"].Value;
    else if (hasMakefile(Plan.Source))
      Plan.Command = "make -j" + jobs();
    else if (fs::exists(Plan.Source / "build.ninja", Why))
      Plan.Command = "ninja";
    else
      return Error{fmt::format("{} has no Makefile, and {} is in no build "
                               "folder of CMake; say how it is built: --build "
                               "'COMMAND', and --source FOLDER if that isn't "
                               "where its sources are",
                               Plan.Source.string(), *Program)};
  }
  for (const std::string &Word : Command)
    if (isProgram(Word))
      if (fs::path Relative = inside(
              Word, Plan.CMakeBuild.empty() ? Plan.Source : Plan.CMakeBuild);
          !Relative.empty())
        Plan.Programs.push_back(Relative);
  if (Plan.placedIn(Command) == Command)
    return Error{fmt::format("{} isn't below {}; give the folder where it is "
                             "built with --source",
                             *Program, Plan.Source.string())};
  return Plan;
}

std::optional<Error> loopscope::runBuild(const InstrumentedBuild &Build,
                                         const fs::path &Rules) {
  std::string Launcher = findLauncher();
  if (Launcher.empty())
    return Error{
        "loopscope-launch isn't beside this program: this Loopscope was "
        "built without its rewriter, and can't instrument"};
  std::string Select = "--select=" + Rules.string();
  fs::path Records = Build.Folder / RecordName;
  std::string Record = "--record=" + Records.string();
  fs::path Log = Build.log();
  std::error_code Why;
  fs::remove(Log, Why);
  fs::remove_all(Records, Why);
  if (!Build.CMakeBuild.empty()) {
    fs::path New = Build.buildFolder();
    fs::remove_all(New, Why);
    std::map<std::string, CacheEntry> Cache = readCache(Build.CMakeBuild);
    fs::path Choices = Build.Folder / "choices.cmake";
    Result<Written> Done = writeOutputFile(
        Choices.string(),
        initialCache(Cache, Build.IsPlain ? ""
                                          : fmt::format("{};{};{}", Launcher,
                                                        Record, Select)));
    if (!Done)
      return Done.error();
    askForTargets(New);
    if (std::optional<Error> Failed =
            shell(fmt::format("cmake -G {} -C {} -S {} -B {}",
                              shellQuoted(Cache["CMAKE_GENERATOR"].Value),
                              shellQuoted(Choices.string()),
                              shellQuoted(Build.Source.string()),
                              shellQuoted(New.string())),
                  Log, "cmake"))
      return Failed;
    return buildTargets(Build, targetsBuilt(Build));
  }
  fs::path Copy = Build.sourcesBuilt();
  fs::path Compilers = Build.Folder / CompilersName;
  fs::remove_all(Copy, Why);
  if (std::optional<Error> Failed =
          copySources(Build.Source, Copy, Build.Folder))
    return Failed;
  // A rule without prerequisites makes only what isn't there.
  for (const fs::path &Each : Build.Programs)
    fs::remove(Copy / Each, Why);
  if (std::optional<Error> Failed = makeCompilers(
          Compilers,
          Build.IsPlain
              ? ""
              : fmt::format("{} {} {} -- ", shellQuoted(Launcher),
                            shellQuoted(Record), shellQuoted(Select))))
    return Failed;
  return shell(fmt::format("PATH={}:$PATH\nexport PATH\ncd {} || exit\n{}\n",
                           shellQuoted(Compilers.string()),
                           shellQuoted(Copy.string()), Build.Command),
               Log, Build.shown());
}

std::vector<std::string>
loopscope::targetsBuilt(const InstrumentedBuild &Build) {
  return Build.CMakeBuild.empty()
             ? std::vector<std::string>()
             : targetsOf(Build.buildFolder(), Build.Programs);
}

std::optional<Error>
loopscope::buildOtherTargets(const InstrumentedBuild &Build) {
  return buildTargets(Build, {});
}

void loopscope::showUnusedRules(const InstrumentedBuild &Build) {
  waitForProgram({findLauncher(),
                  "--summary=" + (Build.Folder / RecordName).string(),
                  "--rules"});
}
