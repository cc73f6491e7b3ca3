// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Compiles with hooks in place of a normal compile.

#include "Launch/Launcher.h"

#include "Launch/Cache.h"
#include "Launch/Counts.h"
#include "Launch/Link.h"
#include "Launch/MirrorPlace.h"
#include "Launch/Precompiled.h"
#include "Launch/Record.h"
#include "Launch/RuleNotes.h"
#include "Launch/Scan.h"
#include "Support/Message.h"
#include "Support/OutputFile.h"
#include "Support/Paths.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <optional>
#include <set>

#include <fmt/format.h>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {
/// The mirror of a source that is compiled unchanged instead of being
/// rewritten.
Mirror failedMirror() {
  Mirror None;
  None.Status = Mirror::Outcome::Failed;
  return None;
}

/// What SOURCE of LINE becomes, absolute and different for each source: the
/// name beside which its mirror is created.
std::string objectOf(const CommandLine &Line, const Source &S,
                     const std::string &Directory) {
  std::string Name = fs::path(S.Path).stem().string() + ".o";
  std::string Object = !Line.Output.empty() ? Line.Output
                       : Line.Action == Mode::Build
                           ? "a.out"
                           : Line.lastValue("-odir").value_or(".") + "/" + Name;
  if (Line.Sources.size() > 1)
    Object +=
        fmt::format(".{}.{}", fs::path(S.Path).filename().string(), S.Index);
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
    Line = parseCommandLine(Command, Directory);
    if (Line.Runners != 0)
      return behindRunners();
    findWork();
    if (Line.Kind == Family::Unknown && !askWhoCompiles())
      return asGiven(Command);
    noteHeader(Line, Directory);
    warnOfOpaqueInputs();
    bool Links =
        S.Link && (Line.Action == Mode::Link || Line.Action == Mode::Build);
    if (!Links && Units.empty() && !OurHeaders)
      return asGiven(Command);
    if (!Units.empty() && hasOddDepfile()) {
      sayUnknown(
          fmt::format("{} is compiled without hooks: its dependencies go "
                      "to '{}', which isn't a file of its own; give -MF "
                      "one",
                      Units.front().Input.Path, Line.Depfile));
      Units.clear();
    }
    Result<Parts> Found = findParts();
    if (!Found && S.Passthrough) {
      printMessage("warning",
                   Found.error().Message + "; nothing is instrumented");
      return asGiven(Command);
    }
    if (!Found)
      return Found.error();
    P = std::move(*Found);
    if (!Units.empty() && isCached(Line))
      nameAsCache();
    if (!Units.empty())
      return compile();
    if (OurHeaders)
      return build(instrumentedCommand(Line, {}, P, Directory));
    return build(Line.Separated ? Line.words() : Command);
  }

