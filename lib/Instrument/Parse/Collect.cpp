// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Clang's tree -> ParseResult.

#include "Instrument/Parse/Collect.h"

#include "Instrument/Diagnose/Diagnostics.h"
#include "Instrument/Find/Annotations.h"
#include "Instrument/Find/Repeats.h"
#include "Instrument/Find/TrainingLoops.h"
#include "Support/Suggest.h"

#include "clang/AST/ASTContext.h"
#include "clang/Basic/Module.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace clang;

namespace loopscope::instrument {
namespace {

constexpr unsigned ShownErrors = 5;

/// Turns the parse into a ParseResult while Clang's structures exist.
class MarkCollector {
public:
  MarkCollector(ASTContext &Context, const FindOptions &Find,
                const PreprocessorLog &Log, Listener &L, ParseResult &Result)
      : Context(Context), SM(Context.getSourceManager()), Find(Find), Log(Log),
        L(L), Result(Result), Where(Context, Log.MadeText) {}

  void run() {
    Result.Code.CPlusPlus = Context.getLangOpts().CPlusPlus;
    if (Find.Suggest) {
      Result.Bodies = findBodies(Context, Where);
      Result.ForeignErrors = L.Kept;
      return;
    }
    L.At = Stage::Refuse;
    FindResult Found = findAnnotations(Context, Where, Find);
    Result.Marks = std::move(Found.Marks);
    Result.Matches = Found.Matches;
    Result.RefusedRules = Found.RefusedRules;
    if (Find.Select)
      for (unsigned I = 0; I < Find.Select->Rules.size(); ++I)
        if (!Found.Matches.count(I))
          Result.Hints[I] = hintFor(Find.Select->Rules[I], Found.Project);
    Result.Functions = Found.Functions;
    checkText(Found);
    checkModule();
    checkHidden(Found);
    checkStandard(Found);
    dropBrokenFunctions(Found);
    refuseRepeated(Found);
    checkImports(Found);
    unsigned InAnnotated = Result.LeftAlone ? 0 : checkErrors(Found);
    Result.Refused += Found.Refused;
    // What is left alone as a whole is reported as a whole.
    Result.ForeignErrors = Result.LeftAlone ? 0 : L.Kept - InAnnotated;
    Result.Failed |= InAnnotated != 0;
    if (!Result.Failed && !Result.LeftAlone)
      fill(Found);
  }

private:
  DiagnosticBuilder reportAt(FileID File, unsigned Offset, Diag D) {
    return report(Context.getDiagnostics(), Where.location(File, Offset), D);
  }

  //===--- Annotations that the parser didn't hand over -------------------===//

  void checkText(const FindResult &Found) {
    std::set<std::string> Checked;
    for (FileID File : Log.Files) {
      const SourceText &Scan = Where.scan(File);
      if (!Scan.hasAnnotations())
        continue;
      if (Scan.Module) {
        reportAt(File, *Scan.Module, Diag::Module);
        ++Result.Refused;
        Result.LeftAlone = Result.InModule = true;
      }
      for (const AttributeList &List : Scan.Lists)
        if (!Log.isSkipped(File, List.Text.Begin) && !List.InMacro)
          for (const AttributeEntry &Entry : List.Entries)
            if (Entry.Ours)
              checkEntry(File, Scan, List, Entry, Found);
      for (const MacroUse &Use : Scan.Macros)
        if (!Log.isSkipped(File, Use.Text.Begin) && !Use.InMacro &&
            isAnnotationMacro(File, Use) && !isKnown(File, Use.Text, Found))
          misplaced(File, Scan, Use.Text, Use.BeforePragma);
    }
  }

  /// Function mode and selections ask for what the file didn't, so this is a
  /// warning.
  void checkModule() {
    const Module *M = Context.getCurrentNamedModule();
    if (!M || Result.LeftAlone || !(Find.Functions || Find.Select))
      return;
    L.OnlyWarn = true;
    report(Context.getDiagnostics(), M->DefinitionLoc, Diag::Module);
    L.OnlyWarn = false;
    Result.LeftAlone = Result.InModule = true;
  }

  /// Hooks are spelled with the compiler's own keywords.
  void checkHidden(const FindResult &Found) {
    if (Log.HidesHooks.isValid())
      leaveAlone(Found, [&] {
        report(Context.getDiagnostics(), Log.HidesHooks, Diag::HidesHooks)
            << Log.HiddenName;
      });
  }

