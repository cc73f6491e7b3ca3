// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the planned files of one job.

#include "Instrument/Output.h"

#include "Instrument/Diagnose/Diagnostics.h"
#include "Instrument/Outcome.h"
#include "Instrument/Write/Writer.h"
#include "Support/OutputFile.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Path.h"

#include <fmt/format.h>

using namespace llvm;

namespace loopscope::instrument {

/// Gives TO the time stamp of FROM, which __TIMESTAMP__ shows.
static void copyTime(const std::string &From, const std::string &To) {
  sys::fs::file_status Status;
  if (sys::fs::status(From, Status))
    return;
  Expected<sys::fs::file_t> File = sys::fs::openNativeFileForReadWrite(
      To, sys::fs::CD_OpenExisting, sys::fs::OF_None);
  if (!File) {
    consumeError(File.takeError());
    return;
  }
  (void)sys::fs::setLastAccessAndModificationTime(
      *File, Status.getLastModificationTime());
  (void)sys::fs::closeFile(*File);
}

MirrorLayout mirrorLayout(const Options &O, StringRef Directory) {
  if (O.Out != Output::Mirror)
    return {};
  SmallString<256> Root(O.OutputPath);
  (void)sys::fs::make_absolute(Root);
  SmallString<256> RealRoot, From;
  if (!O.Relocatable || sys::fs::real_path(Root, RealRoot) ||
      sys::fs::real_path(Directory, From))
    return {Root.str().str(), "", O.KeepLines};
  return {RealRoot.str().str(), From.str().str(), O.KeepLines};
}

bool JobWriter::write(const ParseResult &R,
                      const std::vector<PlannedFile> &Plan,
                      const std::vector<launch::RuleOutcome> &Rules) {
  if (O.Out == Output::Mirror)
    return writeMirror(R, Plan, Rules);
  if (Plan.empty())
    return writeUnchanged();
  if (O.Out == Output::File || O.Out == Output::InPlace)
    return writeOne(Plan);
  if (O.Out == Output::Diff)
    for (const PlannedFile &Each : Plan)
      Out << unifiedDiff(Each.Source->Spelling, Each.Source->Text,
                         rewrittenText(Each));
  return true;
}

bool JobWriter::writeUnchanged() {
  if (O.Out != Output::File)
    return true;
  auto Text = MemoryBuffer::getFile(Path, /*IsText=*/false,
                                    /*RequiresNullTerminator=*/false);
  if (!Text) {
    printError(Err,
               "cannot read '" + J.File + "': " + Text.getError().message());
    return false;
  }
  return put(O.OutputPath, (*Text)->getBuffer(), Path);
}

bool JobWriter::writeOne(const std::vector<PlannedFile> &Plan) {
  for (const PlannedFile &Each : Plan) {
    if (Each.Source->Main || Each.Sites.empty() || O.Out == Output::InPlace)
      continue;
    printError(Err, "header '" + Each.Source->Spelling +
                        "' holds annotations too; use --mirror DIR, which "
                        "writes it beside the rewritten " +
                        J.File + tag(Diag::HeaderAnnotated));
    return false;
  }
  if (O.Out == Output::File)
    return put(O.OutputPath, rewrittenText(Plan.front()), Path);
  for (const PlannedFile &Each : Plan)
    if (!Each.Sites.empty() &&
        !put(Each.Source->Main ? Path : Each.Source->Path, rewrittenText(Each)))
      return false;
  return true;
}

bool JobWriter::writeMirror(const ParseResult &R,
                            const std::vector<PlannedFile> &Plan,
                            const std::vector<launch::RuleOutcome> &Rules) {
  if (none_of(Plan, [](const PlannedFile &E) { return !E.Sites.empty(); }))
    return writeManifest(R, {}, Rules);
  for (const PlannedFile &Each : Plan) {
    const std::string &Original = Each.Source->Path;
    if (!put(Each.Mirrored, rewrittenText(Each), Original))
      return false;
    copyTime(Original, Each.Mirrored);
  }
  return writeManifest(R, Plan, Rules);
}

/// See Manifest::WithoutHooks.
static std::vector<std::string> withoutHooks(const Job &J,
                                             const ParseResult &R) {
  // Nothing can be included into a module unit, not even its name's note.
  if (R.InModule)
    return {};
  if (R.LeftAlone)
    return {J.File};
  constexpr size_t Named = 8;
  std::map<std::string, std::set<std::string>> Files;
  for (const launch::FunctionOutcome &F : R.Functions) {
    if (F.LeftOut != launch::NotParsed)
      continue;
    StringRef File = F.Place;
    File = File.rsplit(':').first.rsplit(':').first;
    File.consume_front(J.Directory + "/");
    Files[File.str()].insert(F.Name);
  }
  std::vector<std::string> All;
  for (const auto &[File, Names] : Files) {
    std::string Text;
    for (const std::string &Name : Names) {
      if (&Name == &*Names.begin())
        Text = Name;
      else if (size_t(std::distance(Names.begin(), Names.find(Name))) < Named)
        Text += ", " + Name;
    }
    if (Names.size() > Named)
      Text += fmt::format(" and {} more", Names.size() - Named);
    All.push_back(fmt::format("{} (only {})", File, Text));
  }
  return All;
}

bool JobWriter::writeManifest(const ParseResult &R,
                              const std::vector<PlannedFile> &Plan,
                              const std::vector<launch::RuleOutcome> &Rules) {
  if (O.ManifestPath.empty())
    return true;
  Manifest M;
  M.Status = R.Failed       ? Manifest::Outcome::Failed
             : Plan.empty() ? Manifest::Outcome::Unchanged
                            : Manifest::Outcome::Instrumented;
  M.CPlusPlus = R.Code.CPlusPlus;
  for (const PlannedFile &Each : Plan)
    M.Files.push_back({Each.Source->Path, Each.Source->Spelling, Each.Mirrored,
                       Each.Source->Main,
                       static_cast<unsigned>(Each.Sites.size()),
                       Each.IncludeEdits});
  if (!M.Files.empty())
    llvm::sort(std::next(M.Files.begin()), M.Files.end(),
               [](const MirroredFile &A, const MirroredFile &B) {
                 return A.Original < B.Original;
               });
  M.OwnCleanups = R.OwnCleanups;
  M.Source = Path;
  M.Includes = R.Includes;
  M.Functions = R.Functions;
  M.Rules = Rules;
  M.WithoutHooks = withoutHooks(J, R);
  M.Errors = R.Errors;
  M.Refused = R.Refused;
  M.ForeignErrors = R.ForeignErrors;
  return put(O.ManifestPath, toJSON(M), Path);
}

bool JobWriter::put(StringRef To, StringRef Text, StringRef Source) {
  if (To == "-") {
    Out << Text;
    return true;
  }
  if (isSameFile(To.str(), Source.str())) {
    printError(Err, "cannot write '" + To +
                        "': it is the source itself; name another file, or use "
                        "--in-place --force");
    return false;
  }
  if (std::optional<Error> Why = writeFile(To, Text)) {
    printError(Err, Why->Message);
    return false;
  }
  return true;
}

} // namespace loopscope::instrument
