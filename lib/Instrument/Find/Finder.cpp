// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What all annotated constructs have in common.

#include "Instrument/Find/Finder.h"
#include "Instrument/Find/KeyNames.h"
#include "Instrument/Text/Loops.h"
#include "Instrument/Text/Safety.h"

#include "clang/AST/ExprCXX.h"
#include "clang/Basic/CharInfo.h"

#include <algorithm>

using namespace clang;

namespace loopscope::instrument {

void leaveOut(std::vector<launch::FunctionOutcome> &Functions,
              llvm::StringRef Place, llvm::StringRef Why) {
  for (launch::FunctionOutcome &Each : Functions)
    if (Each.Place == Place)
      Each.LeftOut = Why;
}

bool Finder::isForeign(const Decl &D) const {
  return D.getLocation().isValid() &&
         isa<TranslationUnitDecl>(D.getLexicalDeclContext()) &&
         SM.isInSystemHeader(SM.getExpansionLoc(D.getLocation()));
}

DiagnosticBuilder Finder::refuse(const Mark &M, Diag D) {
  ++Result.Refused;
  if (M.Rule >= 0)
    Result.RefusedRules.insert(static_cast<unsigned>(M.Rule));
  return report(Context.getDiagnostics(), M.Loc, D);
}

void Finder::see(const Mark &M, llvm::StringRef Construct) {
  for (Place P : {Where.expanded(M.Loc), Where.used(M.Loc)})
    Result.Seen.insert({P.File, P.Offset});
  if (std::optional<Place> Spelled = Where.spelled(M.Loc))
    Result.Seen.insert({Spelled->File, Spelled->Offset});
  FoundMark Each;
  Each.Where = sourcePlace(SM, M.Loc);
  Each.K = M.K;
  Each.Argument = M.Argument;
  for (const QuantityInfo &I : quantities())
    Each.Amounts[I.Q] = M.Amounts[I.Q].Text;
  Each.KeyLabel = M.KeyLabel;
  Each.Rule = M.Rule;
  Each.Construct = Construct;
  Each.Function = Scopes.empty() ? "" : Scopes.back().Name;
  if (M.K == Kind::Function)
    Each.From = Origin::FunctionMode;
  else if (M.Rule >= 0)
    Each.From = Origin::Selection;
  else if (!Where.spelled(M.Loc)) {
    Place P = Where.expanded(M.Loc);
    Each.From = Origin::Macro;
    Each.Macro = Where.text(P.File).drop_front(P.Offset).take_while(
        [](char C) { return isAsciiIdentifierContinue(C); });
  }
  Result.Marks.push_back(std::move(Each));
}

std::vector<Mark> Finder::marksOf(llvm::ArrayRef<const Attr *> Attributes) {
  std::vector<Mark> Marks;
  for (const Attr *Each : Attributes)
    if (std::optional<Mark> M = readMark(*Each))
      Marks.push_back(*M);
  return Marks;
}

namespace {
/// What an attribute gets that nothing beside it can have.
Diag misplaced(Kind K) {
  return K == Kind::Iterations ? Diag::IterationsPlace
         : K == Kind::Key      ? Diag::KeyPlace
                               : Diag::AmountPlace;
}
} // namespace

void Finder::joinBeside(std::vector<Mark> &Marks) {
  bool IsClear = true;
  for (const Mark &Said : Marks) {
    if (!isBesideKind(Said.K))
      continue;
    const QuantityInfo &Gives = *quantityOf(Said.K);
    Mark *Of = nullptr;
    bool Several = false;
    for (Mark &M : Marks)
      if (Gives.MayHave(M.K)) {
        Several |= Of != nullptr;
        Of = &M;
      }
    if (Of && !Several && Of->Amounts[Gives.Q].Text.empty()) {
      Of->Amounts[Gives.Q] = {Said.Argument, Said.Loc};
      if (Gives.Q == Quantity::Key)
        Of->KeyLabel = Said.KeyLabel;
    } else {
      refuse(Said, misplaced(Said.K)) << (!Of       ? 0
                                          : Several ? 1
                                                    : 2)
                                      << info(Said.K).Attribute;
      IsClear = false;
    }
  }
  llvm::erase_if(Marks, [&](const Mark &M) {
    return isBesideKind(M.K) || (!IsClear && M.K != Kind::Function);
  });
}

bool Finder::holdsHooks(const std::vector<Mark> &Marks) {
  std::optional<Diag> Why;
  if (Scopes.empty())
    Why = Diag::OutsideFunction;
  else if (ConstantDepth)
    Why = Diag::Constant;
  else
    Why = whyNoHooks(*Scopes.back().Decl);
  if (Why)
    refuseAll(Marks, *Why);
  return !Why;
}

void Finder::refuseAll(const std::vector<Mark> &Marks, Diag D) {
  for (const Mark &M : Marks)
    refuse(M, D) << info(M.K).Attribute;
}

bool Finder::inMacro(const std::vector<Mark> &Marks) {
  refuseAll(Marks, Diag::InMacro);
  return false;
}

bool Finder::isMadeText(const std::vector<Mark> &Marks, const FileRange &Code) {
  if (!Where.isMadeText({Code.File, Code.Text.Begin}))
    return false;
  refuseAll(Marks, Diag::MadeText);
  return true;
}

bool Finder::jumpedInto(const std::vector<Mark> &Marks) {
  refuseAll(Marks, Diag::JumpedInto);
  return false;
}

bool Finder::leftBehind(const std::vector<Mark> &Marks,
                        llvm::ArrayRef<const Stmt *> Inside) {
  if (holdsMustTail(Inside))
    refuseAll(Marks, Diag::MustTail);
  else if (mayJumpOut(Scopes.back().Body, Inside))
    refuseAll(Marks, Diag::JumpsOut);
  else
    return false;
  return true;
}

void Finder::add(const Mark &M, Annotation A, FileID File, const Stmt *Loop) {
  Place P = Where.used(M.Loc);
  A.K = M.K;
  bool Named =
      (isNamedKind(M.K) || M.K == Kind::Function) && !M.Argument.empty();
  A.Name = Named ? M.Argument : info(M.K).Attribute.str();
  for (const Found &Earlier : Result.Annotations)
    if (Earlier.Attribute.File == P.File &&
        Earlier.Attribute.Offset == P.Offset && Earlier.A.K == A.K &&
        Earlier.A.Name == A.Name && Earlier.A.Whole == A.Whole)
      return;
  if (!isLoopKind(M.K) && !spanAmounts(M, A))
    return;
  llvm::StringRef Key = llvm::StringRef(M.Amounts[Quantity::Key].Text).trim();
  A.KeyLabel = M.KeyLabel.empty() ? Key.str() : M.KeyLabel;
  unsigned Start = Loop ? A.Body.Text.Begin : A.Whole.Begin;
  if (!Key.empty())
    A.KeyNames = keyNames(
        Context, {Scopes, Parents, Loop, SM.getComposedLoc(File, Start)}, Key);
  A.Function = Scopes.back().Name;
  const FunctionDecl &Decl = *Scopes.back().Decl;
  A.IsExternInline = !Decl.getASTContext().getLangOpts().CPlusPlus &&
                     Decl.isInlined() && Decl.isExternallyVisible();
  A.Line = P.File == File && !M.Inherited ? Where.line(P)
                                          : Where.line({File, A.Whole.Begin});
  Found F{std::move(A),       File,  P,     std::nullopt, {}, {},
          Scopes.back().Decl, M.Loc, M.Rule};
  if (M.Loc.isFileID() || Where.spelled(M.Loc))
    F.Raw = Where.spelled(M.Loc);
  for (const QuantityInfo &I : quantities())
    if (SourceLocation Loc = M.Amounts[I.Q].Loc; Loc.isValid())
      if (std::optional<Place> Spelled = Where.spelled(Loc))
        F.BesideRaw.push_back(*Spelled);
  const FunctionDecl *Outer = Scopes.front().Decl;
  if (auto Text = Where.tokens(Outer->getBeginLoc(), Outer->getEndLoc()))
    F.FunctionText = Text->Text;
  else
    F.FunctionText = F.A.Whole;
  Result.Annotations.push_back(std::move(F));
}

void Finder::seeForHints(const Stmt &S) {
  if (Scopes.back().Seen >= Result.Project.size())
    return;
  SeenFunction &Seen = Result.Project[Scopes.back().Seen];
  if (const auto *Call = dyn_cast<CallExpr>(&S)) {
    auto [Callee, Plain] = calleeNames(*Call);
    // A lambda is called by its variable.
    if (llvm::StringRef(Callee).ends_with("(lambda)"))
      Callee = Plain;
    bool Operator = llvm::StringRef(Plain).starts_with("operator");
    if (!Callee.empty() && !(Operator && isa<CXXOperatorCallExpr>(Call)) &&
        !llvm::is_contained(Seen.Calls, Callee))
      Seen.Calls.push_back(std::move(Callee));
    return;
  }
  std::vector<std::string> Names = loopNames(S);
  const char *Word = isa<DoStmt>(S)      ? "do"
                     : isa<WhileStmt>(S) ? "while"
                                         : "for";
  Seen.Loops.push_back(
      (llvm::Twine(Scopes.back().Loops) + ": " + Word +
       (Names.empty() ? llvm::Twine() : " " + llvm::Twine(Names.front())))
          .str());
}

std::optional<Block> Finder::braces(FileID File, Range Text) const {
  llvm::StringRef All = Where.text(File).slice(Text.Begin, Text.End);
  unsigned Open = All.starts_with("{") ? 1 : All.starts_with("<%") ? 2 : 0;
  unsigned Close = All.ends_with("}") ? 1 : All.ends_with("%>") ? 2 : 0;
  if (!Open || !Close)
    return std::nullopt;
  return Block{{Text.Begin + Open, Text.End - Close}, true};
}

unsigned Finder::annotationBegin(const std::vector<Mark> &Marks, FileID File,
                                 unsigned Begin) const {
  for (const Mark &M : Marks)
    if (Where.expanded(M.Loc).File == File)
      Begin = std::min(Begin, Where.attribute(M.Loc).Begin);
  return Begin;
}

unsigned Finder::behindOurs(FileID File, unsigned Offset) const {
  const SourceText &Scan = Where.scan(File);
  llvm::StringRef All = Where.text(File);
  for (;;) {
    unsigned End = Offset;
    const AttributeList *List = Scan.listAt(Offset);
    if (List && List->Text.Begin == Offset &&
        llvm::all_of(List->Entries,
                     [](const AttributeEntry &E) { return E.Ours; }))
      End = List->Text.End;
    for (const MacroUse &Use : Scan.Macros)
      if (Use.Text.Begin == Offset)
        End = Use.Text.End;
    if (End == Offset)
      return Offset;
    Offset = End;
    while (Offset < All.size() && isWhitespace(All[Offset]))
      ++Offset;
    // A directive's line can't begin with a hook.
    llvm::StringRef Rest = All.drop_front(Offset);
    if (Rest.starts_with("#") || Rest.starts_with("%:"))
      return End;
  }
}

unsigned Finder::parentBlock(FileID File) const {
  if (Parents.size() <= Scopes.back().FirstParent)
    return 0;
  const auto *Compound = dyn_cast<CompoundStmt>(Parents.back());
  std::optional<Place> P =
      Compound ? Where.spelled(Compound->getLBracLoc()) : std::nullopt;
  return P && P->File == File ? P->Offset + 1 : 0;
}

void Finder::enter(const FunctionDecl &Function, const Stmt *Body) {
  Scopes.push_back({&Function, Body, functionName(Function), Parents.size()});
  if (!Options.Select || (!Body && !Function.hasSkippedBody()))
    return;
  Scopes.back().Seen = Result.Project.size();
  Result.Project.push_back(
      {Scopes.back().Name, parameterTypes(Function), {}, {}});
}

void Finder::refuseCalledByCompiler() {
  llvm::erase_if(Result.Annotations, [&](const Found &F) {
    if (!CalledByCompiler.contains(F.Function->getCanonicalDecl()))
      return false;
    if (F.A.K == Kind::Function) {
      leaveOut(Result.Functions, Where.exactly(F.Loc), "constexpr");
      return true;
    }
    Mark M;
    M.K = F.A.K;
    M.Loc = F.Loc;
    M.Rule = F.Rule;
    refuse(M, Diag::CalledByCompiler) << info(F.A.K).Attribute;
    return true;
  });
}

} // namespace loopscope::instrument
