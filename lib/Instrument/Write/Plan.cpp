// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a parse found -> the edits of each file.

#include "Instrument/Write/Plan.h"

#include "Instrument/Write/Writer.h"

#include "llvm/ADT/STLExtras.h"

using llvm::StringRef;

namespace loopscope::instrument {

/// Points includes to the mirrored header or, if the lookup started in the
/// directory that the file leaves, to the original.
static void editIncludes(const ParseResult &R, StringRef MirrorRoot,
                         PlannedFile &File) {
  auto Known = R.Inclusions.find(File.Source->Path);
  if (Known == R.Inclusions.end())
    return;
  StringRef Text = File.Source->Text;
  for (const Inclusion &I : Known->second) {
    bool Moved =
        !I.IsUnit && llvm::any_of(R.Code.Files, [&](const SourceFile &Other) {
          return Other.Path == I.Target;
        });
    if (!Moved && !I.MoveBreaks)
      continue;
    std::string To =
        quote(Moved ? mirroredPath(MirrorRoot, I.Target) : I.Target);
    File.IncludeEdits.push_back(
        {I.Line, Text.slice(I.Operand.Begin, I.Operand.End).str(), To});
    if (Text.slice(I.Keyword.Begin, I.Keyword.End) == "include_next")
      File.Edits.push_back({I.Keyword, "include"});
    File.Edits.push_back({I.Operand, To});
  }
  llvm::stable_sort(File.Edits, [](const Edit &A, const Edit &B) {
    return A.Where.Begin < B.Where.Begin;
  });
}

std::string mirroredPath(StringRef Root, StringRef Original) {
  return (Root + Original).str();
}

std::vector<PlannedFile> planFiles(const ParseResult &R, StringRef MirrorRoot) {
  std::vector<PlannedFile> All;
  for (unsigned I = 0; I < R.Code.Files.size(); ++I) {
    PlannedFile Each;
    Each.Source = &R.Code.Files[I];
    Each.Sites = numberSites(R.Code, I);
    Each.Changes = !MirrorRoot.empty() || !Each.Sites.empty();
    if (Each.Changes)
      Each.Edits = planEdits(Each.Sites, *Each.Source);
    if (!MirrorRoot.empty())
      editIncludes(R, MirrorRoot, Each);
    All.push_back(std::move(Each));
  }
  return All;
}

std::string rewrittenText(const PlannedFile &File) {
  const SourceFile &Source = *File.Source;
  if (!File.Changes)
    return Source.Text;
  return withPrelude(applyEdits(Source.Text, File.Edits), Source.Spelling,
                     !File.Sites.empty() || Source.Main);
}

} // namespace loopscope::instrument
