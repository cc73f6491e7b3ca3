// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What --suggest knows about a program.

#include "Instrument/Find/TrainingLoops.h"

#include "Instrument/Text/FunctionNames.h"
#include "Instrument/Text/Loops.h"
#include "Instrument/Text/Safety.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/DynamicRecursiveASTVisitor.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/AST/StmtOpenMP.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Lex/Lexer.h"
#include "llvm/ADT/STLExtras.h"

#include <utility>

using namespace clang;

namespace loopscope::instrument {
namespace {

/// Adds the names in S, except those in lambdas.
void addNames(const Stmt *S, std::vector<std::string> &Names) {
  if (!S || isa<LambdaExpr>(S) || Names.size() > 40)
    return;
  const NamedDecl *D = nullptr;
  if (const auto *Reference = dyn_cast<DeclRefExpr>(S))
    D = Reference->getDecl();
  else if (const auto *Member = dyn_cast<MemberExpr>(S))
    D = Member->getMemberDecl();
  else if (const auto *Dependent = dyn_cast<CXXDependentScopeMemberExpr>(S))
    Names.push_back(Dependent->getMember().getAsString());
  if (D && D->getIdentifier())
    Names.push_back(D->getName().str());
  for (const Stmt *Child : S->children())
    addNames(Child, Names);
}

/// The variable or member that E is, or is an element of; and whether it is an
/// element.
std::pair<std::string, bool> targetOf(const Expr *E) {
  bool Element = false;
  for (;;) {
    E = E->IgnoreParenImpCasts();
    if (const auto *Subscript = dyn_cast<ArraySubscriptExpr>(E)) {
      E = Subscript->getBase();
      Element = true;
    } else if (const auto *Unary = dyn_cast<UnaryOperator>(E)) {
      E = Unary->getSubExpr();
      Element |= Unary->getOpcode() == UO_Deref;
    } else if (const auto *Call = dyn_cast<CXXOperatorCallExpr>(E);
               Call && Call->getNumArgs() != 0) {
      E = Call->getArg(0);
      Element = true;
    } else {
      break;
    }
  }
  if (const auto *Reference = dyn_cast<DeclRefExpr>(E);
      Reference && Reference->getDecl()->getIdentifier())
    return {Reference->getDecl()->getName().str(),
            Element || Reference->getType()->isRecordType()};
  if (const auto *Member = dyn_cast<MemberExpr>(E);
      Member && Member->getMemberDecl()->getIdentifier())
    return {Member->getMemberDecl()->getName().str(), Element};
  return {"", Element};
}

/// `w = w + x` or `w = w - x`.
bool stepsItself(const BinaryOperator &Assignment) {
  const auto *Sum =
      dyn_cast<BinaryOperator>(Assignment.getRHS()->IgnoreParenImpCasts());
  if (!Sum || !Sum->isAdditiveOp())
    return false;
  std::string Target = targetOf(Assignment.getLHS()).first;
  return !Target.empty() && targetOf(Sum->getLHS()).first == Target;
}

class LoopCollector : public DynamicRecursiveASTVisitor {
  using Base = DynamicRecursiveASTVisitor;

public:
  LoopCollector(const ASTContext &Context, const Places &Where)
      : SM(Context.getSourceManager()), Lang(Context.getLangOpts()),
        Where(Where) {}

  std::vector<SeenBody> Bodies;

  bool TraverseDecl(Decl *D) override {
    if (!D || (D->getLocation().isValid() &&
               SM.isInSystemHeader(SM.getExpansionLoc(D->getLocation()))))
      return true;
    auto *Function = dyn_cast<FunctionDecl>(D);
    if (!Function || !Function->doesThisDeclarationHaveABody())
      return Base::TraverseDecl(D);
    State Saved = enter(*Function);
    Base::TraverseDecl(D);
    Now = Saved;
    return true;
  }

  bool TraverseLambdaExpr(LambdaExpr *Lambda) override {
    if (Now.Body >= 0 && !Now.Declares)
      handOn(*Lambda->getCallOperator(), "");
    State Saved = enter(*Lambda->getCallOperator());
    Base::TraverseLambdaExpr(Lambda);
    Now = Saved;
    return true;
  }

