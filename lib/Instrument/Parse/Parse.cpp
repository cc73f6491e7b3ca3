// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One translation unit -> annotations.

#include "Instrument/Parse/Parse.h"

#include "Instrument/Find/Annotations.h"
#include "Instrument/Parse/Collect.h"
#include "Instrument/Parse/CompilerHeaders.h"
#include "Instrument/Parse/Copies.h"

#include "clang/AST/ASTConsumer.h"
#include "clang/Basic/FileManager.h"
#include "clang/Basic/SourceManager.h"
#include "clang/Frontend/CompilerInstance.h"
#include "clang/Frontend/FrontendAction.h"
#include "clang/Tooling/Tooling.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

class Consumer : public ASTConsumer {
public:
  Consumer(CompilerInstance &CI, const FindOptions &Find,
           const PreprocessorLog &Log, Listener &L, ParseResult &Result,
           bool &Finished)
      : CI(CI), Find(Find), Log(Log), L(L), Result(Result), Finished(Finished) {
  }

  void HandleTranslationUnit(ASTContext &Context) override {
    Finished = true;
    collect(Context, Find, Log, L, Result);
    L.printRest();
  }

  bool shouldSkipFunctionBody(Decl *D) override {
    const SourceManager &SM = CI.getSourceManager();
    // Templates have no attributes, and declarations created by `auto` have no
    // beginning.
    const Decl *Written = D->getAsFunction() ? D->getAsFunction() : D;
    SourceLocation Loc = SM.getExpansionLoc(
        D->getBeginLoc().isValid() ? D->getBeginLoc() : Written->getBeginLoc());
    if (SM.isInSystemHeader(Loc))
      return true;
    for (const Attr *Each : Written->attrs())
      if (readMark(*Each))
        return false;
    if (Log.HasWrappers)
      return false;
    if (const FunctionDecl *Function = D->getAsFunction();
        Function && mayBeSelected(*Function, Find))
      return false;
    if (!Where)
      Where = std::make_unique<Places>(D->getASTContext(), Log.MadeText);
    auto [File, Offset] = SM.getDecomposedLoc(Loc);
    auto [Last, New] = LastIncludes.try_emplace(File);
    if (New)
      Last->second = lastInclude(Where->text(File));
    if (Offset < Last->second && mayIncludeInBody(Where->text(File), Offset))
      return false;
    const SourceText &Scan = Where->scan(File);
    return !Scan.hasAnnotations() || !Scan.mayAnnotateBody(Offset);
  }

private:
  CompilerInstance &CI;
  const FindOptions &Find;
  const PreprocessorLog &Log;
  Listener &L;
  ParseResult &Result;
  bool &Finished;
  std::unique_ptr<Places> Where;
  std::map<FileID, unsigned> LastIncludes; ///< See lastInclude.
};

class Action : public ASTFrontendAction {
public:
  Action(const FindOptions &Find, PreprocessorLog &Log, Listener &L,
         ParseResult &Result, bool &Finished)
      : Find(Find), Log(Log), L(L), Result(Result), Finished(Finished) {}

  bool BeginInvocation(CompilerInstance &CI) override {
    CI.getFrontendOpts().SkipFunctionBodies = true;
    CI.getDiagnostics().setIgnoreAllWarnings(true);
    // A missing header must not end the parse.
    CI.getDiagnostics().setFatalsAsError(true);
    return true;
  }

  std::unique_ptr<ASTConsumer> CreateASTConsumer(CompilerInstance &CI,
                                                 StringRef) override {
    watchPreprocessor(CI.getPreprocessor(), Log);
    return std::make_unique<Consumer>(CI, Find, Log, L, Result, Finished);
  }

private:
  const FindOptions &Find;
  PreprocessorLog &Log;
  Listener &L;
  ParseResult &Result;
  bool &Finished;
};

} // namespace

/// The directory of Clang's own headers; "" if the command doesn't give it.
static std::string resourceHeaders(const ParseOptions &Options) {
  auto Flag = llvm::find(Options.Command, "-resource-dir");
  if (Options.Command.end() - Flag < 2)
    return "";
  return *std::next(Flag) + "/include";
}

ParseResult parseFile(const ParseOptions &Options) {
  registerAttributes();
  ParseResult Result;
  PreprocessorLog Log;
  Listener L(Options);
  bool Finished = false;
  FileSystemOptions FSOptions;
  FSOptions.WorkingDir = Options.Directory;
  llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> System =
      withoutHeaders(Options.OwnDirectories, resourceHeaders(Options));
  if (Options.IsGcc)
    System = withCopiesAsOne(std::move(System));
  llvm::IntrusiveRefCntPtr<FileManager> Files =
      llvm::makeIntrusiveRefCnt<FileManager>(FSOptions, std::move(System));
  tooling::ToolInvocation Invocation(
      Options.Command,
      std::make_unique<Action>(Options.Find, Log, L, Result, Finished),
      Files.get());
  Invocation.setDiagnosticConsumer(&L);
  Invocation.run();
  Result.Refusals = std::move(L.Refusals);
  Result.Errors = L.Ours > Result.Refused ? L.Ours - Result.Refused : 0;
  if (!Finished || L.DriverErrors != 0) {
    Result.Failed = true;
    Result.Errors += L.DriverErrors;
  }
  return Result;
}

} // namespace loopscope::instrument
