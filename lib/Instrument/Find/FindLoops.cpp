// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotated loops and their samples.

#include "Instrument/Find/Finder.h"
#include "Instrument/Text/Safety.h"

#include "clang/AST/ExprCXX.h"

using namespace clang;

namespace loopscope::instrument {

bool Finder::oneLoopKind(const std::vector<Mark> &Marks) {
  const Mark *First = nullptr;
  for (const Mark &M : Marks) {
    if (!isLoopKind(M.K))
      continue;
    if (First) {
      refuse(M, Diag::TwoLoopKinds)
          << info(First->K).Attribute << info(M.K).Attribute;
      return false;
    }
    First = &M;
  }
  return true;
}

bool Finder::loop(const Mark &M, const Stmt *Loop, FileID File, Annotation &A) {
  const Stmt *Body = nullptr;
  if (const auto *For = dyn_cast<ForStmt>(Loop))
    Body = For->getBody();
  else if (const auto *ForRange = dyn_cast<CXXForRangeStmt>(Loop))
    Body = ForRange->getBody();
  else if (const auto *While = dyn_cast<WhileStmt>(Loop))
    Body = While->getBody();
  else if (const auto *Do = dyn_cast<DoStmt>(Loop))
    Body = Do->getBody();
  std::optional<FileRange> R = Body ? Where.attributed(Body) : std::nullopt;
  if (!R || R->File != File)
    return inMacro({M});
  if (isJumpedInto(Scopes.back().Body, Body))
    return jumpedInto({M});
  A.F = Form::Loop;
  const auto *Compound = dyn_cast<CompoundStmt>(Body);
  if (std::optional<Block> Inner = Compound && !Where.hasFixedStart(*Compound)
                                       ? braces(File, R->Text)
                                       : std::nullopt)
    A.Body = *Inner;
  else
    A.Body = {R->Text, false};
  return spanAmounts(M, A) &&
         llvm::all_of(quantities(), [&](const QuantityInfo &I) {
           return !I.isOfSteps(M.K) || stepAmount(M, I, Body, A);
         });
}

/// The attribute that gives the amount of M.
static llvm::StringRef sayerOf(const Mark &M, const QuantityInfo &I) {
  return info(I.By ? *I.By : M.K).Attribute;
}

bool Finder::amount(const Mark &M, const QuantityInfo &I, Annotation &A,
                    std::vector<std::string> &Names) {
  if (M.Amounts[I.Q].Text.empty())
    return true;
  bool HasComma = false;
  llvm::StringRef Text = llvm::StringRef(M.Amounts[I.Q].Text).trim();
  std::string Why =
      checkExpression(Text, Context.getLangOpts(), Names, HasComma);
  if (!Why.empty()) {
    refuse(M, Diag::SamplesExpression) << sayerOf(M, I) << Why << I.Name;
    return false;
  }
  if (I.Q == Quantity::Key && changesSomething(Text, Context.getLangOpts())) {
    refuse(M, Diag::KeyEffects) << Text;
    return false;
  }
  if (bool IsCxx = Context.getLangOpts().CPlusPlus;
      I.Q == Quantity::Key && objectOfKey(Text) &&
      !(IsCxx && Context.getLangOpts().RTTI)) {
    refuse(M, Diag::KeyType) << Text << IsCxx;
    return false;
  }
  A.Amounts[I.Q].Text = HasComma ? "(" + Text.str() + ")" : Text.str();
  return true;
}

std::vector<const Stmt *> declarationsOf(const Stmt &S) {
  if (isa<DeclStmt>(S))
    return {&S};
  if (const auto *For = dyn_cast<ForStmt>(&S))
    return {For->getInit(), For->getConditionVariableDeclStmt()};
  if (const auto *Range = dyn_cast<CXXForRangeStmt>(&S))
    return {Range->getInit(), Range->getLoopVarStmt()};
  if (const auto *While = dyn_cast<WhileStmt>(&S))
    return {While->getConditionVariableDeclStmt()};
  if (const auto *If = dyn_cast<IfStmt>(&S))
    return {If->getInit(), If->getConditionVariableDeclStmt()};
  if (const auto *Switch = dyn_cast<SwitchStmt>(&S))
    return {Switch->getInit(), Switch->getConditionVariableDeclStmt()};
  return {};
}

void Finder::refuseLaterNames(std::vector<Mark> &Marks, const Stmt &S) {
  llvm::erase_if(Marks, [&](const Mark &M) {
    // An epoch's span begins in the body.
    const SaidAmount &Key = M.Amounts[Quantity::Key];
    if (Key.Text.empty() || isLoopKind(M.K))
      return false;
    std::vector<std::string> Names;
    bool HasComma = false;
    checkExpression(Key.Text, Context.getLangOpts(), Names, HasComma);
    for (const std::string &Name : Names)
      for (const Stmt *Each : declarationsOf(S))
        if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(Each);
            Declaration && declares(*Declaration, {Name})) {
          refuse(M, Diag::KeyScope) << Name << isa<DeclStmt>(S);
          return true;
        }
    return false;
  });
}

bool Finder::spanAmounts(const Mark &M, Annotation &A) {
  std::vector<std::string> Unused;
  return llvm::all_of(quantities(), [&](const QuantityInfo &I) {
    return I.isOfSteps(M.K) || amount(M, I, A, Unused);
  });
}

bool Finder::stepAmount(const Mark &M, const QuantityInfo &I, const Stmt *Body,
                        Annotation &A) {
  std::vector<std::string> Names;
  if (!amount(M, I, A, Names))
    return false;
  const auto *Compound = dyn_cast<CompoundStmt>(Body);
  if (!Compound)
    return true;
  for (const auto *Position = Compound->body_begin();
       Position != Compound->body_end(); ++Position) {
    const Stmt *Each = *Position;
    while (const auto *Label = dyn_cast<LabelStmt>(Each))
      Each = Label->getSubStmt();
    const auto *Declaration = dyn_cast<DeclStmt>(Each);
    if (!Declaration || !declares(*Declaration, Names))
      continue;
    std::optional<FileRange> R = Where.statement(Declaration);
    if (!R) {
      refuse(M, Diag::SamplesMacro) << sayerOf(M, I) << I.Name;
      return false;
    }
    A.Amounts[I.Q].At = R->Text.End;
    // In C++, no jump may pass a declaration, and hooks are declarations.
    std::vector<const Stmt *> Behind(std::next(Position), Compound->body_end());
    if (Context.getLangOpts().CPlusPlus &&
        isJumpedInto(Scopes.back().Body, Behind))
      return jumpedInto({M});
  }
  return true;
}

bool Finder::declares(const DeclStmt &S,
                      const std::vector<std::string> &Names) {
  auto Named = [&](const NamedDecl *D) {
    return D->getIdentifier() && llvm::is_contained(Names, D->getName());
  };
  for (const Decl *D : S.decls()) {
    if (const auto *Decomposition = dyn_cast<DecompositionDecl>(D)) {
      if (llvm::any_of(Decomposition->bindings(), Named))
        return true;
    } else if (const auto *Variable = dyn_cast<VarDecl>(D);
               Variable && Named(Variable)) {
      return true;
    }
  }
  return false;
}

} // namespace loopscope::instrument
