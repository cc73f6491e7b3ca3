// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Says which name a file got.

#include "free_name.h"

#include <string.h>

using namespace loopscope::runtime;

void loopscope::runtime::warnOfOtherName(const char *What, const char *Path,
                                         const char *Name) {
  if (strcmp(Path, Name) == 0)
    return;
  TextBuffer<1900> Message;
  Message << Path << " exists; the " << What << " of this run is " << Name;
  warn(Message.c_str());
}
