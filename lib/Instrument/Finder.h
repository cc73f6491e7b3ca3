// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotated constructs -> annotations.
//
// The visitor in Annotations.cpp tells a Finder what it meets and where it is;
// the Finder decides what becomes of it. One file per kind of construct.

#ifndef LOOPSCOPE_INSTRUMENT_FINDER_H
#define LOOPSCOPE_INSTRUMENT_FINDER_H

#include "Instrument/Annotations.h"
#include "Instrument/Diagnostics.h"
#include "Instrument/FunctionMode.h"
#include "Instrument/Selector.h"

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
  /// Why no lambda here is function mode's; "" where it may be.
  llvm::StringRef NoLambdas;
  /// Lambdas and functions that constant expressions call.
  llvm::SmallPtrSet<const clang::FunctionDecl *, 8> CalledByCompiler;
  /// See calledByLoader.
  FunctionSet CalledByLoader;

  //===--- What it meets --------------------------------------------------===//

  /// Begins a scope for FUNCTION; BODY is null where it is only declared.
  void enter(const clang::FunctionDecl &Function, const clang::Stmt *Body);
  /// The function, lambda or prototype of the innermost scope.
  void function(clang::FunctionDecl &Function);
  /// Whether the selection may have something for S, which is met now.
  bool mayBeSelected(const clang::Stmt &S) const;
  /// What the selection says of a statement; AHEAD is 1 when it is visited
  /// before its loop has been counted.
  std::vector<Mark> select(const clang::Stmt &S, unsigned Ahead);
  /// Notes a loop or call for rules that match nothing.
  void seeForHints(const clang::Stmt &S);
  /// A statement with attributes, ours or others.
  void statement(const clang::AttributedStmt &S);
  /// Makes hooks of MARKS for SUB. NODE is what the parent holds: SUB or SUB
  /// with its attributes.
  void statement(std::vector<Mark> Marks, const clang::Stmt &Node,
                 const clang::Stmt &SubStatement);
  /// Whether S, an expression or a loop, is a statement of its own.
  bool isStatement(const clang::Stmt &S) const;
  /// A declaration as a statement.
  void declaration(const clang::DeclStmt &S);
  /// Whether D stands in a system header, at its top level.
  bool isForeign(const clang::Decl &D) const;
  /// Refuses what stands in lambdas that constant expressions call. Function
  /// mode leaves them out.
  void refuseCalledByCompiler();

