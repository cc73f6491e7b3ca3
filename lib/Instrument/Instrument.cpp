//===- Instrument.cpp - Rewriting files -----------------------------------===//
//
// For each job: parse, number, edit, and write in the way that was asked for.
//
//===----------------------------------------------------------------------===//

#include "Instrument.h"

#include "Diagnostics.h"
#include "Edits.h"
#include "FunctionMode.h"
#include "Parse.h"
#include "SourceText.h"
#include "Suggest.h"
#include "Support/OutputFile.h"
#include "Support/Printable.h"
#include "Writer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/ThreadPool.h"

#include <fmt/format.h>

using namespace llvm;

namespace loopscope::instrument {
namespace {

/// A file of the unit after rewriting.
struct Rewritten {
  const SourceFile *File = nullptr;
  std::vector<Site> Sites;
  std::string Text;
  std::vector<IncludeEdit> IncludeEdits;
};

/// One row of --list.
struct Listed {
  std::string Phase, Kind, Place, Function;
};

/// Gives TO the time of FROM, which is what __TIMESTAMP__ shows.
void copyTime(const std::string &From, const std::string &To) {
  sys::fs::file_status Status;
  if (sys::fs::status(From, Status))
    return;
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForReadWrite(
      To, sys::fs::CD_OpenExisting, sys::fs::OF_None);
  if (!File) {
    consumeError(File.takeError());
    return;
  }
  (void)sys::fs::setLastAccessAndModificationTime(
      *File, Status.getLastModificationTime());
  (void)sys::fs::closeFile(*File);
}

class Runner {
public:
  Runner(const Options &O, raw_ostream &Out, raw_ostream &Err)
      : O(O), Out(Out), Err(Err) {}

  bool run(const std::vector<Job> &Jobs) {
    std::vector<Part> Parts(Jobs.size());
    {
      DefaultThreadPool Pool(hardware_concurrency(O.Threads));
      for (size_t I = 0; I < Jobs.size(); ++I)
        Pool.async([&, I] { Parts[I] = runPart(Jobs[I]); });
    }
    bool Good = true;
    for (Part &P : Parts) {
      Out << P.Out;
      Err << P.Err;
      Good &= P.Good;
      append_range(Rows, P.Rows);
      std::move(P.Bodies.begin(), P.Bodies.end(), std::back_inserter(Bodies));
      Sum.add(P.Functions);
      for (const auto &[Index, Places] : P.Matches)
        Matches[Index].insert(Places.begin(), Places.end());
      addHints(P.Hints);
      RefusedRules.insert(P.RefusedRules.begin(), P.RefusedRules.end());
    }
    if (O.Out == Output::List)
      printList();
    if (O.Out == Output::Suggest)
      return Good & printSuggestion(Jobs);
    checkRules();
    if (O.Summary)
      Err << Sum.text();
    return Good;
  }

private:
  /// What one job leaves.
  struct Part {
    bool Good = false;
    std::string Out, Err;
    std::vector<SeenBody> Bodies;
    std::set<unsigned> RefusedRules;
    std::vector<Listed> Rows;
    std::map<unsigned, std::set<std::string>> Matches;
    std::map<unsigned, launch::RuleHint> Hints;
    std::vector<launch::FunctionOutcome> Functions;
  };

  Part runPart(const Job &J) const {
    Part P;
    raw_string_ostream PartOut(P.Out), PartErr(P.Err);
    Runner Each(O, PartOut, PartErr);
    P.Good = Each.runJob(J);
    P.Rows = std::move(Each.Rows);
    P.Matches = std::move(Each.Matches);
    P.Hints = std::move(Each.Hints);
    P.Bodies = std::move(Each.Bodies);
    P.RefusedRules = std::move(Each.RefusedRules);
    P.Functions = std::move(Each.Functions);
    return P;
  }

  /// Keeps the nearest hint for each rule.
  void addHints(const std::map<unsigned, launch::RuleHint> &More) {
    for (const auto &[Index, Hint] : More) {
      auto [Known, New] = Hints.try_emplace(Index, Hint);
      if (!New && Hint.Distance < Known->second.Distance)
        Known->second = Hint;
    }
  }

