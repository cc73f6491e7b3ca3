// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Records what the preprocessor sees.

#include "Instrument/Text/Inclusions.h"

#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/MacroArgs.h"
#include "clang/Lex/MacroInfo.h"
#include "clang/Lex/PPCallbacks.h"
#include "llvm/Support/Path.h"

#include <algorithm>

using namespace clang;

namespace loopscope::instrument {
namespace {

class Watcher : public PPCallbacks {
public:
  Watcher(Preprocessor &PP, PreprocessorLog &Log)
      : PP(PP), SM(PP.getSourceManager()), Lang(PP.getLangOpts()), Log(Log) {}

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
                   File->getName().str(),
                   Breaks});
  }

  void EmbedDirective(SourceLocation Hash, StringRef Name, bool IsAngled,
                      OptionalFileEntryRef File,
                      const LexEmbedParametersResult &) override {
    if (!Hash.isFileID())
      return;
    noteUse(Hash, /*Before=*/2, Name, IsAngled, File); // `# embed`
  }

  void HasEmbed(SourceLocation Parenthesis, StringRef Name, bool IsAngled,
                OptionalFileEntryRef File) override {
    if (!Parenthesis.isFileID())
      return;
    noteUse(Parenthesis, /*Before=*/1, Name, IsAngled, File);
  }

  void HasInclude(SourceLocation Loc, StringRef Name, bool IsAngled,
                  OptionalFileEntryRef File,
                  SrcMgr::CharacteristicKind) override {
    // A macro whose body asks is edited nowhere: its definition may serve files
    // in several directories.
    if (!Loc.isFileID() && !SM.isAtStartOfImmediateMacroExpansion(Loc))
      return;
    if (SM.getFileCharacteristic(Loc) == SrcMgr::C_User && noteNext(Loc, File))
      return;
    noteUse(SM.getExpansionLoc(Loc), /*Before=*/0, Name, IsAngled, File);
  }

  void SourceRangeSkipped(SourceRange Range, SourceLocation) override {
    auto [File, Begin] = SM.getDecomposedExpansionLoc(Range.getBegin());
    unsigned End = SM.getFileOffset(SM.getExpansionLoc(Range.getEnd()));
    Log.Skipped[File].push_back({Begin, End});
  }

  void MacroDefined(const Token &Name, const MacroDirective *MD) override {
    if (llvm::any_of(MD->getMacroInfo()->tokens(), [](const Token &T) {
          const IdentifierInfo *Identifier = T.getIdentifierInfo();
          return Identifier && (Identifier->isStr("cleanup") ||
                                Identifier->isStr("__cleanup__"));
        }))
      CleanupMacros.insert(MD->getMacroInfo());
    if (Name.getIdentifierInfo() &&
        Name.getIdentifierInfo()->isStr("LOOPSCOPE_PHASE"))
      Log.HasMacros = true;
    if (!Name.getIdentifierInfo() || SM.isInSystemHeader(Name.getLocation()))
      return;
    // The macros that hooks.h expands to, except names of our own.
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

  void MacroExpands(const Token &, const MacroDefinition &Definition,
                    SourceRange Use, const MacroArgs *Arguments) override {
    const MacroInfo *Macro = Definition.getMacroInfo();
    Log.UsesCleanup |= CleanupMacros.contains(Macro) &&
                       !SM.isInSystemHeader(SM.getExpansionLoc(Use.getBegin()));
    if (!Arguments || !Macro ||
        SM.isInSystemHeader(SM.getExpansionLoc(Use.getBegin())))
      return;
    for (unsigned Parameter : madeText(*Macro))
      if (Parameter < Arguments->getNumMacroArguments())
        noteMadeText(Arguments->getUnexpArgument(Parameter));
  }

private:
  /// The parameters that MACRO stringizes or pastes.
  const std::vector<unsigned> &madeText(const MacroInfo &Macro) {
    auto [Known, New] = TextParameters.try_emplace(&Macro);
    if (!New)
      return Known->second;
    ArrayRef<Token> Body = Macro.tokens();
    auto Note = [&](size_t I) {
      const IdentifierInfo *Name =
          I < Body.size() ? Body[I].getIdentifierInfo() : nullptr;
      int Parameter = Name ? Macro.getParameterNum(Name) : -1;
      if (Parameter >= 0)
        Known->second.push_back(static_cast<unsigned>(Parameter));
    };
    for (size_t I = 0; I < Body.size(); ++I) {
      if (Body[I].is(tok::hash) && I + 1 < Body.size() &&
          Body[I + 1].getIdentifierInfo() &&
          Body[I + 1].getIdentifierInfo()->isStr("__VA_OPT__"))
        // Its whole operand.
        for (size_t J = I + 2; J < Body.size() && Body[J].isNot(tok::r_paren);
             ++J)
          Note(J);
      if (Body[I].is(tok::hash))
        Note(I + 1);
      if (Body[I].isNot(tok::hashhash) || I == 0)
        continue;
      Note(I - 1);
      // GNU's `, ## __VA_ARGS__` only drops the comma.
      if (Body[I - 1].isNot(tok::comma))
        Note(I + 1);
    }
    return Known->second;
  }

  /// If OPERAND is that of a `__has_include_next`, records what it found: in a
  /// copy, the search for the next file would start elsewhere.
  bool noteNext(SourceLocation Operand, OptionalFileEntryRef File) {
    auto [Includer, Begin] = SM.getDecomposedExpansionLoc(Operand);
    StringRef All = SM.getBufferData(Includer);
    StringRef Before = All.take_front(Begin).rtrim();
    if (!Before.consume_back("("))
      return false;
    StringRef Keyword = "__has_include_next";
    Before = Before.rtrim();
    size_t End = All.find(')', Begin);
    if (!Before.ends_with(Keyword) || End == StringRef::npos)
      return false;
    unsigned From = static_cast<unsigned>(Before.size() - Keyword.size());
    unsigned To = static_cast<unsigned>(All.take_front(End).rtrim().size());
    add(Includer, {SM.getLineNumber(Includer, Begin),
                   {From, static_cast<unsigned>(Before.size())},
                   {Begin, File ? To : static_cast<unsigned>(End + 1)},
                   File ? absolutePath(*File) : "",
                   File ? File->getName().str() : "",
                   true});
    return true;
  }

  /// Records that FILE is named at LOC, other than in an #include: after BEFORE
  /// more tokens comes "NAME", or a macro that stands for it alone.
  void noteUse(SourceLocation Loc, unsigned Before, StringRef Name,
               bool IsAngled, OptionalFileEntryRef File) {
    if (!File || IsAngled || SM.getFileCharacteristic(Loc) != SrcMgr::C_User)
      return;
    auto [Includer, Offset] = SM.getDecomposedLoc(Loc);
    if (!isBeside(Includer, Name, *File))
      return;
    StringRef All = SM.getBufferData(Includer);
    Lexer L(SM.getLocForStartOfFile(Includer), Lang, All.begin(),
            All.begin() + Offset, All.end());
    Token T;
    for (unsigned I = 0; I <= Before; ++I)
      L.LexFromRawLexer(T);
    unsigned Begin = SM.getFileOffset(T.getLocation());
    unsigned End = Begin + T.getLength();
    if (T.is(tok::raw_identifier)) {
      const MacroInfo *Macro =
          PP.getMacroInfo(PP.getIdentifierInfo(T.getRawIdentifier()));
      if (!Macro || (Macro->isObjectLike() && Macro->getNumTokens() != 1))
        return;
      unsigned Depth = 0;
      while (Macro->isFunctionLike() && !L.LexFromRawLexer(T)) {
        End = SM.getFileOffset(T.getLocation()) + T.getLength();
        Depth += T.is(tok::l_paren);
        Depth -= T.is(tok::r_paren);
        if (Depth == 0)
          break;
      }
    } else if (T.isNot(tok::string_literal)) {
      return;
    }
    add(Includer, {SM.getLineNumber(Includer, Begin),
                   {Begin, Begin},
                   {Begin, End},
                   absolutePath(*File),
                   beside(Includer, Name),
                   true});
  }

  /// Records where the tokens from FIRST to the end of the argument are
  /// spelled.
  void noteMadeText(const Token *First) {
    std::map<FileID, Range> Texts;
    for (const Token *T = First; T->isNot(tok::eof); ++T) {
      SourceLocation Spelled = SM.getSpellingLoc(T->getLocation());
      if (Spelled.isInvalid() || SM.isWrittenInScratchSpace(Spelled) ||
          SM.isInSystemHeader(Spelled))
        continue;
      auto [File, Begin] = SM.getDecomposedLoc(Spelled);
      unsigned End = Begin + T->getLength();
      auto [Known, New] = Texts.try_emplace(File, Range{Begin, End});
      Known->second = {std::min(Known->second.Begin, Begin),
                       std::max(Known->second.End, End)};
    }
    for (const auto &[File, Text] : Texts)
      Log.MadeText[File].push_back(Text);
  }

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

  /// NAME in the includer's directory, as the includer is named.
  std::string beside(FileID Includer, StringRef Name) const {
    OptionalFileEntryRef Entry = SM.getFileEntryRefForID(Includer);
    if (!Entry)
      return Name.str();
    llvm::SmallString<256> Path(llvm::sys::path::parent_path(Entry->getName()));
    llvm::sys::path::append(Path, Name);
    return Path.str().str();
  }

  /// Whether NAME, looked up in the includer's directory, is FILE.
  bool isBeside(FileID Includer, StringRef Name, FileEntryRef File) const {
    if (llvm::sys::path::is_absolute(Name))
      return false;
    OptionalFileEntryRef Beside =
        SM.getFileManager().getOptionalFileRef(beside(Includer, Name));
    return Beside && *Beside == File;
  }

  Preprocessor &PP;
  const SourceManager &SM;
  const LangOptions &Lang;
  PreprocessorLog &Log;
  std::map<const MacroInfo *, std::vector<unsigned>> TextParameters;
  std::set<const MacroInfo *> CleanupMacros; ///< That may expand to one.
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