  /// Hooks are C++11.
  void checkStandard(const FindResult &Found) {
    const LangOptions &Lang = Context.getLangOpts();
    if (Lang.CPlusPlus && !Lang.CPlusPlus11)
      leaveAlone(Found, [&] {
        report(Context.getDiagnostics(),
               SM.getLocForStartOfFile(SM.getMainFileID()), Diag::OldStandard);
      });
  }

  /// Calls REPORT to say that nothing in the file is instrumented: an error if
  /// annotations ask for it.
  void leaveAlone(const FindResult &Found, llvm::function_ref<void()> Report) {
    if (Result.LeftAlone || Found.Annotations.empty())
      return;
    bool Asked = llvm::any_of(Found.Annotations, [](const auto &Each) {
      return Each.A.K != Kind::Function;
    });
    L.OnlyWarn = !Asked;
    Report();
    L.OnlyWarn = false;
    Result.Refused += Asked;
    Result.LeftAlone = true;
  }

  bool isAnnotationMacro(FileID File, const MacroUse &Use) const {
    llvm::StringRef Text = Where.text(File).slice(Use.Text.Begin, Use.Text.End);
    llvm::StringRef Name = Text.take_until([](char C) { return C == '('; });
    Name = Name.rtrim();
    Name.consume_front("LOOPSCOPE_");
    Name.consume_back("_LOOP");
    return kindNamed(Name.lower()).has_value();
  }

  void checkEntry(FileID File, const SourceText &Scan,
                  const AttributeList &List, const AttributeEntry &Entry,
                  const FindResult &Found) {
    if (Entry.Known) {
      Range Place = List.Using ? List.Text : Entry.Text;
      if (!isKnown(File, Place, Found))
        misplaced(File, Scan, List.Text, List.BeforePragma);
      return;
    }
    llvm::StringRef Name =
        Where.text(File).slice(Entry.Name.Begin, Entry.Name.End);
    std::string Close = nearestTo(Name, attributeNames());
    if (Close.empty()) {
      std::vector<std::string> Names = attributeNames();
      std::string Last = std::move(Names.back());
      Names.pop_back();
      reportAt(File, Entry.Name.Begin, Diag::UnknownAttribute)
          << Name << 0 << llvm::join(Names, ", ") + " and " + Last;
      return;
    }
    SourceLocation Begin = Where.location(File, Entry.Name.Begin);
    reportAt(File, Entry.Name.Begin, Diag::UnknownAttribute)
        << Name << 1 << Close
        << FixItHint::CreateReplacement(
               CharSourceRange::getCharRange(
                   Begin, Where.location(File, Entry.Name.End)),
               Close);
  }

  /// Whether an attribute in TEXT was used or reported. The same file may be
  /// entered more than once.
  bool isKnown(FileID File, Range Text, const FindResult &Found) const {
    auto Holds = [&](const std::pair<FileID, unsigned> &P) {
      return Text.contains(P.second) && isSameFile(P.first, File);
    };
    return llvm::any_of(Found.Seen, Holds) || llvm::any_of(L.Reported, Holds);
  }

  bool isSameFile(FileID A, FileID B) const {
    return A == B || SM.getFileEntryForID(A) == SM.getFileEntryForID(B);
  }

  void misplaced(FileID File, const SourceText &Scan, Range Text,
                 bool BeforePragma) {
    ++Result.Refused;
    bool BehindPragma = llvm::any_of(Scan.Pragmas, [&](const LoopPragma &P) {
      return P.NextToken == Text.Begin;
    });
    bool IsMacro =
        Where.text(File).substr(Text.Begin).starts_with("LOOPSCOPE_");
    reportAt(File, Text.Begin,
             IsMacro && !Log.HasMacros      ? Diag::NoInclude
             : BeforePragma || BehindPragma ? Diag::NextToPragma
             : L.Kept != 0                  ? Diag::BrokenCode
                                            : Diag::NoEffect);
    Misplaced.push_back({File, Text});
  }

  //===--- Errors ---------------------------------------------------------===//

