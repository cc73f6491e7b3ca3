// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks, then the function, its class, the functions around it, and at last
// the namespaces.

#include "Instrument/Find/ScopeLookup.h"

#include "Instrument/Find/FunctionMode.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/DeclTemplate.h"
#include "clang/AST/StmtCXX.h"
#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace loopscope::instrument {

static bool isNamed(const NamedDecl &D, llvm::StringRef Name) {
  const IdentifierInfo *Id = D.getIdentifier();
  return Id && Id->getName() == Name;
}

bool ScopeLookup::isVisible(const NamedDecl &D) const {
  const SourceManager &SM = Context.getSourceManager();
  return llvm::any_of(D.redecls(), [&](const Decl *Each) {
    return Each->getLocation().isInvalid() ||
           SM.isBeforeInTranslationUnit(Each->getLocation(), Place.At);
  });
}

ScopeLookup::Names ScopeLookup::pick(DeclContext::lookup_result From,
                                     bool IsTag, bool MustPrecede) const {
  Names Result;
  for (NamedDecl *Each : From) {
    const NamedDecl *D = Each->getUnderlyingDecl();
    if (MustPrecede && !isVisible(*Each))
      continue;
    if (!Context.getLangOpts().CPlusPlus && isa<TagDecl>(D) != IsTag)
      continue;
    Result.push_back(D);
  }
  // Anything else hides a tag.
  if (llvm::any_of(Result, [](const NamedDecl *D) { return !isa<TagDecl>(D); }))
    llvm::erase_if(Result, [](const NamedDecl *D) { return isa<TagDecl>(D); });
  return Result;
}

/// What the declarations of S call NAME; the last one counts.
static const NamedDecl *declaredBy(const Stmt *S, llvm::StringRef Name) {
  while (S) {
    if (const auto *Label = dyn_cast<LabelStmt>(S))
      S = Label->getSubStmt();
    else if (const auto *Case = dyn_cast<SwitchCase>(S))
      S = Case->getSubStmt();
    else if (const auto *Attributed = dyn_cast<AttributedStmt>(S))
      S = Attributed->getSubStmt();
    else
      break;
  }
  const NamedDecl *Result = nullptr;
  if (const auto *Declaration = dyn_cast_or_null<DeclStmt>(S))
    for (const Decl *Each : Declaration->decls()) {
      if (const auto *Parts = dyn_cast<DecompositionDecl>(Each))
        for (const BindingDecl *Part : Parts->bindings())
          Result = isNamed(*Part, Name) ? Part : Result;
      // The enumerators of a local enumeration are in the block.
      if (const auto *Enum = dyn_cast<EnumDecl>(Each);
          Enum && !Enum->isScoped())
        for (const EnumConstantDecl *Constant : Enum->enumerators())
          Result = isNamed(*Constant, Name) ? Constant : Result;
      const auto *Named = dyn_cast<NamedDecl>(Each);
      Result = Named && isNamed(*Named, Name) ? Named : Result;
    }
  return Result;
}

ScopeLookup::Names ScopeLookup::inBlock(const Stmt &S,
                                        llvm::StringRef Name) const {
  const NamedDecl *Result = nullptr;
  auto See = [&](const Stmt *Each) {
    if (const NamedDecl *D = declaredBy(Each, Name); D && isVisible(*D))
      Result = D->getUnderlyingDecl();
  };
  if (const auto *Compound = dyn_cast<CompoundStmt>(&S))
    llvm::for_each(Compound->body(), See);
  else
    llvm::for_each(declarationsOf(S), See);
  if (const auto *Catch = dyn_cast<CXXCatchStmt>(&S))
    if (const VarDecl *D = Catch->getExceptionDecl(); D && isNamed(*D, Name))
      Result = D;
  return Result ? Names{Result} : Names{};
}

/// The class that FUNCTION is a member of or, for a friend, written in; or what
/// is around it.
static const DeclContext *classAround(const FunctionDecl &Function) {
  return Function.getFriendObjectKind() == Decl::FOK_None
             ? Function.getDeclContext()
             : Function.getLexicalDeclContext();
}

/// Adds what LIST declares as NAME.
static void addParameter(const TemplateParameterList *List,
                         llvm::StringRef Name, ScopeLookup::Names &To) {
  if (List)
    for (const NamedDecl *Each : *List)
      if (isNamed(*Each, Name))
        To.push_back(Each);
}

/// The same for all template parameters of FUNCTION and of its classes.
static ScopeLookup::Names templateParameters(const FunctionDecl &Function,
                                             llvm::StringRef Name) {
  ScopeLookup::Names Result;
  if (const auto *Template = Function.getDescribedFunctionTemplate())
    addParameter(Template->getTemplateParameters(), Name, Result);
  for (unsigned I = 0; I < Function.getNumTemplateParameterLists(); ++I)
    addParameter(Function.getTemplateParameterList(I), Name, Result);
  for (const DeclContext *In = classAround(Function); In->isRecord();
       In = In->getParent()) {
    const auto *Class = cast<RecordDecl>(In);
    if (const auto *Partial =
            dyn_cast<ClassTemplatePartialSpecializationDecl>(Class))
      addParameter(Partial->getTemplateParameters(), Name, Result);
    else if (const auto *Cxx = dyn_cast<CXXRecordDecl>(Class))
      if (const auto *Template = Cxx->getDescribedClassTemplate())
        addParameter(Template->getTemplateParameters(), Name, Result);
  }
  return Result;
}