  bool printSuggestion(const std::vector<Job> &Jobs) {
    std::vector<Suggested> Rules = suggestRules(std::move(Bodies));
    dropRefused(Jobs, Rules);
    if (none_of(Rules, [](const Suggested &S) { return !S.Yaml.empty(); })) {
      error(
          "nothing in these files looks like a training loop; annotate it, or "
          "write rules by hand");
      return false;
    }
    Out << "# Loopscope's guess from names, loops and the order of calls. "
           "Check "
           "every rule,\n# then: loopscope-rewrite --select THIS-FILE ...\n"
        << rulesText(Rules);
    return true;
  }

  static std::string rulesText(const std::vector<Suggested> &Rules) {
    std::string Text = "rules:\n";
    for (const Suggested &S : Rules) {
      Text += fmt::format("  # {}:{}: {}\n", S.File, S.Line, S.Why);
      if (!S.Yaml.empty())
        Text += fmt::format("  - {{ {} }}\n", S.Yaml);
    }
    return Text;
  }

  /// Tries RULES on the files, and makes remarks of those that --select would
  /// refuse or that match nothing.
  void dropRefused(const std::vector<Job> &Jobs,
                   std::vector<Suggested> &Rules) const {
    for (bool Changed = true; Changed;) {
      Changed = false;
      std::vector<size_t> Index;
      for (size_t I = 0; I < Rules.size(); ++I)
        if (!Rules[I].Yaml.empty())
          Index.push_back(I);
      Selection Select;
      std::string Ignored;
      raw_string_ostream Nowhere(Ignored);
      if (Index.empty() ||
          !parseSelection(rulesText(Rules), "suggestion", Select, Nowhere))
        return;
      Options Trial = O;
      Trial.Out = Output::List;
      Trial.Select = &Select;
      Runner Each(Trial, Nowhere, Nowhere);
      Each.run(Jobs);
      for (unsigned R = 0; R < Index.size(); ++R) {
        bool Refused = Each.RefusedRules.count(R) != 0;
        if (!Refused && !Each.Matches[R].empty())
          continue;
        Suggested &S = Rules[Index[R]];
        S.Why += Refused ? "; but no hook can stand there: " + S.Yaml
                         : "; but no rule reaches it: " + S.Yaml;
        S.Yaml.clear();
        Changed = true;
      }
    }
  }

  void error(const Twine &Text) {
    Err << "loopscope-rewrite: error: " << Text << '\n';
  }
  void warning(const Twine &Text) {
    Err << "loopscope-rewrite: warning: " << Text << '\n';
  }

  /// What the rules of the selection matched, with their places in it.
  std::vector<launch::RuleOutcome> ruleOutcomes() {
    std::vector<launch::RuleOutcome> All;
    if (!O.Select)
      return All;
    for (unsigned I = 0; I < O.Select->Rules.size(); ++I) {
      const Rule &R = O.Select->Rules[I];
      const Pattern &Target = R.Function.empty() ? R.Call : R.Function;
      std::string What =
          !R.Loop.empty() ? "loop '" + R.Loop + "' in '" + R.In.text() + "'"
          : R.Function.empty()
              ? "call '" + R.Call.text() + "'" +
                    (R.In.isPlain() ? " in '" + R.In.text() + "'" : "")
              : "function '" + R.Function.text() + "'";
      All.push_back({fmt::format("{}:{}:{}", O.Select->Path, R.Line, R.Column),
                     What, !R.All && (!R.Loop.empty() || Target.isPlain()),
                     Matches[I],
                     Matches[I].empty() ? Hints[I] : launch::RuleHint()});
    }
    return All;
  }

  /// Says which rules matched nothing, or more than was meant. A manifest is
  /// one file's part of a build: its reader knows more.
  void checkRules() {
    if (O.ManifestPath.empty())
      Err << launch::ruleWarnings(ruleOutcomes());
  }