  bool TraverseStmt(Stmt *S) override {
    if (!S)
      return true;
    if (Now.Body < 0 || isa<LambdaExpr>(S))
      return Base::TraverseStmt(S);
    State Saved = Now;
    findStatement(*S);
    Now.Parent = S;
    if (const auto *Call = dyn_cast<CallExpr>(S))
      note(*Call);
    else if (const auto *Construct = dyn_cast<CXXConstructExpr>(S))
      note(*Construct);
    else if (const auto *Declaration = dyn_cast<DeclStmt>(S))
      note(*Declaration);
    if (isa<OMPBarrierDirective, OMPTaskwaitDirective>(S))
      scope().WaitDirectives.emplace_back(
          line(S->getBeginLoc()),
          isa<OMPBarrierDirective>(S) ? "barrier" : "taskwait");
    if (const auto *Assignment = dyn_cast<BinaryOperator>(S);
        Assignment && Assignment->isAssignmentOp())
      note(Assignment->getLHS(), Assignment->getRHS(),
           Assignment->isCompoundAssignmentOp() || stepsItself(*Assignment));
    if (isLoop(*S))
      traverseLoop(*S);
    else
      Base::TraverseStmt(S);
    Now = Saved;
    return true;
  }

private:
  /// Where the walk is.
  struct State {
    int Body = -1;
    int Scope = 0;
    const Stmt *Parent = nullptr;
    unsigned Statement = 0;
    bool MacroUse = false;
    bool Head = false;
    bool Declares = false; ///< In the initialiser of a variable.
    std::string Via;       ///< The call around this place.
  };

  SeenBody &body() { return Bodies[static_cast<size_t>(Now.Body)]; }
  SeenScope &scope() { return body().Scopes[static_cast<size_t>(Now.Scope)]; }

  unsigned line(SourceLocation L) const {
    return Where.line(Where.expanded(L));
  }

  State enter(const FunctionDecl &Function) {
    State Saved = std::exchange(Now, State());
    Now.Body = static_cast<int>(Bodies.size());
    SeenBody B;
    B.Name = functionName(Function);
    B.Signature = parameterTypes(Function);
    B.File = Where.path(Function.getLocation());
    B.Key = Where.exactly(Function.getLocation());
    B.Line = line(Function.getLocation());
    B.Constant = whyNoHooks(Function).has_value();
    B.Local = Function.isMain() || !Function.isExternallyVisible();
    if (const auto *Method = dyn_cast<CXXMethodDecl>(&Function))
      addOverridden(*Method, B.Overrides);
    B.Scopes.emplace_back();
    Bodies.push_back(std::move(B));
    Ordinals.resize(Bodies.size());
    return Saved;
  }

  static void addOverridden(const CXXMethodDecl &Method,
                            std::vector<std::string> &Names) {
    for (const CXXMethodDecl *Each : Method.overridden_methods()) {
      Names.push_back(functionName(*Each));
      addOverridden(*Each, Names);
    }
  }

  /// Whether S is a statement that a rule for a call may select.
  void findStatement(const Stmt &S) {
    if (Now.MacroUse) {
      // Only a block in the macro's argument has statements of its own.
      if (!isa<CompoundStmt>(S) || !Where.spelled(S.getBeginLoc()))
        return;
      Now.MacroUse = false;
      Now.Statement = 0;
      return;
    }
    if (Now.Parent && isStatementIn(*Now.Parent, S)) {
      Now.MacroUse = !isa<Expr, DeclStmt>(S) && isMacroUse(S, Where);
      Now.Statement = isa<Expr, DeclStmt>(S) || Now.MacroUse ? ++Statements : 0;
    } else if (!isa<Expr>(S)) {
      Now.Statement = 0;
    }
  }

  /// Adds the macros that stand for numbers in S: `EPOCHS`.
  void addMacros(const Stmt *S, std::vector<std::string> &Names) const {
    if (!S || isa<LambdaExpr>(S))
      return;
    if (isa<IntegerLiteral, FloatingLiteral>(S) && S->getBeginLoc().isMacroID())
      Names.push_back(
          Lexer::getImmediateMacroName(S->getBeginLoc(), SM, Lang).str());
    for (const Stmt *Child : S->children())
      addMacros(Child, Names);
  }

