// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes each message in one piece, so that messages of several processes don't
// mix.

#include "Support/Message.h"

#include "Support/Printable.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>

void loopscope::printMessage(std::string_view Kind, std::string_view Text) {
  std::fputs(fmt::format("{}: {}: {}\n", program_invocation_short_name, Kind,
                         printable(Text))
                 .c_str(),
             stderr);
}
