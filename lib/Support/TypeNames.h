// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names of C++ types.

#ifndef LOOPSCOPE_SUPPORT_TYPENAMES_H
#define LOOPSCOPE_SUPPORT_TYPENAMES_H

#include <string>

namespace loopscope {

/// The type with the mangled name \p Name, as std::type_info has it, as in the
/// source; \p Name if it is none.
std::string demangledType(const std::string &Name);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_TYPENAMES_H
