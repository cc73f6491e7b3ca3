// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotations -> sites -> text edits.
//
// Pure functions on plain values: numbering, and the text that goes where.

#ifndef LOOPSCOPE_INSTRUMENT_WRITE_EDITS_H
#define LOOPSCOPE_INSTRUMENT_WRITE_EDITS_H

#include "Instrument/Model/Model.h"

namespace loopscope::instrument {

/// An annotation with its number; see hooks.h.
struct Site {
  Annotation A;
  std::string ID;     ///< A preprocessing number, unique in the unit.
  std::string StepID; ///< Train, valid: of the step guard.
  bool Next = false;  ///< Starts at the last clock reading.
};

/// Replaces bytes [Where.Begin, Where.End) of a file by Text.
struct Edit {
  Range Where;
  std::string Text;
};

/// Numbers the annotations of file \p File in the order of the text, outer
/// before inner, and finds those that start where the previous one ended or
/// where the block around them started.
std::vector<Site> numberSites(const Unit &U, unsigned File);

/// The edits that insert the hooks of \p Sites and blank the attributes, sorted
/// by place; edits at one place are in the order in which they must appear.
std::vector<Edit> planEdits(const std::vector<Site> &Sites,
                            const SourceFile &File);

/// Applies sorted edits.
std::string applyEdits(llvm::StringRef Text, const std::vector<Edit> &Edits);

/// \p Text as a C string literal with quotes.
std::string quote(llvm::StringRef Text);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_WRITE_EDITS_H
