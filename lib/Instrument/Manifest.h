//===- Manifest.h - What one rewrite wrote, for the build plugin ----------===//
//
// The JSON that `loopscope-rewrite --mirror DIR --manifest FILE` leaves behind:
// which files were written, where, and what happened on the way. The compiler
// launcher reads it to build the real compile command. One struct serves the
// writer and the reader.
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
//           {"line": 4, "from": "\"a.h\"", "to": "\"/src/a.h\""}
//         ]
//       }
//     ],
//     "includes": ["/src/net.h", "/usr/include/stdio.h"],  // all headers read
//     "diagnostics": {"errors": 0, "refused": 1, "foreign_errors": 0}
//   }
//
// status: "instrumented": `files` holds the main file and every header to be
// used in place of its original. "unchanged": nothing to instrument; `files` is
// empty and the original compiles as it is. "failed": the file could not be
// instrumented; with --on-error=passthrough the original compiles as it is and
// the profile should say that this file is missing.
// foreign_errors: clang's errors outside annotated code, which stop nothing.
//
//===----------------------------------------------------------------------===//

#ifndef LOOPSCOPE_LIB_INSTRUMENT_MANIFEST_H
#define LOOPSCOPE_LIB_INSTRUMENT_MANIFEST_H

#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <string>
#include <vector>

namespace loopscope::instrument {

/// One `#include` whose operand was replaced in a mirrored file.
struct IncludeEdit {
  unsigned Line = 0; ///< 1-based, in the original.
  std::string From;  ///< With its quotes or brackets, as written.
  std::string To;
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
  std::vector<std::string> Includes;
  unsigned Errors = 0;
  unsigned Refused = 0;
  unsigned ForeignErrors = 0;
};

/// The JSON text, with a final newline; the same manifest gives the same bytes.
std::string toJSON(const Manifest &M);

/// Reads what toJSON wrote. The error says what is wrong with the text.
llvm::Expected<Manifest> parseManifest(llvm::StringRef Text);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_LIB_INSTRUMENT_MANIFEST_H
