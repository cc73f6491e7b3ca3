// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// From Clang locations to bytes of a file.

#include "Instrument/Text/Places.h"

#include "Instrument/Text/Inclusions.h"

#include "clang/AST/Attr.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"

#include <algorithm>

using namespace clang;

namespace loopscope::instrument {
namespace {

/// Whether the text of S ends before a semicolon that belongs to it.
bool wantsSemicolon(const Stmt *S) {
  for (;;) {
    if (const auto *A = dyn_cast<AttributedStmt>(S))
      S = A->getSubStmt();
    else if (const auto *L = dyn_cast<LabelStmt>(S))
      S = L->getSubStmt();
    else if (const auto *C = dyn_cast<SwitchCase>(S))
      S = C->getSubStmt();
    else if (const auto *I = dyn_cast<IfStmt>(S))
      S = I->getElse() ? I->getElse() : I->getThen();
    else if (const auto *F = dyn_cast<ForStmt>(S))
      S = F->getBody();
    else if (const auto *R = dyn_cast<CXXForRangeStmt>(S))
      S = R->getBody();
    else if (const auto *W = dyn_cast<WhileStmt>(S))
      S = W->getBody();
    else if (const auto *W = dyn_cast<SwitchStmt>(S))
      S = W->getBody();
    else
      break;
    if (!S)
      return false;
  }
  return !isa<CompoundStmt, DeclStmt, NullStmt, CXXTryStmt, SEHTryStmt,
              OMPExecutableDirective>(S);
}

const Stmt *withoutAttributes(const Stmt *S) {
  while (const auto *A = dyn_cast<AttributedStmt>(S))
    S = A->getSubStmt();
  return S;
}

} // namespace

SourcePlace sourcePlace(const SourceManager &SM, SourceLocation L) {
  auto [File, Offset] = SM.getDecomposedExpansionLoc(L);
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(File);
  return {Entry ? Entry->getName().str() : "", SM.getLineNumber(File, Offset),
          SM.getColumnNumber(File, Offset)};
}

std::optional<Place> Places::spelled(SourceLocation L) const {
  while (L.isMacroID()) {
    if (!SM.isMacroArgExpansion(L))
      return std::nullopt;
    L = SM.getImmediateSpellingLoc(L);
  }
  if (L.isInvalid())
    return std::nullopt;
  auto [File, Offset] = SM.getDecomposedLoc(L);
  return Place{File, Offset};
}

Place Places::used(SourceLocation L) const {
  auto [File, Offset] = SM.getDecomposedLoc(SM.getFileLoc(L));
  return {File, Offset};
}

Place Places::expanded(SourceLocation L) const {
  auto [File, Offset] = SM.getDecomposedExpansionLoc(L);
  return {File, Offset};
}

std::optional<FileRange> Places::tokens(SourceLocation Begin,
                                        SourceLocation End) const {
  CharSourceRange R = Lexer::makeFileCharRange(
      CharSourceRange::getTokenRange(Begin, End), SM, Lang);
  if (R.isInvalid())
    return std::nullopt;
  auto [File, First] = SM.getDecomposedLoc(R.getBegin());
  auto [Same, Last] = SM.getDecomposedLoc(R.getEnd());
  if (File != Same || Last < First)
    return std::nullopt;
  return FileRange{File, {First, Last}};
}

/// The semicolon after END in the body of the macro that END comes from, or
/// END.
SourceLocation Places::semicolonInMacro(SourceLocation End) const {
  if (!End.isMacroID())
    return End;
  SourceLocation Spelled = SM.getSpellingLoc(End);
  std::optional<Token> Next = Lexer::findNextToken(Spelled, SM, Lang);
  if (!Next || Next->isNot(tok::semi))
    return End;
  // Tokens of one expansion are as far apart as in the macro's body.
  return End.getLocWithOffset(static_cast<int>(
      SM.getFileOffset(Next->getLocation()) - SM.getFileOffset(Spelled)));
}

Token Places::tokenBehind(const FileRange &R) const {
  // Not from the last character on, because a quote there would begin a
  // literal.
  llvm::StringRef All = text(R.File);
  Lexer Behind(SM.getLocForStartOfFile(R.File), Lang, All.begin(),
               All.begin() + R.Text.End, All.end());
  Token Next;
  Behind.LexFromRawLexer(Next);
  return Next;
}

bool Places::lacksSemicolon(const Stmt *S) const {
  S = withoutAttributes(S);
  // A macro may put one behind its argument.
  if (S->getBeginLoc().isMacroID() || S->getEndLoc().isMacroID())
    return false;
  std::optional<FileRange> R = tokens(S->getBeginLoc(), S->getEndLoc());
  if (!R || !wantsSemicolon(S))
    return false;
  Token Next = tokenBehind(*R);
  unsigned Begin = SM.getFileOffset(Next.getLocation());
  bool IsOnLine = !text(R->File).slice(R->Text.End, Begin).contains('\n');
  // A name on the same line may be a macro with a semicolon in it.
  return Next.isNot(tok::semi) &&
         (Next.isNot(tok::raw_identifier) || !IsOnLine);
}

std::optional<FileRange> Places::statement(const Stmt *S) const {
  S = withoutAttributes(S);
  std::optional<FileRange> R = tokens(S->getBeginLoc(), S->getEndLoc());
  if (!wantsSemicolon(S))
    return R;
  if (!R)
    return tokens(S->getBeginLoc(), semicolonInMacro(S->getEndLoc()));
  Token Next = tokenBehind(*R);
  if (Next.isNot(tok::semi))
    return std::nullopt;
  R->Text.End = SM.getDecomposedLoc(Next.getEndLoc()).second;
  return R;
}

bool Places::isMadeText(const Place &P) const {
  auto Known = MadeText.find(P.File);
  return Known != MadeText.end() &&
         llvm::any_of(Known->second,
                      [&](const Range &R) { return R.contains(P.Offset); });
}

bool Places::hasFixedStart(const CompoundStmt &Block) const {
  const Stmt *First = Block.body_empty() ? nullptr : Block.body_front();
  if (const auto *Labels = dyn_cast_or_null<DeclStmt>(First);
      Labels && isa<LabelDecl>(*Labels->decl_begin()))
    return true;
  std::optional<Place> Brace = spelled(Block.getLBracLoc());
  if (!Brace)
    return Block.hasStoredFPFeatures();
  llvm::StringRef All = text(Brace->File);
  Lexer L(SM.getLocForStartOfFile(Brace->File), Lang, All.begin(),
          All.begin() + Brace->Offset, All.end());
  Token T;
  auto Next = [&] { return !L.LexFromRawLexer(T) && T.isNot(tok::eof); };
  for (bool More = Next() && Next(); More;) {
    if (T.is(tok::hash) && T.isAtStartOfLine()) {
      // Up to the first word on another line.
      llvm::SmallVector<llvm::StringRef, 3> Words;
      while ((More = Next()) && !T.isAtStartOfLine())
        if (Words.size() < 3 && T.is(tok::raw_identifier))
          Words.push_back(T.getRawIdentifier());
      Words.resize(3);
      if (Words[0] == "pragma" &&
          (Words[1] == "STDC" || Words[1] == "float_control" ||
           Words[1].starts_with("fp_") || Words[1].starts_with("fenv_") ||
           (Words[1] == "clang" && Words[2] == "fp")))
        return true;
      continue;
    }
    if (Block.hasStoredFPFeatures())
      return true;
    if (T.isNot(tok::raw_identifier))
      return false;
    llvm::StringRef Name = T.getRawIdentifier();
    // Something that leaves no trace in the tree may be a macro with such a
    // pragma.
    return Name == "_Pragma" ||
           (!Name.starts_with("LOOPSCOPE_") &&
            (!First || expanded(First->getBeginLoc()).Offset >
                           SM.getFileOffset(T.getLocation())));
  }
  return false;
}

std::optional<FileRange> Places::attributed(const Stmt *S) const {
  std::optional<FileRange> R = statement(S);
  while (const auto *A = dyn_cast<AttributedStmt>(S)) {
    for (const Attr *Each : A->getAttrs()) {
      Range Text = attribute(Each->getLocation());
      if (R && expanded(Each->getLocation()).File == R->File)
        R->Text.Begin = std::min(R->Text.Begin, Text.Begin);
    }
    S = A->getSubStmt();
  }
  return R;
}

Range Places::attribute(SourceLocation L) const {
  Place P = spelled(L).value_or(expanded(L));
  if (const AttributeList *List = scan(P.File).listAt(P.Offset))
    return List->Text;
  P = used(L);
  const SourceText &Scan = scan(P.File);
  for (const MacroUse &Use : Scan.Macros)
    if (Use.Text.contains(P.Offset))
      return Use.Text;
  unsigned Length =
      Lexer::MeasureTokenLength(location(P.File, P.Offset), SM, Lang);
  return {P.Offset, P.Offset + Length};
}

const SourceText &Places::scan(FileID File) const {
  auto [Entry, New] = Scans.try_emplace(File);
  if (New && mentionsLoopscope(text(File)))
    Entry->second = scanText(text(File), Lang);
  return Entry->second;
}

const std::vector<LoopPragma> &Places::loopPragmas(FileID File) const {
  auto [Entry, New] = Pragmas.try_emplace(File);
  if (New && text(File).contains("pragma"))
    Entry->second = scanText(text(File), Lang).Pragmas;
  return Entry->second;
}

llvm::StringRef Places::text(FileID File) const {
  return SM.getBufferData(File);
}

SourceLocation Places::location(FileID File, unsigned Offset) const {
  return SM.getLocForStartOfFile(File).getLocWithOffset(
      static_cast<int>(Offset));
}

std::string Places::path(SourceLocation L) const {
  OptionalFileEntryRef Entry = SM.getFileEntryRefForID(expanded(L).File);
  return Entry ? absolutePath(*Entry) : std::string();
}

std::string Places::exactly(clang::SourceLocation L) const {
  Place P = expanded(L);
  return path(L) + ":" + std::to_string(line(P)) + ":" +
         std::to_string(SM.getColumnNumber(P.File, P.Offset));
}

unsigned Places::line(const Place &P) const {
  return SM.getLineNumber(P.File, P.Offset);
}

} // namespace loopscope::instrument
