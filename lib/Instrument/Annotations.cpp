//===- Annotations.cpp - AST -> annotations -------------------------------===//

#include "Annotations.h"
#include "Diagnostics.h"
#include "FunctionMode.h"
#include "Safety.h"
#include "Selector.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/ExprCXX.h"
#include "clang/AST/RecursiveASTVisitor.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Basic/Version.h"
#include "llvm/ADT/SmallPtrSet.h"

using namespace clang;

namespace loopscope::instrument {

static bool isLambda(const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  return Method && Method->getParent()->isLambda();
}

std::string functionName(const FunctionDecl &Function) {
  const auto *Method = dyn_cast<CXXMethodDecl>(&Function);
  if (!Method || !Method->getParent()->isLambda()) {
    PrintingPolicy Policy = Function.getASTContext().getPrintingPolicy();
    Policy.SuppressUnwrittenScope = false;
#if CLANG_VERSION_MAJOR >= 22
    Policy.SuppressInlineNamespace =
        llvm::to_underlying(PrintingPolicy::SuppressInlineNamespaceMode::None);
#else
    Policy.SuppressInlineNamespace = false;
#endif
    std::string Name;
    llvm::raw_string_ostream OS(Name);
    Function.printQualifiedName(OS, Policy);
    // The name of a conversion holds its canonical type, which in a template is
    // not what is written.
    if (const auto *Conversion = dyn_cast<CXXConversionDecl>(&Function)) {
      size_t Operator = Name.rfind("operator ");
      Name.replace(Operator, std::string::npos,
                   "operator " +
                       Conversion->getReturnType().getAsString(Policy));
    }
    return Name;
  }
  const DeclContext *Outer = Method->getParent()->getParent();
  while (Outer && !Outer->isFunctionOrMethod())
    Outer = Outer->getParent();
  const auto *Parent = dyn_cast_or_null<FunctionDecl>(Outer);
  return Parent ? functionName(*Parent) + "::(lambda)" : "(lambda)";
}

namespace {

/// The function whose body is being visited.
struct FunctionScope {
  const FunctionDecl *Decl = nullptr;
  const Stmt *Body = nullptr;
  std::string Name;
  size_t FirstParent = 0; ///< In Finder::Parents.
  unsigned Loops = 0;     ///< Visited so far.
};

class Finder : public RecursiveASTVisitor<Finder> {
  using Base = RecursiveASTVisitor<Finder>;

public:
  Finder(ASTContext &Context, const Places &Where, const FindOptions &Options)
      : Context(Context), SM(Context.getSourceManager()), Where(Where),
        Options(Options),
        Select(Context, Where, Options.Select, Result.Matches) {}

  FindResult Result;

  bool TraverseDecl(Decl *D) {
    if (!D || isForeign(*D))
      return true;
    bool Constant = isConstant(*D);
    ConstantDepth += Constant;
    if (auto *Function = dyn_cast<FunctionDecl>(D)) {
      enter(*Function, Function->doesThisDeclarationHaveABody()
                           ? Function->getBody()
                           : nullptr);
      function(*Function);
      Base::TraverseDecl(D);
      Scopes.pop_back();
    } else {
      Base::TraverseDecl(D);
    }
    ConstantDepth -= Constant;
    return true;
  }

  bool TraverseLambdaExpr(LambdaExpr *Lambda) {
    CXXMethodDecl *Call = Lambda->getCallOperator();
    // An implicitly constexpr lambda may stop being one, a declared one not.
    bool Constant = saysConstexpr(*Lambda);
    ConstantDepth += Constant;
    enter(*Call, Lambda->getBody());
    function(*Call);
    Base::TraverseLambdaExpr(Lambda);
    Scopes.pop_back();
    ConstantDepth -= Constant;
    return true;
  }

