// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotated functions, function mode.

#include "Instrument/Find/Finder.h"
#include "Instrument/Find/FunctionMode.h"
#include "Instrument/Text/Safety.h"

using namespace clang;

namespace loopscope::instrument {

/// The block for a function's hook; null if there is none.
static const CompoundStmt *functionBlock(const Stmt &Body) {
  const auto *Try = dyn_cast<CXXTryStmt>(&Body);
  return Try ? Try->getTryBlock() : dyn_cast<CompoundStmt>(&Body);
}

/// Whether LOC is in one of FUNCTION's own declarations. An explicit
/// specialization also has its template's attributes.
static bool isInOwnDeclaration(const FunctionDecl &Function, SourceLocation Loc,
                               const SourceManager &SM) {
  return llvm::any_of(Function.redecls(), [&](const FunctionDecl *Each) {
    return !SM.isBeforeInTranslationUnit(Loc, Each->getOuterLocStart()) &&
           !SM.isBeforeInTranslationUnit(Each->getEndLoc(), Loc);
  });
}

void Finder::function(FunctionDecl &Function) {
  std::vector<Mark> Marks =
      marksOf({Function.attrs().begin(), Function.attrs().end()});
  if (Function.getTemplateSpecializationKind() == TSK_ExplicitSpecialization)
    llvm::erase_if(Marks, [&](const Mark &M) {
      return !isInOwnDeclaration(Function, M.Loc, SM);
    });
  llvm::append_range(Marks, Select.function(Function, Scopes.back().Name));
  addFunctionMode(Function, Marks);
  if (Marks.empty())
    return;
  std::string Class = std::string(Function.Decl::getDeclKindName()) + "Decl";
  for (const Mark &M : Marks)
    if (!M.Inherited)
      see(M, Class);
  // An attribute on the definition itself replaces an inherited one.
  llvm::erase_if(Marks, [&](const Mark &M) {
    return M.Inherited && llvm::any_of(Marks, [&](const Mark &Other) {
             return !Other.Inherited && Other.K == M.K;
           });
  });
  if (llvm::any_of(Marks, [](const Mark &M) { return M.K == Kind::Ignore; })) {
    for (const Mark &M : Marks)
      if (!M.Inherited)
        Result.Silent.push_back(Where.expanded(M.Loc));
    return;
  }
  const Stmt *Body = Scopes.back().Body;
  if (!Body) {
    bodyless(Function, Marks);
    return;
  }
  joinBeside(Marks);
  if (Marks.empty() || !holdsHooks(Marks))
    return;
  std::optional<FileRange> Whole = functionBraces(*Body);
  std::optional<Block> Inner =
      Whole ? braces(Whole->File, Whole->Text) : std::nullopt;
  if (!Inner) {
    inMacro(Marks);
    return;
  }
  if (isMadeText(Marks, *Whole))
    return;
  if (holdsMustTail(Body)) {
    refuseAll(Marks, Diag::MustTail);
    return;
  }
  for (const Mark &M : Marks) {
    Annotation A;
    A.F = Form::Block;
    A.Whole = Whole->Text;
    A.Body = *Inner;
    // The body becomes a block of its own, after the guard.
    if (Where.hasFixedStart(*functionBlock(*Body)))
      A.F = Form::Wrap;
    A.AnnotationBegin = A.Whole.Begin;
    add(M, std::move(A), Whole->File);
  }
}

void Finder::addFunctionMode(const FunctionDecl &Function,
                             std::vector<Mark> &Marks) {
  const Stmt *Body = Scopes.back().Body;
  if (!Options.Functions || !Body || Function.isDefaulted() ||
      SM.isInSystemHeader(SM.getExpansionLoc(Function.getLocation())) ||
      llvm::any_of(Marks, [](const Mark &M) { return M.K == Kind::Ignore; }))
    return;
  llvm::StringRef Why = whyLeftOut(Function, *Body);
  if (Why.empty() && isLambda(Function))
    Why = whyLambdaLeftOut(Function);
  if (Why.empty() && CalledByLoader.contains(Function.getCanonicalDecl()))
    Why = "ifunc resolver";
  if (Why.empty() && Options.Select &&
      !(Options.Select->takesFunction(Scopes.back().Name) &&
        Options.Select->takesFile(Where.path(Function.getLocation()))))
    Why = "selection";
  if (Why.empty() &&
      functionSize(Function, *Body) < (isLikelyInlined(Function, *Body)
                                           ? Options.MinInlineSize
                                           : Options.MinSize))
    Why = "small";
  if (Why.empty() && isSmallInProfile(Function, *Body))
    Why = {launch::SmallInProfile.data(), launch::SmallInProfile.size()};
  std::optional<FileRange> Whole = functionBraces(*Body);
  if (Why.empty() &&
      (!Whole || Where.isMadeText({Whole->File, Whole->Text.Begin})))
    Why = "macro";
  Result.Functions.push_back(
      {Where.exactly(Function.getLocation()), Scopes.back().Name, Why.str()});
  if (!Why.empty())
    return;
  // After the others: a phase on this function shows the function as a row.
  Mark M;
  M.K = Kind::Function;
  M.Argument = Scopes.back().Name;
  M.Loc = Function.getLocation();
  Marks.push_back(std::move(M));
}

bool Finder::isSmallInProfile(const FunctionDecl &Function,
                              const Stmt &Body) const {
  if (!Options.Earlier)
    return false;
  SourceLocation Loc = Function.getLocation();
  switch (Options.Earlier->find(
      {Where.path(Loc), Scopes.back().Name, Where.line(Where.expanded(Loc))})) {
  case HookWorth::Worth:
    return false;
  case HookWorth::NotWorth:
    return true;
  case HookWorth::NotWorthWithoutLoop:
    return !hasLoop(Body);
  }
  return false;
}

llvm::StringRef Finder::whyLambdaLeftOut(const FunctionDecl &Function) const {
  if (ConstantDepth || llvm::any_of(Scopes, [&](const FunctionScope &Outer) {
        return Outer.Decl != &Function &&
               (isLambda(*Outer.Decl) ? mayBeConstant(*Outer.Decl)
                                      : Outer.Decl->isConstexpr());
      }))
    return "constexpr";
  if (!NoLambdas.empty())
    return NoLambdas;
  // A macro may use the text twice, or as a string.
  if (Function.getLocation().isMacroID())
    return "macro";
  // Clang treats every lambda as device code too; nvcc only those that say so,
  // and it wraps these in types of its own.
  if (llvm::any_of(Scopes, [](const FunctionScope &Each) {
        const auto *Device = Each.Decl->getAttr<CUDADeviceAttr>();
        return Each.Decl->hasAttr<CUDAGlobalAttr>() ||
               (Device && !Device->isImplicit());
      }))
    return "device code";
  return "";
}

std::optional<FileRange> Finder::functionBraces(const Stmt &Body) const {
  const CompoundStmt *Compound = functionBlock(Body);
  std::optional<FileRange> Whole =
      Compound ? Where.statement(Compound) : std::nullopt;
  return Whole && braces(Whole->File, Whole->Text) ? Whole : std::nullopt;
}

void Finder::bodyless(const FunctionDecl &Function,
                      const std::vector<Mark> &Marks) {
  for (const Mark &M : Marks) {
    if (M.Inherited)
      continue;
    const FunctionDecl *Definition = nullptr;
    bool Defined = Function.isDefined(Definition) && !Function.isDefaulted() &&
                   !Function.isDeleted();
    bool InMain = SM.isInMainFile(SM.getExpansionLoc(M.Loc));
    // A prototype in a header announces a definition that may be in another
    // file.
    if (Defined || (!InMain && !Function.isDefaulted() &&
                    !Function.isDeleted() && !Function.isPureVirtual())) {
      Result.Silent.push_back(Where.expanded(M.Loc));
      continue;
    }
    refuse(M, Diag::NoBody) << info(M.K).Attribute
                            << (Function.isDeleted()       ? 2
                                : Function.isDefaulted()   ? 1
                                : Function.isPureVirtual() ? 3
                                                           : 0);
  }
}

} // namespace loopscope::instrument