  void traverseLoop(Stmt &S) {
    SeenScope L;
    L.Outer = Now.Scope;
    L.Line = line(S.getBeginLoc());
    if (isNumberedLoop(S, Where))
      L.Ordinal = ++Ordinals[static_cast<size_t>(Now.Body)];
    Place Begin = Where.expanded(S.getBeginLoc());
    L.Pragma =
        llvm::any_of(Where.loopPragmas(Begin.File), [&](const LoopPragma &P) {
          return P.NextToken == Begin.Offset;
        });
    L.Names = loopNames(S);
    const Expr *Condition = loopCondition(S);
    addNames(Condition, L.Head);
    addMacros(Condition, L.Head);
    L.Endless = isa<WhileStmt, ForStmt>(S) &&
                (!Condition || isa<IntegerLiteral, CXXBoolLiteralExpr>(
                                   Condition->IgnoreParenImpCasts()));
    Now.Scope = static_cast<int>(body().Scopes.size());
    body().Scopes.push_back(std::move(L));
    const Stmt *Body = loopBody(S);
    std::vector<Stmt *> Children(S.child_begin(), S.child_end());
    // Calls that the compiler adds to a range-based loop aren't the program's.
    if (auto *ForRange = dyn_cast<CXXForRangeStmt>(&S))
      Children = {ForRange->getInit(), ForRange->getRangeInit(),
                  ForRange->getBody()};
    for (Stmt *Child : Children) {
      Now.Head = Child != Body;
      TraverseStmt(Child);
    }
  }

  void note(const Expr *Left, const Expr *Right, bool Accumulates) {
    SeenAssignment A;
    std::tie(A.Target, A.Element) = targetOf(Left);
    A.Accumulates = Accumulates;
    QualType Type = Left->getType();
    A.Real = !Type.isNull() && Type->isRealFloatingType();
    addNames(Right, A.Sources);
    if (!A.Target.empty())
      scope().Assignments.push_back(std::move(A));
  }

  void note(const DeclStmt &S) {
    for (const Decl *D : S.decls())
      if (const auto *Variable = dyn_cast<VarDecl>(D);
          Variable && Variable->getInit() && Variable->getIdentifier()) {
        SeenAssignment A;
        A.Target = Variable->getName().str();
        addNames(Variable->getInit(), A.Sources);
        scope().Assignments.push_back(std::move(A));
        // A named lambda is called by its name.
        Now.Declares |= isa<LambdaExpr>(Variable->getInit()->IgnoreImplicit());
      }
  }

  /// What CALL is called on: `optimizer` in `optimizer.step()`.
  std::string objectOf(const CallExpr &Call) const {
    const Expr *Object = nullptr;
    if (const auto *Member = dyn_cast<CXXMemberCallExpr>(&Call))
      Object = Member->getImplicitObjectArgument();
    else if (isa<CXXOperatorCallExpr>(Call) && Call.getNumArgs() != 0)
      Object = Call.getArg(0);
    else if (const auto *Dependent = dyn_cast<CXXDependentScopeMemberExpr>(
                 Call.getCallee()->IgnoreParenImpCasts());
             Dependent && !Dependent->isImplicitAccess())
      Object = Dependent->getBase();
    return sourceText(Object, Where);
  }

  void addArguments(const CallExpr &Call, SeenCall &C) const {
    const FunctionDecl *Callee = Call.getDirectCallee();
    for (unsigned I = 0; I < Call.getNumArgs(); ++I) {
      const Expr *Argument = Call.getArg(I)->IgnoreParenImpCasts();
      const auto *Truth = dyn_cast<CXXBoolLiteralExpr>(Argument);
      if (!Truth || !Callee || I >= Callee->getNumParams())
        addNames(Argument, C.Arguments);
      else if (Callee->getParamDecl(I)->getIdentifier())
        C.Arguments.push_back((Truth->getValue() ? "" : "!") +
                              Callee->getParamDecl(I)->getName().str());
    }
  }

