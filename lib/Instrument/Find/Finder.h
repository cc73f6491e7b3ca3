// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotated constructs -> annotations.
//
// The visitor in Annotations.cpp tells a Finder what it meets and where; the
// Finder decides how to instrument it. One file per kind of construct.

#ifndef LOOPSCOPE_INSTRUMENT_FIND_FINDER_H
#define LOOPSCOPE_INSTRUMENT_FIND_FINDER_H

#include "Instrument/Diagnose/Diagnostics.h"
#include "Instrument/Find/Annotations.h"
#include "Instrument/Find/FunctionMode.h"
#include "Instrument/Select/Selector.h"

#include "clang/AST/DeclCXX.h"
#include "clang/AST/StmtCXX.h"
#include "clang/Basic/Diagnostic.h"
#include "clang/Basic/SourceManager.h"
#include "llvm/ADT/SmallPtrSet.h"

namespace loopscope::instrument {

/// The function whose body is being visited.
struct FunctionScope {
  const clang::FunctionDecl *Decl = nullptr;
  const clang::Stmt *Body = nullptr;
  std::string Name;
  size_t FirstParent = 0;   ///< In Finder::Parents.
  unsigned Loops = 0;       ///< Visited so far.
  size_t Seen = ~size_t(0); ///< In FindResult::Project.
};

/// The declarations of S that come before its body, or S itself; some are null.
std::vector<const clang::Stmt *> declarationsOf(const clang::Stmt &S);

class Finder {
public:
  Finder(clang::ASTContext &Context, const Places &Where,
         const FindOptions &Options)
      : Context(Context), SM(Context.getSourceManager()), Where(Where),
        Options(Options),
        Select(Context, Where, Options.Select, Result.Matches) {}

  FindResult Result;

  //===--- What the visitor keeps -----------------------------------------===//

  std::vector<FunctionScope> Scopes;        ///< Innermost last.
  std::vector<const clang::Stmt *> Parents; ///< Of what is being visited.
  unsigned ConstantDepth = 0; ///< Above 0: the compiler evaluates this.
  /// In a macro's use that is one statement: what a rule means there is all of
  /// it.
  bool InMacroUse = false;
  /// Why function mode takes no lambda here; "" if it may.
  llvm::StringRef NoLambdas;
  /// Lambdas and functions that constant expressions call.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> CalledByCompiler;
  /// See calledByLoader.
  FunctionSet CalledByLoader;

  //===--- What it meets --------------------------------------------------===//

