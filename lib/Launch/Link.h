// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Adds the runtime to links.

#ifndef LOOPSCOPE_LAUNCH_LINK_H
#define LOOPSCOPE_LAUNCH_LINK_H

#include "Launch/CommandLine.h"
#include "Launch/Target.h"

#include <string>
#include <vector>

namespace loopscope::launch {

/// Whether the file \p Path is an object, an archive or a library, by its
/// contents: links take them under any name.
bool isObject(const std::string &Path, const std::string &Directory);

/// Whether a link's inputs look like ones: `make all` has inputs, too.
bool looksLikeLink(const CommandLine &Line, const std::string &Directory);

/// Whether the object or archive \p Path, which is absolute, may call the
/// runtime: by hooks, or by calls that were written by hand.
bool mayCallRuntime(const std::string &Path);

/// Whether an input of the link \p Line holds hooks.
bool linksHooks(const CommandLine &Line, const std::string &Directory);

/// Why the runtime can't be linked by \p Line for \p Made, or "": it needs
/// glibc or musl, and the start files that run constructors. Completes "is
/// linked
/// ...".
std::string whyNoRuntime(const CommandLine &Line, const Target &Made);

/// \p Command with the runtime \p R added if it links a program or shared
/// library: the \p Whole one, or hooks that record nothing and need no other
/// library. \p Line is what \p Command was parsed into.
std::vector<std::string> withRuntime(std::vector<std::string> Command,
                                     const CommandLine &Line, const Runtime &R,
                                     bool Whole, const std::string &Directory);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_LINK_H