  void note(const CallExpr &Call) {
    if (const auto *Operator = dyn_cast<CXXOperatorCallExpr>(&Call)) {
      if (Operator->isAssignmentOp() && Operator->getNumArgs() == 2)
        return note(Operator->getArg(0), Operator->getArg(1),
                    Operator->getOperator() != OO_Equal);
      if (Operator->getOperator() != OO_Call)
        return;
    }
    SeenCall C;
    std::tie(C.Callee, C.Name) = calleeNames(Call);
    if (C.Name.empty())
      return;
    C.Object = objectOf(Call);
    addArguments(Call, C);
    QualType Gives = Call.getType();
    C.Real = !Gives.isNull() && Gives->isRealFloatingType();
    if (const FunctionDecl *Callee = Call.getDirectCallee()) {
      C.Key = keyOf(*Callee);
      C.System = isFromSystem(*Callee);
    }
    add(std::move(C), Call.getBeginLoc());
    Now.Via = scope().Calls.back().Name;
    for (const Expr *Argument : Call.arguments())
      handOn(Argument);
  }

  void note(const CXXConstructExpr &Construct) {
    const CXXRecordDecl *Class = Construct.getConstructor()->getParent();
    if (!Class->getIdentifier() || Class->isLambda())
      return;
    // Copies of what is passed on change nothing.
    if (Construct.getNumArgs() != 1 ||
        !Construct.getConstructor()->isCopyOrMoveConstructor())
      Now.Via = Class->getName().str();
    for (const Expr *Argument : Construct.arguments())
      handOn(Argument);
  }

  bool isFromSystem(const FunctionDecl &Callee) const {
    return Callee.getBuiltinID() != 0 || Callee.getLocation().isInvalid() ||
           SM.isInSystemHeader(SM.getExpansionLoc(Callee.getLocation()));
  }

  std::string keyOf(const FunctionDecl &Callee) const {
    const FunctionDecl *Definition = nullptr;
    const FunctionDecl *Pattern = Callee.getTemplateInstantiationPattern();
    if (!(Pattern ? Pattern : &Callee)->isDefined(Definition))
      return "";
    return Where.exactly(Definition->getLocation());
  }

  /// Records ARGUMENT if it is a function or a named lambda.
  void handOn(const Expr *Argument) {
    Argument = Argument->IgnoreParenCasts();
    if (const auto *Address = dyn_cast<UnaryOperator>(Argument))
      Argument = Address->getSubExpr()->IgnoreParenCasts();
    const auto *Reference = dyn_cast<DeclRefExpr>(Argument);
    if (!Reference)
      return;
    if (const auto *Function = dyn_cast<FunctionDecl>(Reference->getDecl()))
      return handOn(*Function, Now.Via);
    const CXXRecordDecl *Class =
        Reference->getType().isNull() || Reference->isTypeDependent()
            ? nullptr
            : Reference->getType()->getAsCXXRecordDecl();
    if (Class && Class->isLambda())
      handOn(*Class->getLambdaCallOperator(), Now.Via);
  }

  void handOn(const FunctionDecl &Function, const std::string &Via) {
    SeenCall C;
    C.Callee = functionName(Function);
    C.Name = Function.getNameAsString();
    C.Via = Via.empty() ? (Now.Via.empty() ? "?" : Now.Via) : Via;
    C.Key = keyOf(Function);
    C.System = isFromSystem(Function);
    add(std::move(C), Function.getLocation());
    scope().Calls.back().Statement = 0;
  }

  void add(SeenCall C, SourceLocation L) {
    C.Line = line(L);
    C.Statement = Now.Statement;
    C.InHead = Now.Head;
    scope().Calls.push_back(std::move(C));
  }

  const SourceManager &SM;
  const LangOptions &Lang;
  const Places &Where;
  State Now;
  unsigned Statements = 0;
  std::vector<unsigned> Ordinals; ///< Of each body's last loop.
};

} // namespace

std::vector<SeenBody> findBodies(ASTContext &Context, const Places &Where) {
  LoopCollector C(Context, Where);
  C.TraverseDecl(Context.getTranslationUnitDecl());
  return std::move(C.Bodies);
}

} // namespace loopscope::instrument