  bool runJob(const Job &J) {
    ParseOptions P;
    P.Find.Select = O.Select;
    P.Find.Functions = O.Functions;
    P.Find.Suggest = O.Out == Output::Suggest;
    P.Find.MinSize = O.MinSize                            ? *O.MinSize
                     : O.Select && O.Select->MinSize != 0 ? O.Select->MinSize
                                                          : DefaultMinSize;
    P.Command = J.Command;
    P.Directory = J.Directory;
    P.OwnDirectories = J.OwnDirectories;
    P.MainFile = J.File;
    P.RefusalsAreErrors = !O.Passthrough;
    P.Diagnostics = &Err;
    P.Colour = O.Colour;
    P.ShowErrors = O.ShowErrors;
    SmallString<256> Path(J.File);
    if (!sys::path::is_absolute(Path)) {
      Path = J.Directory;
      sys::path::append(Path, J.File);
    }
    if (!sys::fs::is_regular_file(Path)) {
      error("cannot read '" + J.File + "': no such file");
      return false;
    }
    if (O.Out == Output::File && !O.Select && !O.Functions && isPlain(J, Path))
      return writeUnparsed(J, {}, Path);
    addOwnFlags(P.Command);
    ParseResult R = parseFile(P);
    for (SourceFile &Each : R.Code.Files)
      if (J.ExtraDot && StringRef(Each.Spelling).starts_with("./"))
        Each.Spelling.erase(0, 2);
    Matches = R.Matches;
    Hints = R.Hints;
    Bodies = std::move(R.Bodies);
    RefusedRules = R.RefusedRules;
    Functions = R.Functions;
    bool Good = !R.Failed && R.Errors == 0 && R.Refused == 0;
    if (R.Failed) {
      R.Code.Annotations.clear();
      if (O.Passthrough)
        warning(J.File + " is left as it is: it can't be parsed");
      else
        error(J.File +
              " can't be instrumented: its annotated code doesn't "
              "parse; nothing was written" +
              tag(Diag::NotParsed));
    } else if (R.ForeignErrors != 0) {
      warning(J.File + ": " + Twine(R.ForeignErrors) +
              " error(s) of clang outside the annotated code were ignored" +
              (O.ShowErrors ? "" : "; --show-errors prints them") +
              tag(Diag::ForeignErrors));
    }
    if (O.Out == Output::Suggest)
      return !R.Failed;
    if (!Good && !O.Passthrough)
      return false;
    return write(J, R, Path);
  }

  /// Whether the file holds no annotation and reads none, without a parse.
  static bool isPlain(const Job &J, StringRef Path) {
    if (is_contained(J.Command, "-include"))
      return false;
    auto Text = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    return Text && !mentionsLoopscope((*Text)->getBuffer()) &&
           !(*Text)->getBuffer().contains("#") &&
           !(*Text)->getBuffer().contains("import");
  }

  void addOwnFlags(std::vector<std::string> &Command) const {
    std::string Include = includeDirectory();
    // What clang makes an error and others warn of is a warning to us.
    std::vector<std::string> Own = {
        "-fsyntax-only",   "-D__LOOPSCOPE_REWRITER__",
        "-ferror-limit=0", "-Wno-everything",
        "-idirafter",      Include,
        "-idirafter",      Include + "/loopscope/clang_cuda"};
    if (none_of(Command, [](StringRef Flag) {
          return Flag.starts_with("-resource-dir");
        })) {
      Own.push_back("-resource-dir");
      Own.push_back(LOOPSCOPE_RESOURCE_DIR);
    }
    Command.insert(Command.begin() + 1, Own.begin(), Own.end());
  }

  /// Of <loopscope/annotate.h>: beside an installed tool, else our sources.
  std::string includeDirectory() const {
    std::string Tool = sys::fs::getMainExecutable(
        O.Program.c_str(), reinterpret_cast<void *>(&instrument));
    SmallString<256> Beside(
        sys::path::parent_path(sys::path::parent_path(Tool)));
    sys::path::append(Beside, "include");
    return sys::fs::exists(Beside + "/loopscope/annotate.h")
               ? Beside.str().str()
               : LOOPSCOPE_SOURCE_INCLUDE_DIR;
  }

  //===--- Rewriting ------------------------------------------------------===//

  std::vector<Rewritten> rewrite(const ParseResult &R) {
    std::vector<Rewritten> All;
    for (unsigned I = 0; I < R.Code.Files.size(); ++I) {
      const SourceFile &File = R.Code.Files[I];
      Rewritten Each;
      Each.File = &File;
      Each.Sites = numberSites(R.Code, I);
      if (O.Out != Output::Mirror && Each.Sites.empty()) {
        Each.Text = File.Text;
        All.push_back(std::move(Each));
        continue;
      }
      std::vector<Edit> Edits = planEdits(Each.Sites, File);
      if (O.Out == Output::Mirror)
        editIncludes(R, File, Edits, Each.IncludeEdits);
      Each.Text = withPrelude(applyEdits(File.Text, Edits), File.Spelling,
                              !Each.Sites.empty() || File.Main);
      All.push_back(std::move(Each));
    }
    return All;
  }

  std::string mirrored(StringRef Original) const {
    SmallString<256> Path(O.OutputPath);
    (void)sys::fs::make_absolute(Path);
    return (Path + Original).str();
  }