  bool TraverseStmt(Stmt *S) {
    if (!S)
      return true;
    bool Constant = isa<ConstantExpr>(S);
    ConstantDepth += Constant;
    if (const auto *Call = dyn_cast<CallExpr>(S); Call && ConstantDepth)
      if (const FunctionDecl *Callee = Call->getDirectCallee())
        CalledByCompiler.insert(Callee->getCanonicalDecl());
    bool IsLoop = isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(S);
    if (IsLoop && !Scopes.empty())
      ++Scopes.back().Loops;
    if (auto *Attributed = dyn_cast<AttributedStmt>(S))
      statement(*Attributed);
    else if (auto *Declaration = dyn_cast<DeclStmt>(S))
      declaration(*Declaration);
    else if (Options.Select && !Scopes.empty() && (IsLoop || isa<Expr>(S)) &&
             isStatement(*S))
      statement(select(*S, 0), *S, *S);
    Parents.push_back(S);
    Base::TraverseStmt(S);
    Parents.pop_back();
    ConstantDepth -= Constant;
    return true;
  }

  /// Refuses what stands in lambdas that constant expressions call.
  void refuseCalledByCompiler() {
    llvm::erase_if(Result.Annotations, [&](const Found &F) {
      if (!CalledByCompiler.contains(F.Function->getCanonicalDecl()))
        return false;
      refuse({F.A.K, "", F.Loc, false}, Diag::CalledByCompiler)
          << info(F.A.K).Attribute;
      return true;
    });
  }

private:
  bool isForeign(const Decl &D) const {
    return D.getLocation().isValid() &&
           isa<TranslationUnitDecl>(D.getLexicalDeclContext()) &&
           SM.isInSystemHeader(SM.getExpansionLoc(D.getLocation()));
  }

  bool saysConstexpr(const LambdaExpr &Lambda) const {
    std::optional<FileRange> Head = Where.tokens(
        Lambda.getIntroducerRange().getEnd(), Lambda.getBody()->getBeginLoc());
    if (!Head)
      return false;
    llvm::StringRef Text =
        Where.text(Head->File).slice(Head->Text.Begin, Head->Text.End);
    return Text.contains("constexpr") || Text.contains("consteval");
  }

  /// Whether what D holds is evaluated by the compiler.
  static bool isConstant(const Decl &D) {
    if (isa<StaticAssertDecl, EnumConstantDecl>(D))
      return true;
    const auto *Variable = dyn_cast<VarDecl>(&D);
    return Variable &&
           (Variable->isConstexpr() || Variable->hasAttr<ConstInitAttr>());
  }

  void enter(const FunctionDecl &Function, const Stmt *Body) {
    Scopes.push_back({&Function, Body, functionName(Function), Parents.size()});
  }

  /// Reports that MARK's construct stays as it is.
  DiagnosticBuilder refuse(const Mark &M, Diag D) {
    ++Result.Refused;
    return report(Context.getDiagnostics(), M.Loc, D);
  }

  void see(const Mark &M) {
    Place P = Where.expanded(M.Loc);
    Result.Seen.insert({P.File, P.Offset});
    if (std::optional<Place> Spelled = Where.spelled(M.Loc))
      Result.Seen.insert({Spelled->File, Spelled->Offset});
  }

  std::vector<Mark> marksOf(llvm::ArrayRef<const Attr *> Attributes) {
    std::vector<Mark> Marks;
    for (const Attr *Each : Attributes)
      if (std::optional<Mark> M = readMark(*Each))
        Marks.push_back(*M);
    return Marks;
  }

  /// Refuses every mark where the enclosing code can't hold a hook.
  bool holdsHooks(const std::vector<Mark> &Marks) {
    std::optional<Diag> Why;
    if (Scopes.empty())
      Why = Diag::OutsideFunction;
    else if (ConstantDepth)
      Why = Diag::Constant;
    else
      Why = whyNoHooks(*Scopes.back().Decl);
    if (!Why)
      return true;
    for (const Mark &M : Marks)
      refuse(M, *Why) << info(M.K).Attribute;
    return false;
  }

  bool inMacro(const std::vector<Mark> &Marks) {
    for (const Mark &M : Marks)
      refuse(M, Diag::InMacro) << info(M.K).Attribute;
    return false;
  }

  bool jumpedInto(const std::vector<Mark> &Marks) {
    for (const Mark &M : Marks)
      refuse(M, Diag::JumpedInto) << info(M.K).Attribute;
    return false;
  }