private:
  /// `env A=1 g++ ...`: runs the compile, including the rewriter, under env.
  Result<Ending> behindRunners() {
    Result<Parts> Found = findParts();
    if (!Found)
      return Found.error();
    auto Rest = Command.begin() + static_cast<std::ptrdiff_t>(Line.Runners);
    std::vector<std::string> Words(Command.begin(), Rest);
    Words.push_back(Found->Launcher);
    std::vector<std::string> Own = settingsWords(S);
    Words.insert(Words.end(), Own.begin(), Own.end());
    Words.insert(Words.end(), Rest, Command.end());
    return asGiven(Words);
  }

  /// Whether sources without annotations need work too.
  bool rewritesAll() const { return S.Functions || !S.Select.empty(); }

  /// Finds the sources to rewrite.
  void findWork() {
    Units.clear();
    Warnings.clear();
    OurHeaders = false;
    if (Line.Action != Mode::Compile && Line.Action != Mode::Build)
      return;
    for (const Source &Each : Line.Sources) {
      ScanResult Found = scanSource(Line, Each, Directory);
      OurHeaders |= Found.OurHeaders || Found.Annotations;
      // Sources that include a header with marks include its text, with hooks,
      // instead of its precompiled form.
      if (Each.Language.ends_with("-header") ||
          (!Found.Annotations && !rewritesAll()))
        continue;
      if (std::string Compiled = onlyPrecompiledHeader(Line, Each, Directory);
          !Compiled.empty())
        Warnings.push_back(fmt::format(
            "{} is compiled without hooks: its header {} exists in precompiled "
            "form only, which can't be read; keep the header "
            "beside it",
            Each.Path, Compiled));
      else
        Units.push_back({Each, "", {}, {}});
    }
  }

  /// Gives files the names by which the cache looks for objects.
  void nameAsCache() {
    Cache.emplace(Line, Directory);
    if (Line.Separated)
      return;
    Compiler Who = {Line.Kind, Line.CPlusPlusDriver};
    Line = parseCommandLine(Cache->words(Line), Directory, Who);
    findWork();
  }

  /// The names of the mirror MADE for OBJECT.
  MirrorNames namesOf(const std::string &Made,
                      const std::string &Object) const {
    std::error_code Why;
    bool IsBeside =
        fs::path(Made).parent_path() == fs::path(Object).parent_path();
    fs::path Real = fs::canonical(Made, Why);
    // The name of an object in a cache doesn't depend on the directory.
    if (!Cache || !IsBeside || Why ||
        Cache->nameOf(Line.Output).starts_with("/"))
      return {Made, Made};
    return {Real.string(), Real.lexically_relative(Directory).string()};
  }

  /// Finds out what a program is if its name doesn't tell and it matters. False
  /// if it isn't a known compiler.
  bool askWhoCompiles() {
    bool Matters =
        Line.Action == Mode::Build || !Units.empty() || OurHeaders ||
        !Warnings.empty() ||
        (Line.Action == Mode::Link && looksLikeLink(Line, Directory));
    if (Matters) {
      std::vector<std::string> Words = Line.Launchers;
      Words.push_back(Line.Compiler);
      Line =
          parseCommandLine(Command, Directory, askCompiler(Words, Directory));
      findWork();
    }
    if (Line.Kind == Family::Unknown && !S.Quiet &&
        (Matters || Line.Action == Mode::Link || Command.size() == 1))
      sayUnknown(fmt::format("'{}' is not a compiler, or doesn't behave like "
                             "gcc, clang or nvcc; it runs unchanged",
                             Line.Compiler));
    return Line.Kind != Family::Unknown;
  }

  /// Reports what isn't instrumented because it isn't known here.
  void sayUnknown(std::string_view Text) const {
    if (!S.Quiet)
      printMessage(
          "warning",
          fmt::format("{} (LOOPSCOPE_LAUNCH_QUIET=1 silences this)", Text));
  }

  /// Warns about inputs that may contain annotations and get no hooks.
  void warnOfOpaqueInputs() const {
    for (const std::string &Each : Warnings)
      printMessage("warning", Each);
    if (S.Quiet || Line.Preprocesses)
      return;
    for (const OpaqueInput &Each : Line.Opaque) {
      std::string Text;
      if (!rewritesAll())
        Text = Each.Path == "-" ? peekAtInput()
                                : readFile(absoluteIn(Each.Path, Directory));
      if (rewritesAll() || mayHoldAnnotations(Text) ||
          Text.find("loopscope/annotate.h") != Text.npos)
        sayUnknown(fmt::format("{} is compiled without hooks: it is {}; {}",
                               Each.Path == "-" ? "the source" : Each.Path,
                               Each.What, Each.Advice));
    }
  }

  void show(const std::vector<std::string> &Words) const {
    if (S.Verbose)
      std::fputs(
          fmt::format("loopscope-launch: {}\n", shellText(Words)).c_str(),
          stderr);
  }

  Result<Ending> asGiven(const std::vector<std::string> &Words) {
    show(Words);
    return execute(Words);
  }

  /// Runs WORDS, with the runtime if they link. In passthrough mode, a failure
  /// is retried with less of our own added.
  Result<Ending> build(const std::vector<std::string> &Words) {
    bool Links = S.Link && Line.Action != Mode::Compile;
    Target Made = Links ? askTarget(Line, Directory) : Target();
    std::optional<Runtime> Ours =
        Links ? findRuntime(P, Made.Processor) : std::nullopt;
    if (Links && !Ours)
      return withoutRuntime(Words, Made.Processor);
    std::string Lacking = Links ? whyNoRuntime(Line, Made) : "";
    bool Whole = Links && Lacking.empty();
    std::vector<std::string> First =
        Links ? withRuntime(Words, Line, *Ours, Whole, Directory) : Words;
    // CMake judges rules over all targets.
    bool Judges = Whole && !S.Select.empty() && S.Record.empty() && !S.Quiet &&
                  canJudgeRules(Line, Directory);
    if (!S.Passthrough && (Whole || !Links) && Units.empty() && !Judges)
      return asGiven(First);
    show(First);
    Result<Ending> End = launch::run(First);
    if (!End || interrupted())
      return End;
    if (End->good()) {
      if (Links && !Whole)
        warnOfOffLibrary(Lacking);
      if (Judges)
        std::fputs(linkedRuleWarnings(Line, S.Select, Directory).c_str(),
                   stderr);
      return End;
    }
    if (std::optional<Ending> Compiled = withoutUnwinding(First))
      return *Compiled;
    if (!S.Passthrough)
      return End;
    std::vector<std::vector<std::string>> Others;
    for (Unit &U : Units)
      U.Written = failedMirror();
    std::vector<std::string> Plain =
        Units.empty() ? Words : instrumentedCommand(Line, Units, P, Directory);
    if (Links) {
      for (bool IsWhole : {Whole, false})
        Others.push_back(withRuntime(Plain, Line, *Ours, IsWhole, Directory));
    } else {
      Others.push_back(Plain);
    }
    Others.push_back(Command);
    std::vector<std::string> Last = First;
    for (const std::vector<std::string> &Each : Others) {
      if (Each == Last)
        continue;
      Last = Each;
      Result<Captured> Again = capture(Each, Directory);
      if (interrupted() || !Again)
        return End;
      if (!Again->End.good())
        continue;
      show(Each);
      std::fputs(Again->Out.c_str(), stdout);
      std::fputs(Again->Err.c_str(), stderr);
      printMessage(
          "warning",
          Links ? fmt::format("{}: linking with hooks failed, as shown above; "
                              "it works without some or all of them",
                              Line.Output.empty() ? "a.out" : Line.Output)
                : fmt::format("{} is compiled without hooks: with them, the "
                              "compiler reports the errors above",
                              Units.empty() ? Line.Sources.front().Path
                                            : Units.front().Input.Path));
      return Again->End;
    }
    return End;
  }

  /// Links WORDS for a processor that no runtime is there for: without hooks
  /// they don't need one.
  Result<Ending> withoutRuntime(const std::vector<std::string> &Words,
                                const std::string &Processor) {
    if (Units.empty() && !linksHooks(Line, Directory))
      return asGiven(Words);
    std::string Text = fmt::format(
        "{} is linked for {}, {}", Line.Output.empty() ? "a.out" : Line.Output,
        Processor,
        canHaveRuntime(Processor)
            ? fmt::format("and no libloopscope.a for it is in {}; build "
                          "Loopscope's runtime for it (docs/user-guide.md, "
                          "Cross builds), and name its folder in "
                          "LOOPSCOPE_RUNTIME_DIR",
                          fmt::join(runtimeFolders(P, Processor), ", "))
            : "for which Loopscope has no runtime");
    if (!S.Passthrough || Units.empty())
      return Error{Text};
    printMessage("warning", Text + "; it is linked without hooks");
    std::vector<std::string> Plain = Command;
    Plain.push_back("-I" + P.Include);
    return asGiven(Plain);
  }

  /// Repeats a failed compile of C without the option that lets exceptions end
  /// hooks: gcc 12 has an internal error with it, rarely and at -O0. Nothing if
  /// that wasn't why it failed.
  std::optional<Ending> withoutUnwinding(std::vector<std::string> Words) const {
    auto [At, End] = std::ranges::search(Words, UnwindingOptions);
    if (Line.Kind != Family::Gcc || At == End)
      return std::nullopt;
    Words.erase(At, End);
    Result<Captured> Again = capture(Words, Directory);
    if (interrupted() || !Again || !Again->End.good())
      return std::nullopt;
    show(Words);
    std::fputs(Again->Out.c_str(), stdout);
    std::fputs(Again->Err.c_str(), stderr);
    printMessage("warning",
                 fmt::format("{}: the compiler fails with -fexceptions, as "
                             "shown above, and not without; there, phases that "
                             "an exception or pthread_exit leaves end late",
                             Units.front().Input.Path));
    return Again->End;
  }

  /// Warns that hooks record nothing, if the linked program has any.
  void warnOfOffLibrary(const std::string &Lacking) const {
    std::string Path =
        absoluteIn(Line.Output.empty() ? "a.out" : Line.Output, Directory);
    std::error_code Why;
    if (fs::is_regular_file(Path, Why) &&
        readFile(Path).find("loopscope: hooks that record nothing") !=
            std::string::npos)
      printMessage(
          "warning",
          fmt::format("{} is linked {}, which Loopscope's runtime needs: its "
                      "hooks record nothing",
                      Line.Output.empty() ? "a.out" : Line.Output, Lacking));
  }

  /// Other files that decide where hooks go: a change may affect every source.
  std::vector<std::string> deciding() const {
    std::vector<std::string> Files;
    for (const std::string &Each : {S.Select, S.FunctionsFrom})
      if (!Each.empty())
        Files.push_back(Each);
    return Files;
  }

  /// Rewrites, compiles and repairs the depfile.
  Result<Ending> compile() {
    deferSignals();
    MirrorPlace Place(S.Keep);
    for (Unit &U : Units) {
      Result<Ending> End = rewrite(U, Place);
      if (interrupted() || (!S.Passthrough && !(End && End->good())))
        return End;
      if (End && End->good())
        continue;
      if (!End)
        printMessage("warning", End.error().Message);
      printMessage("warning", U.Input.Path + " is compiled without hooks");
      U.Written = failedMirror();
    }
    Result<Ending> End = build(instrumentedCommand(Line, Units, P, Directory));
    if (End && End->good())
      if (std::optional<Error> Why =
              repairDepfiles(Line, Units, deciding(), P.Rewriter, Directory))
        return *Why;
    return End;
  }

  /// Runs the rewriter on U. Returns an ending only if the build should fail
  /// with it.
  Result<Ending> rewrite(Unit &U, MirrorPlace &Place) {
    U.Object = objectOf(Line, U.Input, Directory);
    Result<std::string> Made = Place.make(U.Object);
    if (!Made)
      return Made.error();
    U.Place = namesOf(*Made, U.Object);
    std::string Manifest = U.Place.Directory + "/manifest.json";
    std::vector<std::string> Words =
        rewriterCommand(Line, U, Manifest, P, S, Directory);
    show(Words);
    Result<Ending> End = launch::run(Words);
    if (!End || interrupted())
      return End;
    if (End->Signal != 0)
      return Error{fmt::format("{}: loopscope-rewrite was ended by signal {}",
                               U.Input.Path, End->Signal)};
    if (!End->good())
      return End;
    std::string Text = readFile(Manifest);
    Result<Mirror> Read = readMirror(Text, U.Input.Path, U.Place);
    if (!Read)
      return Read.error();
    U.Written = std::move(*Read);
    nameForCounts(Line, U.Place.Given, U.Written);
    if (!S.Record.empty())
      if (std::optional<Error> Why = keepRecord(S.Record, U.Object, Text))
        return *Why;
    return End;
  }

  /// Whether dependencies go to a place where the mirror's names can't be
  /// replaced.
  bool hasOddDepfile() const {
    std::error_code Why;
    return Line.Depfile == "-" ||
           fs::is_other(fs::status(absoluteIn(Line.Depfile, Directory), Why));
  }

  const std::vector<std::string> &Command;
  const Settings &S;
  std::string Directory;
  CommandLine Line;
  std::vector<Unit> Units;           ///< To be rewritten.
  std::vector<std::string> Warnings; ///< Of sources that aren't.
  std::optional<CacheNames> Cache;   ///< If a cache keeps the objects.
  bool OurHeaders = false;           ///< Some source includes <loopscope/...>.
  Parts P;                           ///< Once there is something to do.
};

} // namespace

Result<Ending> launch(const std::vector<std::string> &Command,
                      const Settings &S) {
  return Launcher(Command, S).run();
}

} // namespace loopscope::launch
