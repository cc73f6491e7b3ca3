// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Changes the real compiler's command.

#include "Launch/Launcher.h"

#include "Launch/Counts.h"
#include "Launch/Link.h"
#include "Launch/Precompiled.h"
#include "Launch/RuleNotes.h"
#include "Support/CompiledSource.h"
#include "Support/Paths.h"

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <set>

#include <fmt/format.h>
#include <fmt/ranges.h>

namespace fs = std::filesystem;

namespace loopscope::launch {
namespace {

/// Where an -include of NAME leads: DIRECTORY first, then -iquote and -I.
/// Returns the file's mirrored path, or "". Mirrors know files by their real
/// paths.
std::string mirroredInclude(const std::string &Name, const CommandLine &Line,
                            const std::vector<Unit> &Units,
                            const std::string &Directory) {
  std::vector<std::string> Candidates = {absoluteIn(Name, Directory)};
  for (const Option &O : Line.Options)
    if (O.Name == "-iquote" || O.Name == "-I")
      Candidates.push_back(absoluteIn(O.Value + "/" + Name, Directory));
  std::error_code Why;
  for (const std::string &Path : Candidates) {
    fs::path Real = fs::canonical(Path, Why);
    if (Why)
      continue;
    for (const Unit &U : Units)
      if (std::string Found = U.Written.mirroredPath(Real.string());
          !Found.empty())
        return Found;
    return "";
  }
  return "";
}

/// NAME with the user's own prefix maps applied.
std::string mapped(const std::string &Name, const CommandLine &Line) {
  constexpr std::string_view Maps[] = {"-ffile-prefix-map=",
                                       "-fdebug-prefix-map="};
  for (auto O = Line.Options.rbegin(); O != Line.Options.rend(); ++O)
    for (std::string_view Map : Maps) {
      if (!O->Name.starts_with(Map))
        continue;
      std::string_view Rest = std::string_view(O->Name).substr(Map.size());
      std::size_t Equal = Rest.find('=');
      if (Equal != Rest.npos && Name.starts_with(Rest.substr(0, Equal)))
        return std::string(Rest.substr(Equal + 1)) + Name.substr(Equal);
    }
  return Name;
}

/// STRING as a C string literal.
std::string literal(const std::string &String) {
  std::string Result = "\"";
  for (char C : String) {
    if (C == '"' || C == '\\')
      Result += '\\';
    Result += C;
  }
  return Result + '"';
}

/// The same using only letters that no compiler driver or shell interprets:
/// nvcc splits at commas.
std::string plainLiteral(const std::string &String) {
  std::string Result = "\"";
  for (char C : String)
    if (std::isalnum(static_cast<unsigned char>(C)) ||
        std::string_view("_./:~+- ").find(C) != std::string_view::npos)
      Result += C;
    else
      Result += fmt::format("\\{:03o}", static_cast<unsigned char>(C));
  return Result + '"';
}

/// What CompiledSource.h tells of the files with hooks. A name that the
/// compiler's driver or the assembler would change is left out.
std::string sourcesText(const CommandLine &Line, const std::vector<Unit> &Units,
                        const std::string &Directory) {
  std::set<std::string> All;
  for (const Unit &U : Units)
    for (const MirroredFile &File : U.Written.Files) {
      // The same command in another directory gives the same object.
      std::string Compiled =
          U.Place.isRelative() ? "" : mapped(Directory, Line);
      std::string Text =
          textOf(CompiledSource{mapped(File.Spelling, Line), Compiled,
                                hashOf(readFile(File.Original))});
      std::string Literal =
          Line.Kind == Family::Nvcc ? plainLiteral(Text) : literal(Text);
      if (Literal == '"' + Text + '"' && Text.find('\n') == std::string::npos)
        All.insert(Text);
    }
  return fmt::format("{}", fmt::join(All, CompiledSourcesSeparator));
}

/// What the rules of the selection matched in UNITS.
std::vector<RuleOutcome> matchedRules(const std::vector<Unit> &Units) {
  std::vector<RuleOutcome> Rules;
  for (const Unit &U : Units)
    for (const RuleOutcome &Each : U.Written.Rules)
      addRule(Rules, Each);
  return Rules;
}

/// A directory that every compiler searches; naming it again would change the
/// search order.
bool isStandard(const std::string &Include) {
  return Include == "/usr/include" || Include == "/usr/local/include";
}

/// Whether __FILE__ keeps its "./" when Clang compiles normally.
bool keepsDots(const CommandLine &Line) {
  return std::ranges::none_of(Line.Options, [](const Option &O) {
    return O.Name == "-ffile-reproducible" ||
           O.Name.starts_with("-ffile-prefix-map=") ||
           O.Name.starts_with("-fmacro-prefix-map=");
  });
}

bool compilesCPlusPlus(const CommandLine &Line) {
  return std::ranges::all_of(Line.Sources, [](const Source &S) {
    return S.Language.starts_with("c++");
  });
}

/// Whether hooks in C can be made to end when a C++ exception or a thread's
/// cancellation unwinds their function, without a change to the program: it has
/// no cleanups of its own, which would run too, and no code that is compiled
/// differently. A precompiled header fits its own options only, and another C
/// library may have no unwinder.
bool mayUnwindHooks(const CommandLine &Line, const std::vector<Unit> &Units,
                    const std::string &Directory) {
  static constexpr std::string_view Against[] = {
      "-fexceptions",
      "-fno-exceptions",
      "-fnon-call-exceptions",
      "-fno-unwind-tables",
      "-fno-asynchronous-unwind-tables",
      "-ffreestanding",
      "-nostdlib",
      "-nodefaultlibs",
      "-fopenmp",
      "-fopenacc",
      "-fgnu-tm",
      "-include-pch"};
  return Line.Kind != Family::Nvcc &&
         std::ranges::all_of(
             Line.Sources, [](const Source &S) { return S.Language == "c"; }) &&
         std::ranges::none_of(
             Units, [](const Unit &U) { return U.Written.OwnCleanups; }) &&
         std::ranges::none_of(
             Line.Options,
             [](const Option &O) {
               return std::ranges::find(Against, O.Name) != std::end(Against) ||
                      O.Name.starts_with("-flto") ||
                      O.Name.starts_with("-fopenmp=") || O.Name == "-include" ||
                      (O.Name == "-Xclang" && O.Value == "-include-pch");
             }) &&
         askTarget(Line, Directory).Library == LibC::Glibc;
}

/// Options that keep the mirror's paths out of the object.
std::vector<std::string> prefixMaps(const CommandLine &Line,
                                    const std::vector<Unit> &Units,
                                    const std::string &Directory) {
  std::vector<std::pair<std::string, std::string>> Maps;
  for (const Unit &U : Units) {
    for (const auto &[From, To] : U.Written.Renames)
      Maps.emplace_back(From, mapped(To, Line));
    if (!U.Written.Files.empty())
      Maps.emplace_back(U.Place.Given + "/", "/");
    for (const MirroredFile &File : U.Written.Files)
      if (std::string To = mapped(File.Spelling, Line);
          To != File.Mirrored.substr(U.Place.Given.size()))
        Maps.emplace_back(File.Mirrored, To);
  }
  // The directory of the compile is no neighbour of the sources.
  if (std::ranges::any_of(Maps, [&](const auto &Each) {
        return Directory.starts_with(Each.first);
      }))
    Maps.emplace_back(Directory, mapped(Directory, Line));
  // The last matching map counts.
  std::ranges::stable_sort(Maps, {},
                           [](const auto &Each) { return Each.first.size(); });
  std::vector<std::string> Words;
  for (const auto &[From, To] : Maps) {
    // nvcc would take a comma as the end of the option.
    if (From.find('=') != From.npos ||
        (Line.Kind == Family::Nvcc && (From + To).find(',') != From.npos))
      continue;
    std::string Map = fmt::format("-ffile-prefix-map={}={}", From, To);
    if (std::ranges::find(Words, Map) != Words.end() ||
        std::ranges::find(Words, literal(Map)) != Words.end())
      continue;
    // nvcc passes the word to a shell.
    if (Line.Kind == Family::Nvcc)
      Words.insert(Words.end(), {"-Xcompiler", literal(Map)});
    else
      Words.push_back(std::move(Map));
  }
  // Clang's debug information has no "./" in front of a name.
  if (Line.Kind == Family::Clang)
    for (const Unit &U : Units)
      for (const MirroredFile &File : U.Written.Files)
        if (std::string To = mapped(File.Spelling, Line); To.starts_with("./"))
          Words.push_back("-fdebug-prefix-map=" + File.Mirrored + "=" +
                          To.substr(2));
  // Clang takes prefix maps as a request for reproducible builds, and then
  // drops the "./" of __FILE__.
  if (Line.Kind == Family::Clang && !Words.empty() && keepsDots(Line))
    Words.insert(Words.begin(), "-fno-file-reproducible");
  return Words;
}

} // namespace

std::vector<std::string> instrumentedCommand(const CommandLine &Line,
                                             const std::vector<Unit> &Units,
                                             const Parts &P,
                                             const std::string &Directory) {
  std::vector<std::string> Args = Line.Args;
  std::vector<bool> Dropped(Args.size(), false);
  const Unit *Instrumented = nullptr; // The first one.
  std::string Missing;
  std::string LeftOut;
  for (const Unit &U : Units) {
    for (const std::string &Each : U.Written.SmallInProfile)
      LeftOut += (LeftOut.empty() ? "" : "; ") + Each;
    std::vector<std::string> Without = U.Written.WithoutHooks;
    if (U.Written.Status == Mirror::Outcome::Failed)
      Without = {U.Input.Path};
    for (const std::string &Each : Without)
      Missing += (Missing.empty() ? "" : ", ") + Each;
    if (U.Written.Status != Mirror::Outcome::Instrumented)
      continue;
    Instrumented = Instrumented ? Instrumented : &U;
    Args[U.Input.Index] = U.Written.Files.front().Mirrored;
  }
  bool Forced = false; // Some -include leads to the mirror.
  for (std::size_t I = 0; I < Line.Options.size(); ++I) {
    const Option *Operand = nullptr;
    if (Line.Options[I].Name == "-include")
      Operand = &Line.Options[I];
    else if (Line.Options[I].Name == "-Xclang" &&
             Line.Options[I].Value == "-include" &&
             I + 1 < Line.Options.size() &&
             Line.Options[I + 1].Name == "-Xclang")
      Operand = &Line.Options[I + 1];
    if (!Operand || Operand->Length != 2)
      continue;
    std::string Path = mirroredInclude(Operand->Value, Line, Units, Directory);
    if (Path.empty())
      continue;
    Args[Operand->Index + 1] = Path;
    Forced = true;
  }
  for (const NotedHeader &Noted : notedHeaders(Line, Directory))
    if (std::string Path =
            mirroredInclude(Noted.Header, Line, Units, Directory);
        !Path.empty())
      includeHeader(Args, Noted, Path);
  // A precompiled header contains the original of what is mirrored now.
  for (std::size_t I = 0; Forced && I + 1 < Line.Options.size(); ++I) {
    const Option &O = Line.Options[I];
    if (O.Name == "-include-pch")
      Dropped[O.Index] = Dropped[O.Index + 1] = true;
    if (O.Name == "-Xclang" && O.Value == "-include-pch")
      for (std::size_t J = O.Index; J < O.Index + 4 && J < Args.size(); ++J)
        Dropped[J] = true;
  }

  std::vector<std::string> Own;
  if (!isStandard(P.Include)) {
    // nvcc has no -idirafter of its own.
    Own.emplace_back(Line.Kind == Family::Nvcc ? "-isystem" : "-idirafter");
    Own.push_back(P.Include);
  }
  if (Instrumented) {
    Own.push_back("-D__LOOPSCOPE_TOOL_PATH=" + literal(P.Report));
    Own.push_back("-D__LOOPSCOPE_SOURCES=" +
                  literal(sourcesText(Line, Units, Directory)));
    if (std::string Note = ruleNote(matchedRules(Units)); !Note.empty())
      Own.push_back("-D__LOOPSCOPE_RULES=" + literal(Note));
    for (const Unit &U : Units)
      if (U.Place.isRelative())
        Own.insert(Own.end(), {"-iquote", U.Place.Given});
    std::vector<std::string> Maps = prefixMaps(Line, Units, Directory);
    Own.insert(Own.end(), Maps.begin(), Maps.end());
    // g++ gives this warning everywhere except in the source file, which it
    // knows by its given name.
    if (Line.Kind == Family::Gcc && compilesCPlusPlus(Line))
      Own.emplace_back("-Wno-subobject-linkage");
    if (mayUnwindHooks(Line, Units, Directory))
      Own.insert(Own.end(), UnwindingOptions.begin(), UnwindingOptions.end());
    std::vector<std::string> Counts =
        optionsForCounts(Line, Instrumented->Written);
    Own.insert(Own.end(), Counts.begin(), Counts.end());
    // gcc decides on this one by what it keeps in registers, and hooks are
    // calls.
    if (Line.Kind == Family::Gcc)
      Own.emplace_back("-Wno-clobbered");
  }
  if (!Missing.empty())
    Own.push_back("-D__LOOPSCOPE_MISSING_FILE=" + plainLiteral(Missing));
  if (!LeftOut.empty())
    Own.push_back("-D__LOOPSCOPE_LEFT_OUT=" + plainLiteral(LeftOut));
  if (!Missing.empty() || !LeftOut.empty())
    Own.insert(Own.end(), {"-include", "loopscope/missing.h"});

  std::vector<std::string> Command = Line.Launchers;
  Command.push_back(Line.Compiler);
  // First, because another forced header may have hooks.
  if (Instrumented && countsFileLines(Line))
    Command.insert(Command.end(),
                   {"-include", P.Include + "/loopscope/hooks.h"});
  auto [First, Last] = Line.FromEnvironment;
  for (std::size_t I = First; I + Last < Args.size(); ++I)
    if (!Dropped[I])
      Command.push_back(Args[I]);
  Command.insert(Command.end(), Own.begin(), Own.end());
  return Command;
}

std::vector<std::string> rewriterCommand(const CommandLine &Line, const Unit &U,
                                         const std::string &Manifest,
                                         const Parts &P, const Settings &S,
                                         const std::string &Directory) {
  std::vector<std::string> Words = {
      P.Rewriter,
      std::string("--on-error=") + (S.Passthrough ? "passthrough" : "fail"),
      "--mirror=" + U.Place.Directory,
      "--manifest=" + Manifest,
      "--compiler-command",
      U.Input.Path};
  if (U.Place.isRelative())
    Words.emplace_back("--relocatable");
  if (countsFileLines(Line))
    Words.emplace_back("--keep-lines");
  if (S.ShowErrors)
    Words.emplace_back("--show-errors");
  if (S.Functions)
    Words.emplace_back("--functions");
  if (!S.MinSize.empty())
    Words.push_back("--min-size=" + S.MinSize);
  if (!S.FunctionsFrom.empty())
    Words.push_back("--functions-from=" + S.FunctionsFrom);
  if (!S.Select.empty())
    Words.push_back("--select=" + S.Select);
  Words.emplace_back("--");
  CommandLine Parsed = Line;
  for (const NotedHeader &Noted : notedHeaders(Line, Directory))
    includeHeader(Parsed.Args, Noted, Noted.Header);
  std::vector<std::string> Given = Parsed.words();
  Words.insert(Words.end(),
               Given.begin() +
                   static_cast<std::ptrdiff_t>(Line.Launchers.size()),
               Given.end());
  return Words;
}

} // namespace loopscope::launch
