// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One job -> its annotations.

#include "Instrument/FindMarks.h"

#include "Instrument/Diagnose/Diagnostics.h"
#include "Instrument/Find/FunctionMode.h"
#include "Instrument/Outcome.h"
#include "Instrument/Parse/Invocation.h"
#include "Instrument/Text/SourceText.h"
#include "Support/Paths.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

using namespace llvm;

namespace loopscope::instrument {

/// The directory of <loopscope/annotate.h>: beside an installed tool, else in
/// our sources.
static std::string includeDirectory(const Options &O) {
  std::string Tool = sys::fs::getMainExecutable(
      O.Program.c_str(), reinterpret_cast<void *>(&instrument));
  SmallString<256> Beside(sys::path::parent_path(sys::path::parent_path(Tool)));
  sys::path::append(Beside, "include");
  return sys::fs::exists(Beside + "/loopscope/annotate.h")
             ? Beside.str().str()
             : inBuildTree("headers");
}

static void addOwnFlags(std::vector<std::string> &Command, const Options &O) {
  std::string Include = includeDirectory(O);
  // Clang's errors that are only warnings in other compilers are warnings for
  // us.
  std::vector<std::string> Own = {
      "-fsyntax-only",   "-D__LOOPSCOPE_REWRITER__",
      "-ferror-limit=0", "-Wno-everything",
      "-idirafter",      Include,
      "-idirafter",      Include + "/loopscope/clang_cuda"};
  if (none_of(Command, [](StringRef Flag) {
        return Flag.starts_with("-resource-dir");
      })) {
    Own.push_back("-resource-dir");
    Own.push_back(defaultResources());
  }
  Command.insert(Command.begin() + 1, Own.begin(), Own.end());
}

std::string sourcePath(const Job &J) {
  if (sys::path::is_absolute(J.File))
    return J.File;
  SmallString<256> Path(J.Directory);
  sys::path::append(Path, J.File);
  return Path.str().str();
}

bool isPlain(const Job &J, StringRef Path) {
  if (is_contained(J.Command, "-include"))
    return false;
  auto Text = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  return Text && !mentionsLoopscope((*Text)->getBuffer()) &&
         !(*Text)->getBuffer().contains("#") &&
         !(*Text)->getBuffer().contains("import");
}

ParseResult findMarks(const Job &J, const Options &O, raw_ostream &Err) {
  ParseOptions P;
  P.Find.Select = O.Select;
  P.Find.Functions = O.Functions;
  P.Find.Earlier = O.Earlier;
  P.Find.Suggest = O.Out == Output::Suggest;
  std::optional<unsigned> MinSize = O.MinSize;
  if (!MinSize && O.Select && O.Select->MinSize != 0)
    MinSize = O.Select->MinSize;
  P.Find.MinSize = MinSize.value_or(DefaultMinSize);
  P.Find.MinInlineSize = MinSize.value_or(DefaultMinInlineSize);
  P.Command = J.Command;
  addOwnFlags(P.Command, O);
  P.Directory = J.Directory;
  P.OwnDirectories = J.OwnDirectories;
  P.IsGcc = J.IsGcc;
  P.MainFile = J.File;
  P.RefusalsAreErrors = !O.Passthrough;
  P.Diagnostics = &Err;
  P.Colour = O.Colour;
  P.ShowErrors = O.ShowErrors;
  ParseResult R = parseFile(P);
  if (J.IsGcc) {
    auto TakeDot = [](std::string &Name) {
      if (StringRef(Name).starts_with("./"))
        Name.erase(0, 2);
    };
    for (SourceFile &Each : R.Code.Files)
      TakeDot(Each.Spelling);
    for (auto &[Path, List] : R.Inclusions)
      for (Inclusion &Each : List)
        TakeDot(Each.Name);
    for (FoundMark &Each : R.Marks)
      TakeDot(Each.Where.File);
    for (Refusal &Each : R.Refusals)
      TakeDot(Each.Where.File);
  }
  if (R.Failed) {
    R.Code.Annotations.clear();
    if (O.Out == Output::Suggest)
      printError(Err, J.File + " can't be parsed with these flags");
    else if (O.Passthrough)
      printWarning(Err, J.File + " is left as it is: it can't be parsed");
    else
      printError(Err, J.File +
                          " can't be instrumented: its annotated code doesn't "
                          "parse; nothing was written" +
                          tag(Diag::NotParsed));
  } else if (R.ForeignErrors != 0 && O.Out == Output::Suggest) {
    printWarning(Err, J.File + " has " + Twine(R.ForeignErrors) +
                          " error(s) of clang, so loops may be missing; check "
                          "the flags after --" +
                          (O.ShowErrors ? "" : "; --show-errors prints them") +
                          tag(Diag::ForeignErrors));
  } else if (R.ForeignErrors != 0) {
    printWarning(Err, J.File + ": " + Twine(R.ForeignErrors) +
                          " error(s) of clang outside the annotated code were "
                          "ignored" +
                          (O.ShowErrors ? "" : "; --show-errors prints them") +
                          tag(Diag::ForeignErrors));
  }
  return R;
}

} // namespace loopscope::instrument