private:
  /// Reports that MARK's construct stays as it is.
  clang::DiagnosticBuilder refuse(const Mark &M, Diag D);
  void refuseAll(const std::vector<Mark> &Marks, Diag D);
  /// Notes that M was understood, which is on a CONSTRUCT; see
  /// FindResult::Seen.
  void see(const Mark &M, llvm::StringRef Construct);
  /// Our marks among ATTRIBUTES.
  std::vector<Mark> marksOf(llvm::ArrayRef<const clang::Attr *> Attributes);
  /// Gives what 'flops' and 'iterations' say to the mark beside them, and takes
  /// them out of MARKS; where it isn't clear whose one is, all of them, but
  /// function mode's.
  void joinBeside(std::vector<Mark> &Marks);
  /// Refuses every mark where the enclosing code can't hold a hook.
  bool holdsHooks(const std::vector<Mark> &Marks);
  /// Refuses MARKS, whose code begins or ends inside a macro. False.
  bool inMacro(const std::vector<Mark> &Marks);
  /// Refuses MARKS on CODE where a macro makes a string of it.
  bool isMadeText(const std::vector<Mark> &Marks, const FileRange &Code);
  /// Refuses MARKS, past whose start something jumps. False.
  bool jumpedInto(const std::vector<Mark> &Marks);
  /// Fills what every form has and records the annotation.
  void add(const Mark &M, Annotation A, clang::FileID File);
  /// Adds function mode's mark where it wants this function.
  void addFunctionMode(const clang::FunctionDecl &Function,
                       std::vector<Mark> &Marks);
  /// Whether an earlier run shows that a hook would cost more than it tells.
  bool isSmallInProfile(const clang::FunctionDecl &Function,
                        const clang::Stmt &Body) const;
  /// The same as whyLeftOut, of what surrounds the lambda FUNCTION.
  llvm::StringRef whyLambdaLeftOut(const clang::FunctionDecl &Function) const;
  /// The braces of a function's body, or of its try block.
  std::optional<FileRange> functionBraces(const clang::Stmt &Body) const;
  /// Refuses or passes over MARKS on what has no body.
  void bodyless(const clang::FunctionDecl &Function,
                const std::vector<Mark> &Marks);
  /// The inside of TEXT, which starts with a brace if it can be used.
  std::optional<Block> braces(clang::FileID File, Range Text) const;
  /// Refuses a second kind of loop on the same loop.
  bool oneLoopKind(const std::vector<Mark> &Marks);
  /// A pragma that needs a loop right after it can't have a brace there.
  /// NODE is SUB with its attributes.
  bool underPragma(const std::vector<Mark> &Marks, const clang::Stmt &Node,
                   const clang::Stmt *Sub);
  /// Whether SUB is a part of what an OpenMP directive around it takes as one:
  /// a nest of loops, an atomic statement, sections, what a scan divides.
  bool inDirective(const std::vector<Mark> &Marks, const clang::Stmt *Sub);
  /// What leaves INSIDE, the code of a guard, in ways that no guard survives.
  bool leftBehind(const std::vector<Mark> &Marks,
                  llvm::ArrayRef<const clang::Stmt *> Inside);
  /// The last statement of a statement expression is its value.
  bool isValue(const std::vector<Mark> &Marks, const clang::Stmt &S);
  /// Fills A for M on LOOP; false where it is refused.
  bool loop(const Mark &M, const clang::Stmt *Loop, clang::FileID File,
            Annotation &A);
  /// Fills AMOUNT with TEXT, M's expression of the kind K; NAMES receives its
  /// identifiers. False where it is refused.
  bool amount(const Mark &M, Kind K, llvm::StringRef Text, std::string &Amount,
              std::vector<std::string> &Names);
  /// The same of an expression for each step of a loop; AT receives its place
  /// in BODY, 0 for the top.
  bool stepAmount(const Mark &M, Kind K, llvm::StringRef Text,
                  const clang::Stmt *Body, std::string &Amount, unsigned &At);
  /// Whether S declares one of NAMES.
  static bool declares(const clang::DeclStmt &S,
                       const std::vector<std::string> &Names);
  /// The block that S stands in and what it holds there, S with its labels. No
  /// block: S is the body of an if or a loop, or stands in a head.
  std::pair<const clang::CompoundStmt *, const clang::Stmt *>
  blockAround(const clang::Stmt &S) const;
  /// Refuses MARKS, whose timer stands in BLOCK from CHILD on to BLOCK's end,
  /// where a jump crosses its start or leaves it unseen.
  bool isTimerCrossed(const std::vector<Mark> &Marks,
                      const clang::CompoundStmt &Block,
                      const clang::Stmt *Child);
  /// Whether S is all that its if, else or loop holds, without braces.
  bool isWholeBody(const clang::Stmt &S) const;
  /// Where the first of the attributes starts, or BEGIN.
  unsigned annotationBegin(const std::vector<Mark> &Marks, clang::FileID File,
                           unsigned Begin) const;
  /// Skips attribute lists that are only ours, and our macros.
  unsigned behindOurs(clang::FileID File, unsigned Offset) const;
  /// Behind the brace of the block whose direct child is being visited.
  unsigned parentBlock(clang::FileID File) const;

  clang::ASTContext &Context;
  const clang::SourceManager &SM;
  const Places &Where;
  const FindOptions &Options;
  Selector Select;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FINDER_H
