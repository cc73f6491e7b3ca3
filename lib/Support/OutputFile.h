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

/// What happens to an existing regular file.
enum class Existing {
  Replace,
  /// Replaced unless it already holds the text; its time stamp then stays.
  KeepEqual,
  /// An error, as is anything else that exists, including links.
  Refuse
};

/// What was written to.
enum class Written { File, Stream };

/// Whether \p Path, the value of an output option, is standard output: "-", or
/// a name of its descriptor.
bool isStandardOutput(const std::string &Path);

/// Whether both paths lead to the same regular file.
bool isSameFile(const std::string &A, const std::string &B);

/// Writes \p Text to \p Path. A regular file ends up with all of \p Text or
/// stays as it was. A replaced file keeps its mode and, where allowed, its
/// owner; a new one has mode 0666 less the umask. A file that can't be opened
/// for writing isn't replaced either. It isn't an error if a reader closes a
/// pipe or FIFO early. While a FIFO has no reader this waits, and says so on
/// standard error after two seconds. Errors name \p Path.
Result<Written> writeOutputFile(const std::string &Path, std::string_view Text,
                                Existing There = Existing::Replace);

} // namespace loopscope

#endif // LOOPSCOPE_SUPPORT_OUTPUTFILE_H
