// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What one rewrite wrote, for the build plugin.
//
// The JSON that `loopscope-rewrite --mirror DIR --manifest FILE` leaves behind:
// which files were written, where, and what happened on the way. The compiler
// launcher reads it (lib/Launch/Mirror.h, Record.h) to build the real compile
// command and to sum up a build.
//
//   {
//     "version": 1,
//     "tool": "0.1.0",                       // loopscope-rewrite's version
//     "status": "instrumented",              // or "unchanged", "failed"
//     "language": "c++",                     // or "c": of the main file
//     "files": [
//       {
//         "original": "/src/net.h",          // absolute, as the parse found it
//         "spelling": "../src/net.h",        // what __FILE__ says in a plain
//                                            // compile; in its #line 1
//         "mirrored": "/mirror/src/net.h",   // absolute
//         "main": false,                     // the file on the command line
//         "sites": 3,                        // 0: only its includes changed
//         "include_edits": [
//           {"line": 4, "from": "\"a.h\"", "to": "\"/src/a.h\"",
//            "name": "../src/a.h"}         // the target in a plain compile
//         ]
//       }
//     ],
//     "source": "/src/main.cpp",             // absolute
//     "includes": ["/src/net.h", "/usr/include/stdio.h"],  // all headers read
//     "functions": [                         // with --functions
//       {"place": "/src/net.h:12:6", "name": "Net::size", "left_out": "small"}
//     ],                                     // "": it has a hook
//     "own_cleanups": false,                 // C: some variable has one
//     "without_hooks": ["a.cpp", "b.cpp (only f, g)"],  // for the report
//     "rules": [                             // with --select
//       {"where": "s.yaml:3:5", "what": "function 'train'", "one": true,
//        "places": ["/src/main.cpp:7"]}      // one: several are a mistake
//     ],  // without places perhaps "hint", a text, and "distance", a number
//     "diagnostics": {"errors": 0, "refused": 1, "foreign_errors": 0}
//   }
//
// status: "instrumented": `files` holds the main file and every header to be
// used in place of its original. "unchanged": nothing to instrument; `files` is
// empty and the original compiles as it is. "failed": the file could not be
// instrumented; with --on-error=passthrough the original compiles as it is and
// the profile should say that this file is missing.
// foreign_errors: clang's errors outside annotated code, which stop nothing.

#ifndef LOOPSCOPE_INSTRUMENT_MODEL_MANIFEST_H
#define LOOPSCOPE_INSTRUMENT_MODEL_MANIFEST_H

#include "Launch/Record.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

/// An `#include` whose operand was replaced in a mirrored file.
struct IncludeEdit {
  unsigned Line = 0; ///< 1-based, in the original.
  std::string From;  ///< With its quotes or brackets, as written.
  std::string To;
  std::string Name; ///< Of the target, as a plain compile has it.
};

/// One file of the mirror.
struct MirroredFile {
  std::string Original;
  std::string Spelling;
  std::string Mirrored;
  bool Main = false;
  unsigned Sites = 0;
  std::vector<IncludeEdit> IncludeEdits;
};

/// See the file comment for each value's meaning.
struct Manifest {
  enum class Outcome { Instrumented, Unchanged, Failed };
  Outcome Status = Outcome::Unchanged;
  bool CPlusPlus = true;
  std::vector<MirroredFile> Files; ///< Main file first, then by path.
  bool OwnCleanups = false; ///< C: a variable of the program has a cleanup.
  std::string Source;
  std::vector<std::string> Includes;
  std::vector<launch::FunctionOutcome> Functions;
  std::vector<launch::RuleOutcome> Rules;
  /// The file, if it had to be left alone, and files with those of their
  /// functions that clang can't parse; shown in the report's footer.
  std::vector<std::string> WithoutHooks;
  unsigned Errors = 0;
  unsigned Refused = 0;
  unsigned ForeignErrors = 0;
};

/// The JSON text, with a final newline; the same manifest gives the same bytes.
std::string toJSON(const Manifest &M);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_MODEL_MANIFEST_H
