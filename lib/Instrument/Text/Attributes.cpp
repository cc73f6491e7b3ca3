// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registration and checks of the attributes.
//
// Clang asks the registry for an attribute twice: by its scoped name when it
// applies it, and by its bare name when it decides whether to parse arguments.
// So each attribute registers both spellings; bare ones are not ours. Each has
// a second name, `__loopscope::__phase`, for <loopscope/annotate.h>: a macro of
// the program may be called `phase`.

#include "Instrument/Text/Attributes.h"

#include "Instrument/Diagnose/Diagnostics.h"

#include "clang/AST/ASTContext.h"
#include "clang/AST/Decl.h"
#include "clang/AST/Expr.h"
#include "clang/AST/Stmt.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Lex/Lexer.h"
#include "clang/Lex/Preprocessor.h"
#include "clang/Sema/ParsedAttr.h"
#include "clang/Sema/Sema.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

constexpr llvm::StringLiteral Prefix = "loopscope::";
constexpr llvm::StringLiteral ReservedPrefix = "__loopscope::__";
/// Precedes an amount after a name, or a label after a key; neither a name nor
/// a label contains one.
constexpr char SecondMark = '\n';

/// Reports an error regardless of SFINAE contexts: the annotation is wrong
/// wherever it is used.
DiagnosticBuilder report(Sema &S, SourceLocation Loc, Diag D) {
  return instrument::report(S.getDiagnostics(), Loc, D);
}

bool isOurs(const ParsedAttr &A) {
  return A.hasScope() && (A.getScopeName()->isStr("loopscope") ||
                          A.getScopeName()->isStr("__loopscope"));
}

/// Whether the marks are read back. In the plugin they aren't, and must not
/// reach code generation.
bool isRewriter(Sema &S) {
  return S.getPreprocessor().isMacroDefined("__LOOPSCOPE_REWRITER__");
}

bool isLoop(const Stmt *S) {
  return isa<ForStmt, WhileStmt, DoStmt, CXXForRangeStmt>(S);
}

/// What the arguments contain.
struct Arguments {
  std::string First;  ///< Name or expression.
  std::string Second; ///< Expression after a name; a key's label.
};

/// The text of argument INDEX: an expression if IS_AMOUNT, else a name.
std::optional<std::string> readText(Sema &S, Kind K, const ParsedAttr &A,
                                    unsigned Index, bool IsAmount) {
  llvm::StringRef Name = info(K).Attribute;
  if (A.isArgIdent(Index)) {
    const IdentifierLoc *Ident = A.getArgAsIdent(Index);
    SourceLocation Begin = Ident->getLoc();
    SourceLocation End = Lexer::getLocForEndOfToken(
        Begin, 0, S.getSourceManager(), S.getLangOpts());
    report(S, Begin, Diag::ArgumentLiteral)
        << Name << FixItHint::CreateInsertion(Begin, "\"")
        << FixItHint::CreateInsertion(End, "\"");
    return std::nullopt;
  }
  const Expr *Argument = A.getArgAsExpr(Index);
  const auto *Literal =
      dyn_cast<clang::StringLiteral>(Argument->IgnoreParenImpCasts());
  if (!Literal || Literal->getCharByteWidth() != 1) {
    report(S, Argument->getBeginLoc(), Diag::ArgumentLiteral)
        << Name << Argument->getSourceRange();
    return std::nullopt;
  }
  if (Literal->getString().trim().empty()) {
    if (!IsAmount)
      report(S, Literal->getBeginLoc(), Diag::NameEmpty) << Name;
    else
      report(S, Literal->getBeginLoc(), Diag::SamplesEmpty)
          << Name << quantityOf(K)->Name << isBesideKind(K) << (K == Kind::Key);
    return std::nullopt;
  }
  if (!IsAmount &&
      Literal->getString().find_first_of("\n\r") != llvm::StringRef::npos) {
    report(S, Literal->getBeginLoc(), Diag::NameLineBreak) << Name;
    return std::nullopt;
  }
  return Literal->getString().str();
}

/// Whether the attribute takes a name and an amount.
bool takesTwo(Kind K) {
  const QuantityInfo *Takes = quantityOf(K);
  return isNamedKind(K) && Takes && !Takes->By;
}