  /// Fills what every form has and records the annotation.
  void add(const Mark &M, Annotation A, FileID File) {
    Place P = Where.expanded(M.Loc);
    for (const Found &Earlier : Result.Annotations)
      if (Earlier.Attribute.File == P.File &&
          Earlier.Attribute.Offset == P.Offset && Earlier.A.K == M.K &&
          Earlier.A.Whole == A.Whole)
        return;
    A.K = M.K;
    A.Name = M.K == Kind::Phase || M.K == Kind::Function
                 ? M.Argument
                 : info(M.K).Attribute.str();
    A.Function = Scopes.back().Name;
    A.Line = P.File == File && !M.Inherited ? Where.line(P)
                                            : Where.line({File, A.Whole.Begin});
    Found F{std::move(A), File, P, std::nullopt, {}, Scopes.back().Decl, M.Loc};
    if (M.Loc.isFileID() || Where.spelled(M.Loc))
      F.Raw = Where.spelled(M.Loc);
    const FunctionDecl *Outer = Scopes.front().Decl;
    if (auto Text = Where.tokens(Outer->getBeginLoc(), Outer->getEndLoc()))
      F.FunctionText = Text->Text;
    else
      F.FunctionText = F.A.Whole;
    Result.Annotations.push_back(std::move(F));
  }

  //===--- Functions and lambdas ------------------------------------------===//

