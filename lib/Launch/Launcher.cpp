//===- Launcher.cpp - A compile with hooks in place of a plain one --------===//

#include "Launch/Launcher.h"

#include "Launch/Depfile.h"
#include "Launch/MirrorPlace.h"
#include "Launch/Record.h"
#include "Launch/Scan.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>
#include <unistd.h>

#include <fmt/format.h>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

void say(std::string_view Kind, std::string_view Text) {
  fmt::print(stderr, "loopscope-launch: {}: {}\n", Kind, Text);
}

std::string readFile(const std::string &Path) {
  std::ifstream Stream(Path, std::ios::binary);
  return {std::istreambuf_iterator<char>(Stream), {}};
}

/// Replaces the file at PATH as a whole.
bool writeFile(const std::string &Path, const std::string &Text) {
  std::string Temporary = fmt::format("{}.loopscope-{}", Path, getpid());
  std::ofstream Stream(Temporary, std::ios::binary);
  Stream << Text;
  Stream.close();
  std::error_code Why;
  if (Stream)
    fs::rename(Temporary, Path, Why);
  if (Stream && !Why)
    return true;
  fs::remove(Temporary, Why);
  return false;
}

/// What SOURCE of LINE becomes, absolute, and different for each source: the
/// name beside which its mirror stands.
std::string objectOf(const CommandLine &Line, const Source &S,
                     const std::string &Directory) {
  std::string Name = fs::path(S.Path).stem().string() + ".o";
  std::string Object = !Line.Output.empty() ? Line.Output
                       : Line.Action == Mode::Build
                           ? "a.out"
                           : Line.lastValue("-odir").value_or(".") + "/" + Name;
  if (Line.Sources.size() > 1)
    Object += "." + fs::path(S.Path).filename().string() + "." +
              std::to_string(S.Index);
  return absoluteIn(Object, Directory);
}

class Launcher {
public:
  Launcher(const std::vector<std::string> &Command, const Settings &S)
      : Command(Command), S(S) {
    std::error_code Why;
    Directory = fs::current_path(Why).string();
  }

  Result<Ending> run() {
    CommandLine Line = parseCommandLine(Command, Directory);
    if (Line.Action == Mode::Other || (Line.Action == Mode::Link && !S.Link))
      return asGiven(Command);
    ScanResult Found;
    std::vector<Unit> Units;
    for (const Source &Each : Line.Sources) {
      ScanResult One = scanSource(Line, Each, Directory);
      Found.OurHeaders |= One.OurHeaders || One.Annotations;
      bool Header = Each.Language.ends_with("-header");
      if (!One.Annotations && (Header || !rewritesAll()))
        continue;
      if (Header)
        say("warning", Each.Path + ": annotations in a precompiled header get "
                                   "no hooks; take the annotated header out of "
                                   "it");
      else
        Units.push_back({Each, "", "", {}});
    }
    if (!Found.OurHeaders && Units.empty() && Line.Action == Mode::Compile)
      return asGiven(Command);
    Result<Parts> P = findParts();
    if (!P)
      return P.error();
    if (Units.empty())
      return asGiven(linked(Found.OurHeaders
                                ? instrumentedCommand(Line, {}, *P, Directory)
                                : Command,
                            Line, *P));
    return compile(Line, Units, *P);
  }

private:
  /// Whether there is something to do in sources without annotations.
  bool rewritesAll() const { return S.Functions || !S.Select.empty(); }

  std::vector<std::string> linked(std::vector<std::string> Words,
                                  const CommandLine &Line, const Parts &P) {
    return S.Link ? withRuntime(std::move(Words), Line, P) : Words;
  }

  void show(const std::vector<std::string> &Words) const {
    if (S.Verbose)
      fmt::print(stderr, "loopscope-launch: {}\n", shellText(Words));
  }

  Result<Ending> asGiven(const std::vector<std::string> &Words) {
    show(Words);
    return execute(Words);
  }