/// Checks the arguments and returns their contents.
std::optional<Arguments> readArguments(Sema &S, Kind K, const ParsedAttr &A) {
  llvm::StringRef Name = info(K).Attribute;
  const QuantityInfo *Takes = quantityOf(K);
  if (!isNamedKind(K) && !Takes) {
    if (A.getNumArgs() == 0)
      return Arguments();
    report(S, A.getLoc(), Diag::ArgumentUnwanted) << Name;
    return std::nullopt;
  }
  if (A.getNumArgs() == 0) {
    if (isBesideKind(K)) {
      report(S, A.getLoc(), Diag::SamplesEmpty)
          << Name << Takes->Name << 1 << (K == Kind::Key);
      return std::nullopt;
    }
    if (K != Kind::Phase)
      return Arguments();
    report(S, A.getLoc(), Diag::NameMissing);
    return std::nullopt;
  }
  bool TakesTwo = takesTwo(K) || K == Kind::Key;
  if (A.getNumArgs() > (TakesTwo ? 2 : 1)) {
    report(S, A.getLoc(), Diag::ArgumentMany) << Name << TakesTwo;
    return std::nullopt;
  }
  bool IsLabel = K == Kind::Key && A.getNumArgs() == 2;
  std::optional<std::string> First =
      readText(S, K, A, 0, !isNamedKind(K) && !IsLabel);
  if (!First)
    return std::nullopt;
  Arguments Result{std::move(*First), ""};
  if (A.getNumArgs() == 2) {
    std::optional<std::string> Second = readText(S, K, A, 1, true);
    if (!Second)
      return std::nullopt;
    Result.Second = std::move(*Second);
  }
  if (IsLabel)
    std::swap(Result.First, Result.Second);
  return Result;
}

class LoopscopeAttribute : public ParsedAttrInfo {
public:
  explicit LoopscopeAttribute(Kind K)
      : K(K), Scoped((Prefix + info(K).Attribute).str()),
        Bare(info(K).Attribute.str()),
        Reserved((ReservedPrefix + info(K).Attribute).str()),
        ReservedBare("__" + Bare),
        Names{{ParsedAttr::AS_CXX11, Scoped.c_str()},
              {ParsedAttr::AS_CXX11, Bare.c_str()},
              {ParsedAttr::AS_CXX11, Reserved.c_str()},
              {ParsedAttr::AS_CXX11, ReservedBare.c_str()},
              {ParsedAttr::AS_C23, Scoped.c_str()},
              {ParsedAttr::AS_C23, Bare.c_str()},
              {ParsedAttr::AS_C23, Reserved.c_str()},
              {ParsedAttr::AS_C23, ReservedBare.c_str()}} {
    OptArgs = 15;
    IsStmt = true;
    Spellings = Names;
  }

  AttrHandling handleDeclAttribute(Sema &S, Decl *D,
                                   const ParsedAttr &A) const override {
    if (!isOurs(A))
      return NotHandled;
    std::optional<Arguments> Said = readArguments(S, K, A);
    if (!Said || !checkDecl(S, D, A))
      return AttributeNotApplied;
    if (isRewriter(S))
      D->addAttr(makeMark(S.Context, *Said, A));
    return AttributeApplied;
  }

  AttrHandling handleStmtAttribute(Sema &S, Stmt *St, const ParsedAttr &A,
                                   class Attr *&Result) const override {
    if (!isOurs(A))
      return NotHandled;
    std::optional<Arguments> Said = readArguments(S, K, A);
    if (!Said || !checkStmt(S, St, A))
      return AttributeNotApplied;
    if (isRewriter(S))
      Result = makeMark(S.Context, *Said, A);
    return AttributeApplied;
  }

private:
  Attr *makeMark(ASTContext &Context, const Arguments &Said,
                 const ParsedAttr &A) const {
    std::string Text = Scoped + "=" + Said.First;
    if (!Said.Second.empty() || K == Kind::Key)
      Text += SecondMark + Said.Second;
    return AnnotateAttr::Create(Context, Text, nullptr, 0, A);
  }

  bool checkDecl(Sema &S, const Decl *D, const ParsedAttr &A) const {
    llvm::StringRef Name = info(K).Attribute;
    if (isLoopKind(K)) {
      report(S, A.getLoc(), Diag::NotALoop) << Name;
      return false;
    }
    if (isa<FunctionDecl>(D)) {
      if (K != Kind::Draw)
        return true;
      report(S, A.getLoc(), Diag::DrawFunction);
      return false;
    }
    if (K == Kind::Ignore) {
      report(S, A.getLoc(), Diag::IgnorePlace);
      return false;
    }
    if (const auto *Variable = dyn_cast<VarDecl>(D);
        Variable && Variable->isLocalVarDecl())
      return true;
    const char *Place = isa<ParmVarDecl>(D) ? "a parameter"
                        : isa<VarDecl>(D)   ? "a variable outside a function"
                        : isa<FieldDecl>(D) ? "a data member"
                        : isa<EnumDecl>(D)  ? "an enumeration"
                        : isa<TagDecl>(D)   ? "a class"
                        : isa<TypedefNameDecl>(D) ? "a type name"
                        : isa<NamespaceDecl>(D)   ? "a namespace"
                        : isa<LabelDecl>(D) ? "a label (put it after the colon)"
                                            : "this declaration";
    report(S, A.getLoc(), Diag::WrongPlace) << Name << Place;
    return false;
  }