  void function(FunctionDecl &Function) {
    std::vector<Mark> Marks =
        marksOf({Function.attrs().begin(), Function.attrs().end()});
    llvm::append_range(Marks, Select.function(Function, Scopes.back().Name));
    addFunctionMode(Function, Marks);
    if (Marks.empty())
      return;
    for (const Mark &M : Marks)
      if (!M.Inherited)
        see(M);
    // An attribute on the definition itself replaces an inherited one.
    llvm::erase_if(Marks, [&](const Mark &M) {
      return M.Inherited && llvm::any_of(Marks, [&](const Mark &Other) {
               return !Other.Inherited && Other.K == M.K;
             });
    });
    if (llvm::any_of(Marks,
                     [](const Mark &M) { return M.K == Kind::Ignore; })) {
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
    if (!holdsHooks(Marks))
      return;
    std::optional<FileRange> Whole = functionBraces(*Body);
    std::optional<Block> Inner =
        Whole ? braces(Whole->File, Whole->Text) : std::nullopt;
    if (!Inner) {
      inMacro(Marks);
      return;
    }
    for (const Mark &M : Marks) {
      Annotation A;
      A.F = Form::Block;
      A.Whole = Whole->Text;
      A.Body = *Inner;
      A.Lead = A.Whole.Begin;
      add(M, std::move(A), Whole->File);
    }
  }

  /// Adds function mode's mark where it wants this function.
  void addFunctionMode(const FunctionDecl &Function, std::vector<Mark> &Marks) {
    const Stmt *Body = Scopes.back().Body;
    if (!Options.Functions || !Body || !Marks.empty() ||
        Function.isDefaulted() || isLambda(Function) ||
        SM.isInSystemHeader(SM.getExpansionLoc(Function.getLocation())))
      return;
    llvm::StringRef Why = whyLeftOut(Function, *Body);
    if (Why.empty() && Options.Select &&
        !(Options.Select->takesFunction(Scopes.back().Name) &&
          Options.Select->takesFile(Where.path(Function.getLocation()))))
      Why = "selection";
    if (Why.empty() && functionSize(Function, *Body) < Options.MinSize)
      Why = "small";
    if (Why.empty() && !functionBraces(*Body))
      Why = "macro";
    Result.Functions.push_back(
        {Where.exactly(Function.getLocation()), Scopes.back().Name, Why.str()});
    if (!Why.empty())
      return;
    Marks.push_back(
        {Kind::Function, Scopes.back().Name, Function.getLocation(), false});
  }

  /// The inside of a function's braces, or of those of its try block.
  std::optional<FileRange> functionBraces(const Stmt &Body) const {
    const Stmt *S = &Body;
    if (const auto *Try = dyn_cast<CXXTryStmt>(S))
      S = Try->getTryBlock();
    const auto *Compound = dyn_cast<CompoundStmt>(S);
    std::optional<FileRange> Whole =
        Compound ? Where.statement(Compound) : std::nullopt;
    return Whole && braces(Whole->File, Whole->Text) ? Whole : std::nullopt;
  }

  void bodyless(const FunctionDecl &Function, const std::vector<Mark> &Marks) {
    for (const Mark &M : Marks) {
      if (M.Inherited)
        continue;
      const FunctionDecl *Definition = nullptr;
      bool Defined = Function.isDefined(Definition) &&
                     !Function.isDefaulted() && !Function.isDeleted();
      bool InMain = SM.isInMainFile(SM.getExpansionLoc(M.Loc));
      // A prototype in a header announces a definition that another file may
      // hold.
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

  /// The inside of TEXT, which starts with a brace if it can be used.
  std::optional<Block> braces(FileID File, Range Text) const {
    llvm::StringRef All = Where.text(File).slice(Text.Begin, Text.End);
    unsigned Open = All.starts_with("{") ? 1 : All.starts_with("<%") ? 2 : 0;
    unsigned Close = All.ends_with("}") ? 1 : All.ends_with("%>") ? 2 : 0;
    if (!Open || !Close)
      return std::nullopt;
    return Block{{Text.Begin + Open, Text.End - Close}, true};
  }

  //===--- Statements -----------------------------------------------------===//

  void statement(const AttributedStmt &S) {
    const Stmt &Sub = *S.getSubStmt();
    std::vector<Mark> Marks = marksOf(S.getAttrs());
    if (Options.Select && !Scopes.empty())
      llvm::append_range(Marks, select(Sub, 1));
    statement(Marks, S, Sub);
  }

  /// What the selection says of a statement; AHEAD is 1 when it is visited
  /// before its loop has been counted.
  std::vector<Mark> select(const Stmt &S, unsigned Ahead) {
    return Select.statement(S, Scopes.back().Name, Scopes.back().Loops + Ahead);
  }

  /// Whether S, an expression or a loop, is a statement of its own.
  bool isStatement(const Stmt &S) const {
    const Stmt *Parent =
        Parents.size() > Scopes.back().FirstParent ? Parents.back() : nullptr;
    if (!Parent || isa<AttributedStmt>(Parent))
      return false;
    if (const auto *Case = dyn_cast<SwitchCase>(Parent))
      return Case->getSubStmt() == &S;
    return isa<CompoundStmt, LabelStmt>(Parent) || isWholeBody(S);
  }

  /// Makes hooks of MARKS for SUB. NODE is what the parent holds: SUB or SUB
  /// with its attributes.
  void statement(const std::vector<Mark> &Marks, const Stmt &Node,
                 const Stmt &SubStatement) {
    if (Marks.empty())
      return;
    for (const Mark &M : Marks)
      see(M);
    if (!holdsHooks(Marks) || !oneLoopKind(Marks))
      return;
    const Stmt *Sub = &SubStatement;
    std::optional<FileRange> R = Where.statement(Sub);
    if (!R) {
      inMacro(Marks);
      return;
    }
    if (underPragma(Marks, Sub) || isValue(Marks, Node))
      return;
    if (isJumpedInto(Scopes.back().Body, Sub)) {
      jumpedInto(Marks);
      return;
    }
    for (const Mark &M : Marks) {
      Annotation A;
      A.Whole = R->Text;
      A.Parent = parentBlock(R->File);
      A.Lead = lead(Marks, R->File, R->Text.Begin);
      if (isLoopKind(M.K)) {
        if (!loop(M, Sub, R->File, A))
          continue;
      } else if (std::optional<Block> Inner = isa<CompoundStmt>(Sub)
                                                  ? braces(R->File, R->Text)
                                                  : std::nullopt) {
        A.F = Form::Block;
        A.Body = *Inner;
      }
      add(M, std::move(A), R->File);
    }
  }

  bool oneLoopKind(const std::vector<Mark> &Marks) {
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

  /// A pragma that wants a loop directly behind it can't have a brace there.
  bool underPragma(const std::vector<Mark> &Marks, const Stmt *Sub) {
    if (!isa<ForStmt, CXXForRangeStmt, WhileStmt, DoStmt>(Sub))
      return false;
    Place P = Where.expanded(Marks.front().Loc);
    Range Attribute = Where.attribute(Marks.front().Loc);
    for (const LoopPragma &Pragma : Where.scan(P.File).Pragmas) {
      if (Pragma.NextToken != Attribute.Begin)
        continue;
      for (const Mark &M : Marks)
        refuse(M, Diag::PragmaLoop) << info(M.K).Attribute;
      return true;
    }
    return false;
  }

  /// The last statement of a statement expression is its value.
  bool isValue(const std::vector<Mark> &Marks, const Stmt &S) {
    size_t N = Parents.size();
    if (N < 2)
      return false;
    const auto *Value = dyn_cast<StmtExpr>(Parents[N - 2]);
    const auto *Compound = dyn_cast<CompoundStmt>(Parents[N - 1]);
    if (!Value || !Compound || Compound->body_back() != &S ||
        Value->getType()->isVoidType())
      return false;
    for (const Mark &M : Marks)
      refuse(M, Diag::StatementValue) << info(M.K).Attribute;
    return true;
  }

  bool loop(const Mark &M, const Stmt *Loop, FileID File, Annotation &A) {
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
    if (std::optional<Block> Inner =
            isa<CompoundStmt>(Body) ? braces(File, R->Text) : std::nullopt)
      A.Body = *Inner;
    else
      A.Body = {R->Text, false};
    if (isStepKind(M.K) && !M.Argument.empty())
      return samples(M, Body, A);
    return true;
  }

  bool samples(const Mark &M, const Stmt *Body, Annotation &A) {
    std::vector<std::string> Names;
    bool HasComma = false;
    llvm::StringRef Text = llvm::StringRef(M.Argument).trim();
    std::string Why =
        checkExpression(Text, Context.getLangOpts(), Names, HasComma);
    if (!Why.empty()) {
      refuse(M, Diag::SamplesExpression) << info(M.K).Attribute << Why;
      return false;
    }
    A.Samples = HasComma ? "(" + Text.str() + ")" : Text.str();
    const auto *Compound = dyn_cast<CompoundStmt>(Body);
    if (!Compound || !A.Body.Braced)
      return true;
    for (const Stmt *Each : Compound->body()) {
      const auto *Declaration = dyn_cast<DeclStmt>(Each);
      if (!Declaration || !declares(*Declaration, Names))
        continue;
      std::optional<FileRange> R = Where.statement(Declaration);
      if (!R) {
        refuse(M, Diag::SamplesMacro) << info(M.K).Attribute;
        return false;
      }
      A.SamplesAt = R->Text.End;
    }
    return true;
  }

  static bool declares(const DeclStmt &S,
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

  //===--- Declarations ---------------------------------------------------===//

  void declaration(const DeclStmt &S) {
    std::vector<Mark> Marks;
    for (const Decl *D : S.decls())
      if (isa<VarDecl>(D))
        for (const Mark &M : marksOf({D->attrs().begin(), D->attrs().end()}))
          if (llvm::none_of(
                  Marks, [&](const Mark &Other) { return Other.Loc == M.Loc; }))
            Marks.push_back(M);
    if (Options.Select && !Scopes.empty())
      llvm::append_range(Marks, Select.statement(S, Scopes.back().Name, 0));
    if (Marks.empty())
      return;
    for (const Mark &M : Marks)
      see(M);
    if (!holdsHooks(Marks))
      return;
    // Labels may stand between the block and its declaration.
    const Stmt *Child = &S;
    size_t Above = Parents.size();
    while (Above != 0 && isa<LabelStmt, SwitchCase>(Parents[Above - 1]))
      Child = Parents[--Above];
    const auto *Compound =
        Above == 0 ? nullptr : dyn_cast<CompoundStmt>(Parents[Above - 1]);
    if (!Compound && !isWholeBody(S)) {
      for (const Mark &M : Marks)
        refuse(M, Diag::DeclarationInHead) << info(M.K).Attribute;
      return;
    }
    std::optional<FileRange> R = Where.statement(&S);
    if (!R) {
      inMacro(Marks);
      return;
    }
    Annotation A;
    A.Lead = lead(Marks, R->File, R->Text.Begin);
    A.Whole = {behindOurs(R->File, A.Lead), R->Text.End};
    A.Parent = parentBlock(R->File);
    if (Compound)
      A.F = comma(S, *R, A.Init) ? Form::Comma : Form::Pair;
    if (A.F == Form::Pair) {
      std::vector<const Stmt *> Behind(
          std::next(llvm::find(Compound->body(), Child)), Compound->body_end());
      if (isJumpedInto(Scopes.back().Body, Behind)) {
        jumpedInto(Marks);
        return;
      }
    }
    for (const Mark &M : Marks)
      add(M, A, R->File);
  }

  /// Whether S is all that its if, else or loop holds, without braces.
  bool isWholeBody(const Stmt &S) const {
    const Stmt *Parent = Parents.empty() ? nullptr : Parents.back();
    if (const auto *If = dyn_cast_or_null<IfStmt>(Parent))
      return If->getThen() == &S || If->getElse() == &S;
    const Stmt *Body = nullptr;
    if (const auto *For = dyn_cast_or_null<ForStmt>(Parent))
      Body = For->getBody();
    else if (const auto *ForRange = dyn_cast_or_null<CXXForRangeStmt>(Parent))
      Body = ForRange->getBody();
    else if (const auto *While = dyn_cast_or_null<WhileStmt>(Parent))
      Body = While->getBody();
    else if (const auto *Do = dyn_cast_or_null<DoStmt>(Parent))
      Body = Do->getBody();
    return Body == &S;
  }

  bool comma(const DeclStmt &S, const FileRange &R, Range &Init) const {
    const auto *Variable =
        S.isSingleDecl() ? dyn_cast<VarDecl>(S.getSingleDecl()) : nullptr;
    if (!Variable || !takesCommaGuard(*Variable, Context))
      return false;
    const Expr *E = Variable->getInit();
    std::optional<FileRange> Text =
        Where.tokens(E->getBeginLoc(), E->getEndLoc());
    if (!Text || Text->File != R.File || Text->Text.End > R.Text.End)
      return false;
    llvm::StringRef All = Where.text(R.File);
    // The range that the AST gives must be the whole initialiser.
    if (All[Text->Text.Begin] == '{' ||
        !All.slice(R.Text.Begin, Text->Text.Begin).rtrim().ends_with("=") ||
        All.slice(Text->Text.End, R.Text.End).trim() != ";")
      return false;
    Init = Text->Text;
    return true;
  }

  //===--- Places ---------------------------------------------------------===//

  /// Where the first of the attributes starts, or BEGIN.
  unsigned lead(const std::vector<Mark> &Marks, FileID File,
                unsigned Begin) const {
    for (const Mark &M : Marks)
      if (Where.expanded(M.Loc).File == File)
        Begin = std::min(Begin, Where.attribute(M.Loc).Begin);
    return Begin;
  }

  /// Skips attribute lists that are only ours, and our macros.
  unsigned behindOurs(FileID File, unsigned Offset) const {
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
    }
  }

  /// Behind the brace of the block whose direct child is being visited.
  unsigned parentBlock(FileID File) const {
    if (Parents.size() <= Scopes.back().FirstParent)
      return 0;
    const auto *Compound = dyn_cast<CompoundStmt>(Parents.back());
    std::optional<Place> P =
        Compound ? Where.spelled(Compound->getLBracLoc()) : std::nullopt;
    return P && P->File == File ? P->Offset + 1 : 0;
  }

  ASTContext &Context;
  const SourceManager &SM;
  const Places &Where;
  const FindOptions &Options;
  Selector Select;
  std::vector<FunctionScope> Scopes;
  std::vector<const Stmt *> Parents;
  llvm::SmallPtrSet<const FunctionDecl *, 8> CalledByCompiler;
  unsigned ConstantDepth = 0;
};

} // namespace

FindResult findAnnotations(ASTContext &Context, const Places &Where,
                           const FindOptions &Options) {
  Finder F(Context, Where, Options);
  F.TraverseDecl(Context.getTranslationUnitDecl());
  F.refuseCalledByCompiler();
  return std::move(F.Result);
}

bool mayBeSelected(const FunctionDecl &Function, const FindOptions &Options) {
  if (Options.Functions || Options.Suggest)
    return true;
  if (!Options.Select || Options.Select->Rules.empty())
    return false;
  std::string Name = functionName(Function);
  return llvm::any_of(Options.Select->Rules, [&](const Rule &R) {
    return R.Function.empty() ? R.In.matches(Name) : R.Function.matches(Name);
  });
}

} // namespace loopscope::instrument
