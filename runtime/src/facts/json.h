// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads a flat object of JSON, without memory of its own.

#ifndef LOOPSCOPE_FACTS_JSON_H
#define LOOPSCOPE_FACTS_JSON_H

#include "base/system.h"

namespace loopscope::runtime {

/// A string of JSON, without its escapes and with a NUL. What doesn't fit is
/// left out; NUL and halves of surrogate pairs become U+FFFD.
template <size_t Size> struct JsonText {
  char Bytes[Size];
  bool IsCut;
};

/// A member of the object. Longer names and texts are cut.
struct JsonMember {
  enum Kind { Text, Number, True, False, Other };
  Kind Is; ///< Other: null, an object or an array
  JsonText<64> Name;
  JsonText<256> Value; ///< of Text; of Number, as it is spelled
};

/// Calls VISIT for each member of the object that is all of JSON, a string of
/// LENGTH bytes. False: it isn't such an object, or isn't JSON: WHY says where
/// and what, and VISIT wasn't called.
bool readJsonObject(const char *Json, size_t Length,
                    void (*Visit)(const JsonMember &Each), Text &Why);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_FACTS_JSON_H