ScopeLookup::Names ScopeLookup::inFunction(size_t Scope,
                                           llvm::StringRef Name) const {
  const FunctionScope &In = Place.Scopes[Scope];
  size_t End = Scope + 1 == Place.Scopes.size()
                   ? Place.Parents.size()
                   : Place.Scopes[Scope + 1].FirstParent;
  for (size_t At = End; At-- > In.FirstParent;)
    if (Names Found = inBlock(*Place.Parents[At], Name); !Found.empty())
      return Found;
  if (isLambda(*In.Decl))
    for (const LambdaCapture &Each :
         cast<CXXMethodDecl>(In.Decl)->getParent()->captures())
      if (Each.capturesVariable() &&
          cast<VarDecl>(Each.getCapturedVar())->isInitCapture() &&
          isNamed(*Each.getCapturedVar(), Name))
        return {Each.getCapturedVar()};
  for (const ParmVarDecl *Each : In.Decl->parameters())
    if (isNamed(*Each, Name))
      return {Each};
  if (Names Found = templateParameters(*In.Decl, Name); !Found.empty())
    return Found;
  if (isLambda(*In.Decl))
    return {};
  for (const DeclContext *Class = classAround(*In.Decl); Class->isRecord();
       Class = Class->getParent())
    if (Names Found = findIn(*Class, Name); !Found.empty())
      return Found;
  return {};
}

ScopeLookup::Names ScopeLookup::findIn(const DeclContext &Of,
                                       llvm::StringRef Name) const {
  if (const auto *Enum = dyn_cast<EnumDecl>(&Of)) {
    for (const EnumConstantDecl *Each : Enum->enumerators())
      if (isNamed(*Each, Name))
        return {Each};
    return {};
  }
  const IdentifierInfo &Id = Context.Idents.get(Name);
  Names Found = pick(Of.lookup(&Id), false, Of.isFileContext());
  const auto *Class = dyn_cast<CXXRecordDecl>(&Of);
  if (!Found.empty() || !Class || !Class->hasDefinition())
    return Found;
  for (const CXXBaseSpecifier &Base : Class->bases()) {
    const CXXRecordDecl *Decl = Base.getType()->getAsCXXRecordDecl();
    if (!Decl || Base.getType()->isDependentType())
      continue;
    llvm::append_range(Found, findIn(*Decl, Name));
  }
  return Found;
}

ScopeLookup::Names ScopeLookup::inNamespaces(const DeclContext *From,
                                             llvm::StringRef Name,
                                             bool IsTag) const {
  const IdentifierInfo &Id = Context.Idents.get(Name);
  Names Found;
  llvm::SmallVector<const DeclContext *, 4> Ahead;
  llvm::SmallPtrSet<const DeclContext *, 8> Seen;
  for (const DeclContext *In = From; In; In = In->getLookupParent()) {
    if (!In->isFileContext())
      continue;
    if (Found.empty())
      Found = pick(In->lookup(&Id), IsTag, true);
    Ahead.push_back(In);
  }
  // A using directive's names are those of some namespace around: all of them
  // may be meant.
  while (!Ahead.empty())
    for (const UsingDirectiveDecl *Each :
         Ahead.pop_back_val()->using_directives()) {
      const NamespaceDecl *Nominated = Each->getNominatedNamespace();
      if (!Seen.insert(Nominated->getPrimaryContext()).second)
        continue;
      llvm::append_range(Found, pick(Nominated->lookup(&Id), IsTag, true));
      Ahead.push_back(Nominated);
    }
  return Found;
}

ScopeLookup::Names ScopeLookup::find(llvm::StringRef Name, bool IsTag) const {
  if (Place.Loop)
    if (Names Found = inBlock(*Place.Loop, Name); !Found.empty())
      return Found;
  for (size_t Scope = Place.Scopes.size(); Scope-- > 0;)
    if (Names Found = inFunction(Scope, Name); !Found.empty())
      return Found;
  return inNamespaces(Place.Scopes.front().Decl->getDeclContext(), Name, IsTag);
}

ScopeLookup::Names ScopeLookup::findGlobal(llvm::StringRef Name) const {
  return findIn(*Context.getTranslationUnitDecl(), Name);
}

const CXXRecordDecl *ScopeLookup::classOfThis() const {
  for (const FunctionScope &Each : llvm::reverse(Place.Scopes))
    if (const auto *Method = dyn_cast<CXXMethodDecl>(Each.Decl);
        !Method || !Method->getParent()->isLambda())
      return Method && Method->isInstance() ? Method->getParent() : nullptr;
  return nullptr;
}

} // namespace loopscope::instrument