  /// Function mode leaves out what clang can't parse; nobody asked for it.
  void dropBrokenFunctions(FindResult &Found) {
    if (L.Kept == 0)
      return;
    llvm::erase_if(Found.Annotations, [&](const auto &F) {
      bool Broken =
          F.A.K == Kind::Function &&
          L.printKept(
              [&](FileID File, unsigned Offset) {
                return F.File == File && F.FunctionText.contains(Offset);
              },
              /*Limit=*/0) != 0;
      if (Broken)
        leaveOut(Result.Functions, Where.exactly(F.Loc), launch::NotParsed);
      return Broken;
    });
  }

  void refuseRepeated(FindResult &Found) {
    for (const auto &F : takeRepeated(Found.Annotations, Log, SM)) {
      if (F.A.K == Kind::Function) {
        leaveOut(Result.Functions, Where.exactly(F.Loc),
                 "its text is included more than once, as other functions");
        continue;
      }
      report(Context.getDiagnostics(), F.Loc, Diag::Repeated)
          << info(F.A.K).Attribute;
      ++Result.Refused;
    }
  }

  /// Annotated code that lacks a module gets one message instead of all errors
  /// that follow from it. Compilers know a header unit by its path from where
  /// the import is, so that import can't move.
  void checkImports(const FindResult &Found) {
    if (L.FailedImport &&
        (L.FailedImport->HeaderUnit || countErrors(Found, /*Shown=*/0) != 0))
      leaveAlone(Found, [&] {
        SourceLocation Loc = L.FailedImport->Loc;
        report(Context.getDiagnostics(),
               Loc.isValid() ? Loc
                             : SM.getLocForStartOfFile(SM.getMainFileID()),
               Diag::Import)
            << L.FailedImport->Why;
      });
  }

  /// Counts clang's errors in annotated functions, and prints the first ones.
  unsigned countErrors(const FindResult &Found, unsigned Shown) {
    return L.printKept(
        [&](FileID File, unsigned Offset) {
          return llvm::any_of(Found.Annotations, [&](const auto &F) {
            return F.File == File && F.FunctionText.contains(Offset);
          });
        },
        Shown);
  }

  unsigned checkErrors(const FindResult &Found) {
    unsigned Count = countErrors(Found, ShownErrors);
    if (Count == 0 && L.Kept != 0 && !Misplaced.empty())
      Count = L.printKept([](FileID, unsigned) { return true; }, ShownErrors);
    return Count;
  }

  //===--- Plain values ---------------------------------------------------===//

  void fill(const FindResult &Found) {
    addFile(SM.getMainFileID());
    for (const auto &F : Found.Annotations)
      addFile(F.File);
    addIncluders();
    for (const auto &F : Found.Annotations) {
      Annotation A = F.A;
      A.File = fileIndex(F.File);
      if (isDuplicate(A))
        continue;
      Result.Code.Annotations.push_back(std::move(A));
      if (F.Raw)
        blank(*F.Raw);
      for (const Place &Beside : F.BesideRaw)
        blank(Beside);
    }
    for (const Place &P : Found.Silent)
      blank(P);
    for (SourceFile &File : Result.Code.Files) {
      auto Known = Log.Inclusions.find(File.Path);
      if (Known != Log.Inclusions.end())
        Result.Inclusions.insert(*Known);
    }
    for (const ImportDecl *Import : Context.local_imports())
      addImport(*Import);
    Result.OwnCleanups =
        Log.UsesCleanup || llvm::any_of(Log.Files, [&](FileID File) {
          return namesCleanup(Where.text(File), Context.getLangOpts());
        });
    Result.Includes = Log.Includes;
    llvm::sort(Result.Includes);
    Result.Includes.erase(llvm::unique(Result.Includes), Result.Includes.end());
  }

