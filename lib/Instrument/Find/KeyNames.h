// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The names of a key's values, where the key is an enumeration.

#ifndef LOOPSCOPE_INSTRUMENT_FIND_KEYNAMES_H
#define LOOPSCOPE_INSTRUMENT_FIND_KEYNAMES_H

#include "Instrument/Find/ScopeLookup.h"

namespace loopscope::instrument {

/// The enumerators of the key \p Expression at \p Place, as a label's text has
/// them: "0=Mode::Train,1=Mode::Valid". "" if its type is no enumeration or
/// isn't found: the expression is read here, because the syntax tree has none
/// for the text of an attribute or a rule. Read are variables, parameters,
/// members, elements, calls, casts and enumerators.
std::string keyNames(const clang::ASTContext &Context, const UsePlace &Place,
                     llvm::StringRef Expression);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_FIND_KEYNAMES_H
