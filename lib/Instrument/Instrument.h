// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Rewrites files: the library's main entry point.

#ifndef LOOPSCOPE_INSTRUMENT_INSTRUMENT_H
#define LOOPSCOPE_INSTRUMENT_INSTRUMENT_H

#include "Instrument/Select/Selection.h"
#include "Support/HookWorth.h"

#include "llvm/Support/raw_ostream.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

/// Where the instrumented text goes.
enum class Output {
  File,    ///< OutputPath; "-" is standard output.
  InPlace, ///< Over the original.
  Mirror,  ///< OutputPath/<absolute original path>, headers too.
  Diff,    ///< A unified diff on standard output.
  Suggest, ///< A selection file for a program without annotations.
  List     ///< A table of what was found, on standard output.
};

/// What to print of the data between stages, instead of writing files.
enum class Dump {
  None,
  Marks, ///< From find to refuse.
  Sites, ///< From refuse to plan, numbered.
  Edits  ///< From plan to write.
};

/// One file and how it is compiled.
struct Job {
  std::string File; ///< As given; relative to Directory.
  std::string Directory;
  /// A complete Clang command line, argv[0] first, that names File.
  std::vector<std::string> Command;
  /// See Invocation::IsGcc.
  bool IsGcc = false;
  /// See Invocation::OwnDirectories.
  std::vector<std::string> OwnDirectories;
};

struct Options {
  Output Out = Output::File;
  std::string OutputPath;
  Dump Show = Dump::None;
  std::string ManifestPath; ///< Mirror only; "": none.
  bool Relocatable = false; ///< Mirror only: see MirrorLayout::RelativeTo.
  bool KeepLines = false;   ///< Mirror only: see MirrorLayout::KeepsLines.
  bool Passthrough = false; ///< Refusals are warnings, failures too.
  bool Colour = false;
  bool ShowErrors = false; ///< Print all of clang's errors.
  const Selection *Select = nullptr;
  bool Functions = false;          ///< Function mode.
  std::optional<unsigned> MinSize; ///< Of function mode.
  /// Of function mode: what an earlier run shows to be small has no hook.
  const JudgedFunctions *Earlier = nullptr;
  bool Summary = false; ///< Function mode's counts go to ERR in the end.
  unsigned Threads = 1;
  std::string Program; ///< argv[0], to find our headers beside it.
};

/// Instruments the files of \p Jobs, several at a time, with output in their
/// order, as if done one after another. Diagnostics go to \p Err, tables and
/// diffs to \p Out. Returns whether every file was done or passed through.
bool instrument(const std::vector<Job> &Jobs, const Options &Options,
                llvm::raw_ostream &Out, llvm::raw_ostream &Err);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_INSTRUMENT_H
