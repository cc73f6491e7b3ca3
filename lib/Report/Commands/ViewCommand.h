// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// `loopscope view`: its request and its execution.

#ifndef LOOPSCOPE_REPORT_COMMANDS_VIEWCOMMAND_H
#define LOOPSCOPE_REPORT_COMMANDS_VIEWCOMMAND_H

#include "Report/Views/View.h"

#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

/// A parsed command line of `loopscope view`.
struct ViewRequest {
  std::vector<std::string> Files;
  ViewOptions Options;
  uint16_t Port = 0; ///< 0: any that is free
  bool Open = false; ///< in a browser
};

/// Prints the page's address on standard output and serves it until SIGINT or
/// SIGTERM. Writes no file. Returns the exit code: Fine after such a signal,
/// Failure if nothing can be shown or the port isn't free.
int runView(const ViewRequest &Request);

} // namespace loopscope

#endif // LOOPSCOPE_REPORT_COMMANDS_VIEWCOMMAND_H