  bool checkStmt(Sema &S, const Stmt *St, const ParsedAttr &A) const {
    llvm::StringRef Name = info(K).Attribute;
    if (K == Kind::Ignore) {
      report(S, A.getLoc(), Diag::IgnorePlace);
      return false;
    }
    if (isLoopKind(K) && !isLoop(St)) {
      report(S, A.getLoc(), Diag::NotALoop) << Name << St->getSourceRange();
      return false;
    }
    if (isa<SwitchCase, LabelStmt>(St)) {
      report(S, A.getLoc(), Diag::OnLabel) << Name;
      return false;
    }
    return true;
  }

  const Kind K;
  std::string Scoped;
  std::string Bare;
  std::string Reserved;
  std::string ReservedBare;
  Spelling Names[8];
};

template <Kind Which> struct Registered : LoopscopeAttribute {
  Registered() : LoopscopeAttribute(Which) {}
};

using Registry = ParsedAttrInfoRegistry;
Registry::Add<Registered<Kind::Phase>> AddPhase("loopscope_phase", "");
Registry::Add<Registered<Kind::Fit>> AddFit("loopscope_fit", "");
Registry::Add<Registered<Kind::Validate>> AddValidate("loopscope_validate", "");
Registry::Add<Registered<Kind::Test>> AddTest("loopscope_test", "");
Registry::Add<Registered<Kind::Predict>> AddPredict("loopscope_predict", "");
Registry::Add<Registered<Kind::Epoch>> AddEpoch("loopscope_epoch", "");
Registry::Add<Registered<Kind::Train>> AddTrain("loopscope_train", "");
Registry::Add<Registered<Kind::Valid>> AddValid("loopscope_valid", "");
Registry::Add<Registered<Kind::Draw>> AddDraw("loopscope_draw", "");
Registry::Add<Registered<Kind::Wait>> AddWait("loopscope_wait", "");
Registry::Add<Registered<Kind::Collective>>
    AddCollective("loopscope_collective", "");
Registry::Add<Registered<Kind::Ignore>> AddIgnore("loopscope_ignore", "");
#define LOOPSCOPE_ROW(NAME, IDENTIFIER, NOUN)                                  \
  Registry::Add<Registered<Kind::IDENTIFIER>> Add##IDENTIFIER(                 \
      "loopscope_" #NAME, "");
__LOOPSCOPE_AMOUNTS(LOOPSCOPE_ROW)
#undef LOOPSCOPE_ROW
Registry::Add<Registered<Kind::Iterations>>
    AddIterations("loopscope_iterations", "");
Registry::Add<Registered<Kind::Key>> AddKey("loopscope_key", "");

} // namespace

std::optional<Mark> readMark(const Attr &A) {
  const auto *Annotate = dyn_cast<AnnotateAttr>(&A);
  if (!Annotate)
    return std::nullopt;
  llvm::StringRef Text = Annotate->getAnnotation();
  if (!Text.consume_front(Prefix))
    return std::nullopt;
  auto [Name, Argument] = Text.split('=');
  std::optional<Kind> K = kindNamed(Name);
  if (!K)
    return std::nullopt;
  Mark Result;
  Result.K = *K;
  Result.Argument = Argument.str();
  Result.Loc = A.getLocation();
  Result.Inherited = Annotate->isInherited();
  const QuantityInfo *Takes = quantityOf(*K);
  if (*K == Kind::Key) {
    auto [Expression, Label] = Argument.rsplit(SecondMark);
    Result.Argument = Expression;
    Result.KeyLabel = Label;
  } else if (takesTwo(*K)) {
    auto [Called, Second] = Argument.split(SecondMark);
    Result.Argument = Called;
    Result.Amounts[Takes->Q].Text = Second;
  } else if (Takes && !Takes->By) {
    Result.Amounts[Takes->Q].Text = std::move(Result.Argument);
    Result.Argument.clear();
  }
  return Result;
}

void registerAttributes() {}

} // namespace loopscope::instrument