  /// Begins a scope for \p Function; \p Body is null if it is only declared.
  void enter(const clang::FunctionDecl &Function, const clang::Stmt *Body);
  /// The function, lambda or prototype of the innermost scope.
  void function(clang::FunctionDecl &Function);
  /// Whether the selection may have a rule for \p S, which is met now.
  bool mayBeSelected(const clang::Stmt &S) const;
  /// The selection's marks for a statement. \p Ahead is 1 if it is visited
  /// before its loop has been counted.
  std::vector<Mark> select(const clang::Stmt &S, unsigned Ahead);
  /// Notes a loop or call for rules that match nothing.
  void seeForHints(const clang::Stmt &S);
  /// A statement with attributes, ours or others.
  void statement(const clang::AttributedStmt &S);
  /// Turns \p Marks into hooks for \p SubStatement. \p Node is what the parent
  /// holds: \p SubStatement, or \p SubStatement with its attributes.
  void statement(std::vector<Mark> Marks, const clang::Stmt &Node,
                 const clang::Stmt &SubStatement);
  /// Whether S, an expression or a loop, is a statement of its own.
  bool isStatement(const clang::Stmt &S) const;
  /// A declaration as a statement.
  void declaration(const clang::DeclStmt &S);
  /// Whether \p D is at the top level of a system header.
  bool isForeign(const clang::Decl &D) const;
  /// Refuses marks in lambdas that constant expressions call. Function mode
  /// leaves these out.
  void refuseCalledByCompiler();

private:
  /// Reports that the construct of \p M stays unchanged.
  clang::DiagnosticBuilder refuse(const Mark &M, Diag D);
  void refuseAll(const std::vector<Mark> &Marks, Diag D);
  /// Records that \p M, which is on a \p Construct, was understood; see
  /// FindResult::Seen.
  void see(const Mark &M, llvm::StringRef Construct);
  /// Our marks among ATTRIBUTES.
  std::vector<Mark> marksOf(llvm::ArrayRef<const clang::Attr *> Attributes);
  /// Moves amounts and keys with attributes of their own from \p Marks into the
  /// mark beside them. If it isn't clear which mark they belong to, removes all
  /// but function mode's.
  void joinBeside(std::vector<Mark> &Marks);
  /// Refuses every mark if the enclosing code can't hold a hook.
  bool holdsHooks(const std::vector<Mark> &Marks);
  /// Refuses \p Marks, whose code begins or ends inside a macro. Returns false.
  bool inMacro(const std::vector<Mark> &Marks);
  /// Refuses \p Marks on \p Code if a macro turns it into a string.
  bool isMadeText(const std::vector<Mark> &Marks, const FileRange &Code);
  /// Refuses \p Marks if something jumps past their start. Returns false then.
  bool jumpedInto(const std::vector<Mark> &Marks);
  /// Whether no mark is left without those whose hook would stand between CODE
  /// and its label, where a jump names that; refuses them.
  bool isPartedFromLabel(std::vector<Mark> &Marks, const clang::Stmt &Code);
  /// Fills in what all forms need and records the annotation.
  /// \p Loop is what has the mark, where that is a loop.
  void add(const Mark &M, Annotation A, clang::FileID File,
           const clang::Stmt *Loop = nullptr);
  /// Adds function mode's mark if it wants this function.
  void addFunctionMode(const clang::FunctionDecl &Function,
                       std::vector<Mark> &Marks);
  /// Whether an earlier run shows that a hook would cost more than it tells.
  bool isSmallInProfile(const clang::FunctionDecl &Function,
                        const clang::Stmt &Body) const;
  /// Like whyLeftOut, for what surrounds the lambda \p Function.
  llvm::StringRef whyLambdaLeftOut(const clang::FunctionDecl &Function) const;
  /// The braces of a function's body or of its try block.
  std::optional<FileRange> functionBraces(const clang::Stmt &Body) const;
  /// Refuses or skips \p Marks on something without a body.
  void bodyless(const clang::FunctionDecl &Function,
                const std::vector<Mark> &Marks);
  /// The inside of \p Text, which starts with a brace if it can be used.
  std::optional<Block> braces(clang::FileID File, Range Text) const;
  /// Refuses a second kind of loop on the same loop.
  bool oneLoopKind(const std::vector<Mark> &Marks);
  /// A pragma that must be directly before its loop leaves no room for a brace.
  /// \p Node is \p Sub with its attributes.
  bool underPragma(const std::vector<Mark> &Marks, const clang::Stmt &Node,
                   const clang::Stmt *Sub);
  /// Whether \p Sub is part of what an OpenMP directive around it treats as
  /// one: a nest of loops, an atomic statement, sections, or what a scan
  /// divides.
  bool inDirective(const std::vector<Mark> &Marks, const clang::Stmt *Sub);
  /// Refuses marks if control leaves \p Inside, the code of a guard, in a way
  /// that guards don't survive.
  bool leftBehind(const std::vector<Mark> &Marks,
                  llvm::ArrayRef<const clang::Stmt *> Inside);
  /// The last statement of a statement expression is its value.
  bool isValue(const std::vector<Mark> &Marks, const clang::Stmt &S);
  /// Fills in \p A for \p M on \p Loop; false if it is refused.
  bool loop(const Mark &M, const clang::Stmt *Loop, clang::FileID File,
            Annotation &A);
  /// Fills in an amount of \p A from the expression in \p M, if there is one;
  /// \p Names receives its identifiers. False if it is refused.
  bool amount(const Mark &M, const QuantityInfo &I, Annotation &A,
              std::vector<std::string> &Names);
  /// Refuses those of \p Marks whose key names what \p S declares before its
  /// body: the span begins before that, so the name would be another's.
  void refuseLaterNames(std::vector<Mark> &Marks, const clang::Stmt &S);
  /// All amounts of \p M that its span has, not steps. False as above.
  bool spanAmounts(const Mark &M, Annotation &A);
  /// An amount that is evaluated in each step of a loop, with its place in \p
  /// Body.
  bool stepAmount(const Mark &M, const QuantityInfo &I, const clang::Stmt *Body,
                  Annotation &A);
  /// Whether S declares one of NAMES.
  static bool declares(const clang::DeclStmt &S,
                       const std::vector<std::string> &Names);
  /// The block that contains \p S, and its child there: \p S with its labels.
  /// No block if \p S is the body of an if or a loop, or is in a head.
  std::pair<const clang::CompoundStmt *, const clang::Stmt *>
  blockAround(const clang::Stmt &S) const;
  /// Refuses \p Marks, whose timer is in \p Block from \p Child to the block's
  /// end, if a jump crosses the timer's start or leaves it unnoticed.
  bool isTimerCrossed(const std::vector<Mark> &Marks,
                      const clang::CompoundStmt &Block,
                      const clang::Stmt *Child);
  /// Whether \p S is the entire body of its if, else or loop, without braces.
  bool isWholeBody(const clang::Stmt &S) const;
  /// The start of the first attribute, or \p Begin.
  unsigned annotationBegin(const std::vector<Mark> &Marks, clang::FileID File,
                           unsigned Begin) const;
  /// Skips attribute lists that are only ours, and our macros.
  unsigned behindOurs(clang::FileID File, unsigned Offset) const;
  /// The offset after the brace of the block whose direct child is being
  /// visited.
  unsigned parentBlock(clang::FileID File) const;

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  const Places &Where;
  const FindOptions &Options;
  Selector Select;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FIND_FINDER_H
