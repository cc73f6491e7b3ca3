// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a compiler makes programs for, and the runtime for it.

#ifndef LOOPSCOPE_LAUNCH_TARGET_H
#define LOOPSCOPE_LAUNCH_TARGET_H

#include "Launch/CommandLine.h"
#include "Launch/Settings.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope::launch {

enum class LibC { Glibc, Musl, Other };

/// A compiler's target.
struct Target {
  LibC Library = LibC::Glibc;
  /// As in the folders of runtimes: "x86_64", "aarch64"; "" if unknown.
  std::string Processor;
};

/// What \p Macros, the output of `-E -dM` with features.h, say.
Target targetOfMacros(std::string_view Macros);

/// Asks the compiler of \p Line, with its options, in \p Directory: a plain
/// `gcc` may be musl's, and clang has many targets. A compiler that doesn't
/// answer counts as one for glibc. nvcc's host compiler isn't asked about its C
/// library.
Target askTarget(const CommandLine &Line, const std::string &Directory);

/// Whether Loopscope's runtime can be built for \p Processor.
bool canHaveRuntime(std::string_view Processor);

/// The archives of one runtime. All absolute.
struct Runtime {
  std::string Library;    ///< libloopscope.a
  std::string OffLibrary; ///< libloopscope-off.a
  std::string MpiLibrary; ///< libloopscope-mpi.a; may be empty
  /// libloopscope-mpi-large.a, with functions that not every MPI has; exists if
  /// MpiLibrary does.
  std::string MpiLargeLibrary;
};

/// The processor that the archive \p Path was compiled for, by its first
/// object; "" if it can't be read.
std::string processorOfArchive(const std::string &Path);

/// The folders where the runtime for \p Processor may be, best first: below
/// LOOPSCOPE_RUNTIME_DIR and in it, then the same of this installation.
std::vector<std::string> runtimeFolders(const Parts &P,
                                        const std::string &Processor);

/// The runtime for \p Processor. Nothing if there is none.
std::optional<Runtime> findRuntime(const Parts &P,
                                   const std::string &Processor);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_TARGET_H
