// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Handles files that a unit includes more than once.

#include "Instrument/Find/Repeats.h"

#include "llvm/ADT/STLExtras.h"

using namespace clang;

namespace loopscope::instrument {
namespace {

/// Whether both have the same hooks at the same places.
bool areSameHooks(const Annotation &A, const Annotation &B) {
  return A.K == B.K && A.Name == B.Name && A.Amounts == B.Amounts &&
         A.KeyLabel == B.KeyLabel && A.F == B.F && A.Whole == B.Whole &&
         A.Body.Text == B.Body.Text && A.Body.Braced == B.Body.Braced &&
         A.AnnotationBegin == B.AnnotationBegin && A.Parent == B.Parent;
}

/// Whether the guard is declared in a block that begins outside the file.
bool isInForeignBlock(const Annotation &A) {
  return A.F == Form::Pair && A.Parent == 0;
}

} // namespace

std::vector<Found> takeRepeated(std::vector<Found> &Annotations,
                                const PreprocessorLog &Log,
                                const SourceManager &SM) {
  auto IsSameFile = [&](FileID A, FileID B) {
    return SM.getFileEntryForID(A) == SM.getFileEntryForID(B);
  };
  std::vector<Found> Taken, Kept;
  for (Found &F : Annotations) {
    auto Same = [&](const Found &Other) {
      return Other.File != F.File && IsSameFile(Other.File, F.File) &&
             areSameHooks(Other.A, F.A);
    };
    bool Fits = true, Several = false;
    for (FileID Other : Log.Files) {
      if (Other == F.File || !IsSameFile(Other, F.File) ||
          Log.isSkipped(Other, F.A.AnnotationBegin))
        continue;
      Several = true;
      Fits &= llvm::any_of(Annotations, [&](const Found &Each) {
        return Each.File == Other && Same(Each);
      });
    }
    if (!Fits || (Several && isInForeignBlock(F.A))) {
      Taken.push_back(F);
      continue;
    }
    auto First = llvm::find_if(Kept, Same);
    if (First == Kept.end())
      Kept.push_back(F);
    else {
      if (First->A.Function != F.A.Function)
        First->A.Function.clear();
      if (First->A.KeyNames != F.A.KeyNames)
        First->A.KeyNames.clear();
    }
  }
  Annotations = std::move(Kept);
  return Taken;
}

} // namespace loopscope::instrument