  /// Notes the import of a header unit that is found beside its importer. The
  /// preprocessor's callbacks don't tell.
  void addImport(const ImportDecl &Import) {
    if (!Import.getImportedModule()->isHeaderUnit())
      return;
    auto [File, Offset] = SM.getDecomposedExpansionLoc(Import.getLocation());
    OptionalFileEntryRef Importer = SM.getFileEntryRefForID(File);
    llvm::StringRef All = SM.getBufferData(File);
    llvm::StringRef Rest = All.drop_front(Offset);
    auto Begin = static_cast<unsigned>(All.find('"', Offset));
    llvm::StringRef Name = All.drop_front(Begin + 1).take_until(
        [](char C) { return C == '"' || C == '\n'; });
    if (!Importer || Rest.find('"') > Rest.find_first_of(";\n<"))
      return;
    llvm::SmallString<256> Path(
        llvm::sys::path::parent_path(Importer->getName()));
    llvm::sys::path::append(Path, Name);
    if (OptionalFileEntryRef Beside =
            SM.getFileManager().getOptionalFileRef(Path))
      Result.Inclusions[absolutePath(*Importer)].push_back(
          {SM.getLineNumber(File, Offset),
           {Begin, Begin},
           {Begin, Begin + static_cast<unsigned>(Name.size()) + 2},
           absolutePath(*Beside),
           Beside->getName().str(),
           true,
           true});
  }

  bool isDuplicate(const Annotation &A) const {
    return llvm::any_of(Result.Code.Annotations, [&](const Annotation &Other) {
      return Other.File == A.File && Other.K == A.K && Other.Whole == A.Whole &&
             Other.Name == A.Name &&
             Other.AnnotationBegin == A.AnnotationBegin &&
             Other.Line == A.Line && Other.Function == A.Function;
    });
  }

  std::string pathOf(FileID File) const {
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    return Entry ? absolutePath(*Entry) : std::string();
  }

  unsigned fileIndex(FileID File) const {
    std::string Path = pathOf(File);
    for (unsigned I = 0; I < Result.Code.Files.size(); ++I)
      if (Result.Code.Files[I].Path == Path)
        return I;
    return ~0U;
  }

  void addFile(FileID File) {
    if (fileIndex(File) != ~0U)
      return;
    SourceFile New;
    New.Path = pathOf(File);
    New.Spelling = SM.getFileEntryRefForID(File)->getName().str();
    New.Text = Where.text(File).str();
    New.Main = File == SM.getMainFileID();
    Result.Code.Files.push_back(std::move(New));
  }

  /// A header that includes a rewritten header has to move with it.
  void addIncluders() {
    for (bool Changed = Result.Code.Files.size() > 1; Changed;) {
      Changed = false;
      for (FileID File : Log.Files) {
        auto Known = Log.Inclusions.find(pathOf(File));
        if (fileIndex(File) != ~0U || Known == Log.Inclusions.end())
          continue;
        for (const Inclusion &I : Known->second)
          if (llvm::any_of(Result.Code.Files, [&](const SourceFile &F) {
                return !F.Main && F.Path == I.Target;
              })) {
            addFile(File);
            Changed = true;
            break;
          }
      }
    }
  }

  /// Blanks out the attribute at P, and its list if all of it is ours.
  void blank(const Place &P) {
    unsigned Index = fileIndex(P.File);
    if (Index == ~0U)
      return;
    SourceFile &File = Result.Code.Files[Index];
    const AttributeList *List = Where.scan(P.File).listAt(P.Offset);
    if (!List || List->InMacro)
      return;
    // Whole runs of our attributes, each with one of the commas next to it.
    const std::vector<AttributeEntry> &Entries = List->Entries;
    std::vector<Range> Ours;
    for (size_t First = 0; First < Entries.size(); ++First) {
      if (!Entries[First].Ours)
        continue;
      size_t Last = First;
      while (Last + 1 < Entries.size() && Entries[Last + 1].Ours)
        ++Last;
      Range Text = {Entries[First].Text.Begin, Entries[Last].Text.End};
      if (Last + 1 < Entries.size())
        Text.End = Entries[Last + 1].Text.Begin;
      else if (First > 0)
        Text.Begin = Entries[First - 1].Text.End;
      else
        Text = List->Text;
      Ours.push_back(Text);
      First = Last;
    }
    for (Range R : Ours)
      if (llvm::find(File.Blanks, R) == File.Blanks.end())
        File.Blanks.push_back(R);
  }

  ASTContext &Context;
  const SourceManager &SM;
  const FindOptions &Find;
  const PreprocessorLog &Log;
  Listener &L;
  ParseResult &Result;
  Places Where;
  std::vector<std::pair<FileID, Range>> Misplaced;
};

} // namespace

void collect(ASTContext &Context, const FindOptions &Find,
             const PreprocessorLog &Log, Listener &L, ParseResult &Result) {
  MarkCollector(Context, Find, Log, L, Result).run();
}

} // namespace loopscope::instrument
