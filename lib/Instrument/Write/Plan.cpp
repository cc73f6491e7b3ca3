// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a parse found -> the edits of each file.

#include "Instrument/Write/Plan.h"

#include "Instrument/Write/Writer.h"

#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/Path.h"

#include <filesystem>

#include <fmt/format.h>

namespace path = llvm::sys::path;
using llvm::StringRef;

namespace loopscope::instrument {

/// Points includes to the mirrored header or, if the lookup started in the
/// directory that the file leaves, to the original.
static void editIncludes(const ParseResult &R, const MirrorLayout &Layout,
                         PlannedFile &File) {
  bool IsRelative =
      !Layout.RelativeTo.empty() && !path::is_absolute(File.Source->Spelling);
  std::string Own(path::parent_path(File.Mirrored));
  auto Known = R.Inclusions.find(File.Source->Path);
  if (Known == R.Inclusions.end())
    return;
  StringRef Text = File.Source->Text;
  for (const Inclusion &I : Known->second) {
    if (I.Target.empty()) {
      File.Edits.push_back({{I.Keyword.Begin, I.Operand.End}, "0"});
      continue;
    }
    auto Moved = llvm::find_if(R.Code.Files, [&](const SourceFile &Other) {
      return !I.IsUnit && Other.Path == I.Target;
    });
    bool HasMoved = Moved != R.Code.Files.end();
    if (!HasMoved && !I.MoveBreaks)
      continue;
    std::string To = HasMoved ? mirroredPath(Layout, *Moved) : I.Target;
    if (!Layout.RelativeTo.empty() && HasMoved)
      To = To.substr(Layout.Root.size() + 1);
    else if (IsRelative && !I.IsUnit && !path::is_absolute(I.Name))
      To = std::filesystem::path(To).lexically_relative(Own).string();
    To = quote(To);
    File.IncludeEdits.push_back(
        {I.Line, Text.slice(I.Operand.Begin, I.Operand.End).str(), To, I.Name});
    StringRef Keyword = Text.slice(I.Keyword.Begin, I.Keyword.End);
    if (Keyword.consume_back("_next"))
      File.Edits.push_back({I.Keyword, Keyword.str()});
    File.Edits.push_back({I.Operand, To});
  }
  llvm::stable_sort(File.Edits, [](const Edit &A, const Edit &B) {
    return A.Where.Begin < B.Where.Begin;
  });
}

/// Where FILE really is and, below that, its given name if that is another: by
/// its name a compiler knows the language, and names what it writes.
static std::string placeAndName(const SourceFile &File) {
  StringRef Name = path::filename(File.Spelling);
  return path::filename(File.Path) == Name ? File.Path
                                           : File.Path + "/" + Name.str();
}

std::string mirroredPath(const MirrorLayout &Layout, const SourceFile &File) {
  if (Layout.RelativeTo.empty() || path::is_absolute(File.Spelling))
    return Layout.Root + placeAndName(File);
  unsigned Up = 0;
  std::string Rest;
  for (const std::filesystem::path &Part :
       std::filesystem::path(placeAndName(File))
           .lexically_relative(Layout.RelativeTo)) {
    if (Part == "..")
      ++Up;
    else
      Rest += "/" + Part.string();
  }
  return fmt::format("{}/loopscope-{}{}", Layout.Root, Up, Rest);
}

std::vector<PlannedFile> planFiles(const ParseResult &R,
                                   const MirrorLayout &Layout) {
  std::vector<PlannedFile> All;
  for (unsigned I = 0; I < R.Code.Files.size(); ++I) {
    PlannedFile Each;
    Each.Source = &R.Code.Files[I];
    Each.Sites = numberSites(R.Code, I);
    Each.KeepsLines = Layout.KeepsLines;
    Each.Changes = !Layout.Root.empty() || !Each.Sites.empty();
    if (Each.Changes)
      Each.Edits = planEdits(Each.Sites, *Each.Source);
    if (!Layout.Root.empty()) {
      Each.Mirrored = mirroredPath(Layout, *Each.Source);
      editIncludes(R, Layout, Each);
    }
    All.push_back(std::move(Each));
  }
  return All;
}

std::string rewrittenText(const PlannedFile &File) {
  const SourceFile &Source = *File.Source;
  if (!File.Changes)
    return Source.Text;
  std::string Text = applyEdits(Source.Text, File.Edits);
  if (File.KeepsLines)
    return Text;
  return withPrelude(Text, Source.Spelling, !File.Sites.empty() || Source.Main);
}

} // namespace loopscope::instrument