  /// Rewrites, compiles and repairs the depfile.
  Result<Ending> compile(const CommandLine &Line, std::vector<Unit> &Units,
                         const Parts &P) {
    MirrorPlace Place(S.Keep);
    for (Unit &U : Units) {
      U.Object = objectOf(Line, U.Input, Directory);
      Result<std::string> Mirror = Place.make(U.Object);
      if (!Mirror)
        return Mirror.error();
      U.Directory = *Mirror;
      Result<Ending> End = rewrite(Line, U, P);
      if (!End || !End->good())
        return End;
    }
    std::vector<std::string> Words =
        linked(instrumentedCommand(Line, Units, P, Directory), Line, P);
    show(Words);
    Result<Ending> End = launch::run(Words);
    if (End && End->good())
      if (Error Why = repairDepfiles(Line, Units, P); !Why.Message.empty())
        return Why;
    return End;
  }

  /// Runs the rewriter on U. A bad ending is one that the build should have.
  Result<Ending> rewrite(const CommandLine &Line, Unit &U, const Parts &P) {
    std::string Manifest = U.Directory + "/manifest.json";
    std::vector<std::string> Words = {
        P.Rewriter,
        std::string("--on-error=") + (S.Passthrough ? "passthrough" : "fail"),
        "--mirror=" + U.Directory,
        "--manifest=" + Manifest,
        "--compiler-command",
        U.Input.Path.starts_with("-") ? "./" + U.Input.Path : U.Input.Path};
    if (S.Functions)
      Words.emplace_back("--functions");
    if (!S.MinSize.empty())
      Words.push_back("--min-size=" + S.MinSize);
    if (!S.Select.empty())
      Words.push_back("--select=" + S.Select);
    Words.insert(Words.end(), {"--", Line.Compiler});
    Words.insert(Words.end(), Line.Args.begin(), Line.Args.end());
    show(Words);
    Result<Ending> End = launch::run(Words);
    if (!End && !S.Passthrough)
      return End;
    if (End && End->good()) {
      std::string Text = readFile(Manifest);
      Result<Mirror> Read = readMirror(Text, U.Input.Path, Line.Kind);
      if (!Read)
        return Read.error();
      U.Written = std::move(*Read);
      if (!S.Record.empty())
        if (Error Why = keepRecord(S.Record, U.Object, Text);
            !Why.Message.empty())
          return Why;
      return End;
    }
    if (End && End->Signal != 0)
      say(S.Passthrough ? "warning" : "error",
          fmt::format("{}: loopscope-rewrite was ended by signal {}",
                      U.Input.Path, End->Signal));
    if (!S.Passthrough)
      return Ending{End->Signal != 0 ? 1 : End->ExitCode, 0};
    say("warning", U.Input.Path + " is compiled without hooks");
    U.Written.Status = Mirror::Outcome::Failed;
    return Ending{};
  }

  /// Files that may be the depfile of U: compilers differ in what they call
  /// one that -MF doesn't name.
  std::vector<std::string> depfilesOf(const CommandLine &Line,
                                      const Unit &U) const {
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

  /// Puts the originals' names into the depfiles. One file may name several
  /// sources' mirrors, so all are known before any name is changed. Error with
  /// an empty message: all is well.
  Error repairDepfiles(const CommandLine &Line, const std::vector<Unit> &Units,
                       const Parts &P) const {
    Mirror All;
    std::set<std::string> Names;
    for (const Unit &U : Units) {
      if (U.Written.Status == Mirror::Outcome::Failed ||
          (U.Written.Status == Mirror::Outcome::Unchanged && S.Select.empty()))
        continue;
      All.Files.insert(All.Files.end(), U.Written.Files.begin(),
                       U.Written.Files.end());
      All.Renames.insert(All.Renames.end(), U.Written.Renames.begin(),
                         U.Written.Renames.end());
      for (std::string &Name : depfilesOf(Line, U))
        Names.insert(std::move(Name));
    }
    std::vector<std::string> More = {P.Rewriter};
    std::set<std::string> Selected; // Sources that a new selection concerns.
    if (!S.Select.empty()) {
      More.push_back(S.Select);
      for (const Unit &U : Units)
        Selected.insert(U.Input.Path);
    }
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
            Ours |= Plain != Each || Selected.contains(Each);
            return Plain;
          },
          More);
      if (Ours && !writeFile(Path, Repaired))
        return {fmt::format("cannot rewrite the depfile '{}'", Name)};
    }
    return {};
  }

  const std::vector<std::string> &Command;
  const Settings &S;
  std::string Directory;
};

} // namespace

Result<Ending> launch(const std::vector<std::string> &Command,
                      const Settings &S) {
  return Launcher(Command, S).run();
}

} // namespace loopscope::launch
