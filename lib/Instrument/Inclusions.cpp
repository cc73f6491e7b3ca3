//===- Inclusions.cpp - What the preprocessor saw -------------------------===//

#include "Inclusions.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/Support/Path.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

class Watcher : public PPCallbacks {
public:
  Watcher(Preprocessor &PP, PreprocessorLog &Log)
      : SM(PP.getSourceManager()), Lang(PP.getLangOpts()), Log(Log) {}

  void LexedFileChanged(FileID File, LexedFileChangeReason Reason,
                        SrcMgr::CharacteristicKind Type, FileID,
                        SourceLocation) override {
    if (Reason != LexedFileChangeReason::EnterFile)
      return;
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
    if (!Entry)
      return;
    if (File != SM.getMainFileID())
      Log.Includes.push_back(absolutePath(*Entry));
    if (Type == SrcMgr::C_User)
      Log.Files.push_back(File);
  }

  void InclusionDirective(SourceLocation Hash, const Token &Include,
                          StringRef Name, bool IsAngled,
                          CharSourceRange Operand, OptionalFileEntryRef File,
                          StringRef, StringRef, const Module *, bool,
                          SrcMgr::CharacteristicKind) override {
    if (!File || !Hash.isFileID() ||
        SM.getFileCharacteristic(Hash) != SrcMgr::C_User)
      return;
    auto [Includer, Offset] = SM.getDecomposedLoc(Hash);
    unsigned Keyword = SM.getFileOffset(Include.getLocation());
    CharSourceRange Text = SM.getExpansionRange(Operand);
    unsigned End = SM.getFileOffset(Text.getEnd());
    if (Text.isTokenRange())
      End += Lexer::MeasureTokenLength(Text.getEnd(), SM, Lang);
    StringRef Spelled =
        SM.getBufferData(Includer).substr(Keyword, Include.getLength());
    bool Breaks = Spelled == "include_next" ||
                  (!IsAngled && isBeside(Includer, Name, *File));
    add(Includer, {SM.getLineNumber(Includer, Offset),
                   {Keyword, Keyword + Include.getLength()},
                   {SM.getFileOffset(Text.getBegin()), End},
                   absolutePath(*File),
                   Breaks});
  }

  void HasInclude(SourceLocation Loc, StringRef Name, bool IsAngled,
                  OptionalFileEntryRef File,
                  SrcMgr::CharacteristicKind) override {
    if (!File || IsAngled || !Loc.isFileID() ||
        SM.getFileCharacteristic(Loc) != SrcMgr::C_User)
      return;
    auto [Includer, Offset] = SM.getDecomposedLoc(Loc);
    if (!isBeside(Includer, Name, *File))
      return;
    unsigned End = Offset + Name.size() + 2;
    add(Includer, {SM.getLineNumber(Includer, Offset),
                   {Offset, Offset},
                   {Offset, End},
                   absolutePath(*File),
                   true});
  }

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    auto [File, Begin] = SM.getDecomposedExpansionLoc(Range.getBegin());
    unsigned End = SM.getFileOffset(SM.getExpansionLoc(Range.getEnd()));
    Log.Skipped[File].push_back({Begin, End});
  }

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    if (!Name.getIdentifierInfo() || SM.isInSystemHeader(Name.getLocation()))
      return;
    // What the macros of hooks.h expand to, names of our own apart.
    StringRef Defined = Name.getIdentifierInfo()->getName();
    if (Defined == "static" || Defined == "__attribute" ||
        Defined == "__const") {
      Log.HidesHooks = Name.getLocation();
      Log.HiddenName = Defined;
    }
    if (Log.HasWrappers ||
        Name.getIdentifierInfo()->getName().starts_with("LOOPSCOPE_"))
      return;
    for (const Token &T : MD->getMacroInfo()->tokens())
      if (const IdentifierInfo *Identifier = T.getIdentifierInfo())
        Log.HasWrappers |= Identifier->isStr("loopscope") ||
                           Identifier->getName().starts_with("LOOPSCOPE_");
  }

private:
  void add(FileID Includer, Inclusion I) {
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Includer);
    if (!Entry)
      return;
    std::vector<Inclusion> &List = Log.Inclusions[absolutePath(*Entry)];
    for (const Inclusion &Known : List)
      if (Known.Operand == I.Operand)
        return;
    List.push_back(std::move(I));
  }

  /// Whether NAME, looked up in the directory of the includer, is FILE.
  bool isBeside(FileID Includer, StringRef Name, FileEntryRef File) const {
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Includer);
    if (!Entry || llvm::sys::path::is_absolute(Name))
      return false;
    llvm::SmallString<256> Path(llvm::sys::path::parent_path(Entry->getName()));
    llvm::sys::path::append(Path, Name);
    OptionalFileEntryRef Beside = SM.getFileManager().getOptionalFileRef(Path);
    return Beside && *Beside == File;
  }

  const SourceManager &SM;
  const LangOptions &Lang;
  PreprocessorLog &Log;
};

} // namespace

bool PreprocessorLog::isSkipped(FileID File, unsigned Offset) const {
  auto Ranges = Skipped.find(File);
  return Ranges != Skipped.end() && llvm::any_of(Ranges->second, [&](Range R) {
           return R.contains(Offset);
         });
}

void watchPreprocessor(Preprocessor &PP, PreprocessorLog &Log) {
  PP.addPPCallbacks(std::make_unique<Watcher>(PP, Log));
}

std::string absolutePath(FileEntryRef File) {
  StringRef Real = File.getFileEntry().tryGetRealPathName();
  return (Real.empty() ? File.getName() : Real).str();
}

} // namespace loopscope::instrument
