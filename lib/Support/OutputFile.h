// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where output options write: whatever a path names, nothing but the content of
// regular files is ever replaced.
//
//   "-", /dev/stdout, /dev/fd/N, ...   written to that descriptor
//   a device, a FIFO                   opened and written
//   a regular file                     replaced as a whole, by a rename
//   a symbolic link                    what it leads to, by the same rules
//   nothing                            made as a whole
//   a directory, a socket              an error

#ifndef LOOPSCOPE_SUPPORT_OUTPUTFILE_H
#define LOOPSCOPE_SUPPORT_OUTPUTFILE_H

#include "Support/Result.h"

#include <string>
#include <string_view>

namespace loopscope {

/// What happens to a regular file that is there.
enum class Existing {
  Replace,
  /// Replaced unless it holds the text already: its time stamp stays then.
  KeepEqual,
  /// An error, as for anything else that is there, links too.
  Refuse
};

/// What was written to.
enum class Written { File, Stream };

/// True when PATH, the value of an output option, is standard output: "-", or a
/// name of its descriptor.
bool isStandardOutput(const std::string &Path);

/// True when both paths lead to one regular file.
bool isSameFile(const std::string &A, const std::string &B);

/// Writes TEXT to PATH. A regular file holds all of TEXT or is left as it was;
/// one that is replaced keeps its mode and, where that is allowed, its owner; a
/// new one has the mode 0666 less the umask. What can't be opened for writing
/// isn't replaced either. A reader that closes a pipe or FIFO early is no
/// error. While a FIFO has no reader this waits, and says so on standard error
/// after two seconds. The error names PATH.
Result<Written> writeOutputFile(const std::string &Path, std::string_view Text,
                                Existing There = Existing::Replace);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_OUTPUTFILE_H
