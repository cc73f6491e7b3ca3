// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts a profile's header to the model.

#ifndef LOOPSCOPE_RUN_READ_HEADERREADER_H
#define LOOPSCOPE_RUN_READ_HEADERREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/Clock.h"
#include "Support/Printable.h"

#include <loopscope/profile_format.h>

#include <cstddef>
#include <cstring>
#include <string>

namespace loopscope {

/// The text of a field of the file that ends with a NUL or is full, safe to
/// print.
template <size_t N> std::string fieldText(const char (&Field)[N]) {
  return printable(std::string(Field, strnlen(Field, N)));
}

/// Reads into \p R what the header alone says: the program, the rank, how the
/// run ended, and what was lost. \p Ticks is the profile's clock.
void readHeader(const loopscope_profile_header &H, const Clock &Ticks, Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_HEADERREADER_H