  /// Points includes at the mirrored header, or at the original where the
  /// lookup started in the directory that the file leaves.
  void editIncludes(const ParseResult &R, const SourceFile &File,
                    std::vector<Edit> &Edits, std::vector<IncludeEdit> &Log) {
    auto Known = R.Inclusions.find(File.Path);
    if (Known == R.Inclusions.end())
      return;
    for (const Inclusion &I : Known->second) {
      bool Moved = any_of(R.Code.Files, [&](const SourceFile &Other) {
        return Other.Path == I.Target;
      });
      if (!Moved && !I.MoveBreaks)
        continue;
      std::string To = quote(Moved ? mirrored(I.Target) : I.Target);
      StringRef Text = File.Text;
      Log.push_back(
          {I.Line, Text.slice(I.Operand.Begin, I.Operand.End).str(), To});
      if (Text.slice(I.Keyword.Begin, I.Keyword.End) == "include_next")
        Edits.push_back({I.Keyword, "include"});
      Edits.push_back({I.Operand, To});
    }
    std::stable_sort(Edits.begin(), Edits.end(),
                     [](const Edit &A, const Edit &B) {
                       return A.Where.Begin < B.Where.Begin;
                     });
  }

  //===--- Writing --------------------------------------------------------===//

  bool write(const Job &J, const ParseResult &R, StringRef Path) {
    if (R.Code.Files.empty())
      return writeUnparsed(J, R, Path);
    std::vector<Rewritten> All = rewrite(R);
    switch (O.Out) {
    case Output::Suggest:
      return true;
    case Output::List:
      for (const Rewritten &Each : All)
        list(Each);
      return true;
    case Output::Diff:
      for (const Rewritten &Each : All)
        Out << unifiedDiff(Each.File->Spelling, Each.File->Text, Each.Text);
      return true;
    case Output::Mirror:
      return writeMirror(J, Path, R, All);
    case Output::File:
    case Output::InPlace:
      return writeOne(J, All, Path);
    }
    return false;
  }

  /// Passes the file through where there is nothing to rewrite.
  bool writeUnparsed(const Job &J, const ParseResult &R, StringRef Path) {
    if (O.Out == Output::Mirror)
      return writeManifest(J, Path, R, {});
    if (O.Out != Output::File)
      return true;
    auto Text = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
    if (!Text) {
      error("cannot read '" + J.File + "': " + Text.getError().message());
      return false;
    }
    return put(O.OutputPath, (*Text)->getBuffer(), Path);
  }

  bool writeOne(const Job &J, const std::vector<Rewritten> &All,
                StringRef Path) {
    for (const Rewritten &Each : All) {
      if (Each.File->Main || Each.Sites.empty() || O.Out == Output::InPlace)
        continue;
      error("header '" + Each.File->Spelling +
            "' holds annotations too; use --mirror DIR, which writes it beside "
            "the rewritten " +
            J.File + tag(Diag::HeaderAnnotated));
      return false;
    }
    if (O.Out == Output::File)
      return put(O.OutputPath, All.front().Text, Path);
    for (const Rewritten &Each : All)
      if (!Each.Sites.empty() &&
          !put(Each.File->Main ? Path : StringRef(Each.File->Path), Each.Text))
        return false;
    return true;
  }

  bool writeMirror(const Job &J, StringRef Path, const ParseResult &R,
                   const std::vector<Rewritten> &All) {
    bool Any = any_of(All, [](const Rewritten &E) { return !E.Sites.empty(); });
    if (Any)
      for (const Rewritten &Each : All) {
        if (!put(mirrored(Each.File->Path), Each.Text, Each.File->Path))
          return false;
        copyTime(Each.File->Path, mirrored(Each.File->Path));
      }
    return writeManifest(J, Path, R, Any ? All : std::vector<Rewritten>());
  }

  /// See Manifest::WithoutHooks.
  static std::vector<std::string> withoutHooks(const Job &J,
                                               const ParseResult &R) {
    if (R.LeftAlone)
      return {J.File};
    constexpr size_t Named = 8;
    std::map<std::string, std::set<std::string>> Files;
    for (const launch::FunctionOutcome &F : R.Functions) {
      if (F.LeftOut != launch::NotParsed)
        continue;
      StringRef File = F.Place;
      File = File.rsplit(':').first.rsplit(':').first;
      File.consume_front(J.Directory + "/");
      Files[File.str()].insert(F.Name);
    }
    std::vector<std::string> All;
    for (const auto &[File, Names] : Files) {
      std::string Text;
      for (const std::string &Name : Names) {
        if (&Name == &*Names.begin())
          Text = Name;
        else if (size_t(std::distance(Names.begin(), Names.find(Name))) < Named)
          Text += ", " + Name;
      }
      if (Names.size() > Named)
        Text += fmt::format(" and {} more", Names.size() - Named);
      All.push_back(fmt::format("{} (only {})", File, Text));
    }
    return All;
  }

