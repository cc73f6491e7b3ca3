// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The loopscope:: attributes as Clang sees them.
//
// Linking Attributes.cpp registers the attributes with Clang's parser. Each one
// is checked where it stands and left in the AST as an AnnotateAttr, which
// readMark() recognises. The rewriter and the Clang plugin share this.

#ifndef LOOPSCOPE_INSTRUMENT_TEXT_ATTRIBUTES_H
#define LOOPSCOPE_INSTRUMENT_TEXT_ATTRIBUTES_H

#include "Instrument/Model/Model.h"

#include "clang/AST/Attr.h"
#include "clang/Basic/SourceLocation.h"

namespace loopscope::instrument {

/// The expression of an amount.
struct SaidAmount {
  std::string Text;          ///< "" when absent.
  clang::SourceLocation Loc; ///< Of an attribute beside; else invalid.
};

/// One of our attributes, read back from the AST.
struct Mark {
  Kind K = Kind::Phase;
  std::string Argument; ///< Name, or what is beside; "" when absent.
  clang::SourceLocation Loc;
  bool Inherited = false; ///< Stands on an earlier declaration.
  int Rule = -1;          ///< Index of the selection's rule that it comes from.
  PerQuantity<SaidAmount> Amounts;
  std::string KeyLabel; ///< Of a key; "" when absent.
};

/// The mark that \p A represents, or nothing if \p A isn't one of ours.
std::optional<Mark> readMark(const clang::Attr &A);

/// Makes sure that the registration is linked in.
void registerAttributes();

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_TEXT_ATTRIBUTES_H