  bool writeManifest(const Job &J, StringRef Path, const ParseResult &R,
                     const std::vector<Rewritten> &All) {
    if (O.ManifestPath.empty())
      return true;
    Manifest M;
    M.Status = R.Failed      ? Manifest::Outcome::Failed
               : All.empty() ? Manifest::Outcome::Unchanged
                             : Manifest::Outcome::Instrumented;
    M.CPlusPlus = R.Code.CPlusPlus;
    for (const Rewritten &Each : All)
      M.Files.push_back({Each.File->Path, Each.File->Spelling,
                         mirrored(Each.File->Path), Each.File->Main,
                         static_cast<unsigned>(Each.Sites.size()),
                         Each.IncludeEdits});
    if (!M.Files.empty())
      llvm::sort(std::next(M.Files.begin()), M.Files.end(),
                 [](const MirroredFile &A, const MirroredFile &B) {
                   return A.Original < B.Original;
                 });
    M.Source = Path.str();
    M.Includes = R.Includes;
    M.Functions = R.Functions;
    M.Rules = ruleOutcomes();
    M.WithoutHooks = withoutHooks(J, R);
    M.Errors = R.Errors;
    M.Refused = R.Refused;
    M.ForeignErrors = R.ForeignErrors;
    return put(O.ManifestPath, toJSON(M), Path);
  }

  /// Writes TEXT to PATH, but never over SOURCE, from which it was made.
  bool put(StringRef Path, StringRef Text, StringRef Source = "") {
    if (Path == "-") {
      Out << Text;
      return true;
    }
    if (isSameFile(Path.str(), Source.str())) {
      error("cannot write '" + Path +
            "': it is the source itself; name another file, or use --in-place "
            "--force");
      return false;
    }
    if (llvm::Error E = writeFile(Path, Text)) {
      error(toString(std::move(E)));
      return false;
    }
    return true;
  }

  //===--- --list ---------------------------------------------------------===//

  void list(const Rewritten &Each) {
    for (const Site &S : Each.Sites)
      Rows.push_back(
          {printable(S.A.Name), info(S.A.K).Attribute.str(),
           fmt::format("{}:{}", printable(Each.File->Spelling), S.A.Line),
           printable(S.A.Function)});
  }

  void printList() {
    if (Rows.empty()) {
      Out << "no annotations found\n";
      return;
    }
    Listed Head = {"phase", "kind", "file:line", "function"};
    size_t Phase = Head.Phase.size(), Kind = Head.Kind.size(),
           Place = Head.Place.size();
    for (const Listed &Row : Rows) {
      Phase = std::max(Phase, Row.Phase.size());
      Kind = std::max(Kind, Row.Kind.size());
      Place = std::max(Place, Row.Place.size());
    }
    Rows.insert(Rows.begin(), Head);
    for (const Listed &Row : Rows)
      Out << fmt::format("{:<{}}  {:<{}}  {:<{}}  {}\n", Row.Phase, Phase,
                         Row.Kind, Kind, Row.Place, Place, Row.Function);
  }

  const Options &O;
  raw_ostream &Out;
  raw_ostream &Err;
  std::vector<Listed> Rows;
  std::vector<SeenBody> Bodies; ///< For --suggest.
  std::set<unsigned> RefusedRules;
  std::map<unsigned, std::set<std::string>> Matches;
  std::map<unsigned, launch::RuleHint> Hints;
  std::vector<launch::FunctionOutcome> Functions; ///< Of one job.
  launch::Summary Sum;                            ///< Of all.
};

} // namespace

std::vector<std::string> commandFor(const std::string &File,
                                    const std::vector<std::string> &Flags) {
  std::vector<std::string> Command = {"clang"};
  Command.insert(Command.end(), Flags.begin(), Flags.end());
  Command.push_back(File);
  return Command;
}

bool instrument(const std::vector<Job> &Jobs, const Options &O,
                raw_ostream &Out, raw_ostream &Err) {
  return Runner(O, Out, Err).run(Jobs);
}

} // namespace loopscope::instrument
