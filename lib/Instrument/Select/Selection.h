// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotations for code that you can't edit.
//
// The selection file (--select) says in YAML what attributes say in the source,
// and which functions function mode (--functions) takes:
//
//   rules:
//     - kind: phase
//       name: forward
//       function: Net::forward      # glob, or /regular expression/
//     - kind: train
//       samples: batch.size()
//       in: main
//       loop: batch                 # variable, range or condition, or ordinal
//     - kind: draw
//       call: Loader::next
//       in: main
//   functions: { include: ["*"], exclude: ["*::operator*"], min-size: 6 }
//   files: { exclude: ["*/third_party/*"] }
//
// docs/selection.md is the reference.

#ifndef LOOPSCOPE_INSTRUMENT_SELECT_SELECTION_H
#define LOOPSCOPE_INSTRUMENT_SELECT_SELECTION_H

#include "Instrument/Model/Model.h"
#include "Support/Result.h"

#include "llvm/Support/GlobPattern.h"
#include "llvm/Support/Regex.h"
#include "llvm/Support/raw_ostream.h"

#include <memory>

namespace loopscope::instrument {

/// A glob, or a regular expression between slashes that must match the whole
/// text. An empty pattern matches everything.
class Pattern {
public:
  static Result<Pattern> create(llvm::StringRef Text);
  bool matches(llvm::StringRef Text) const;
  /// Whether a text that starts with \p Begin may match.
  bool mayBegin(llvm::StringRef Begin) const;
  bool empty() const { return Text.empty(); }
  /// Whether it can match only one text.
  bool isPlain() const { return !Glob && !Expression && !empty(); }
  const std::string &text() const { return Text; }

private:
  std::string Text;
  std::shared_ptr<llvm::GlobPattern> Glob;
  std::shared_ptr<llvm::Regex> Expression;
};

struct Rule {
  Kind K = Kind::Phase;
  std::string Name;
  PerQuantity<std::string> Amounts;
  std::string KeyName; ///< Of the key; "": its expression.
  Pattern Function;    ///< Target: a function definition.
  Pattern Call;        ///< Target: statements that call this.
  std::string Loop;    ///< Target: a loop.
  Pattern In;          ///< The function that holds the loop or call.
  Pattern Signature;   ///< "(int, const Tensor &)"
  Pattern File;        ///< Absolute path.
  bool All = false;    ///< More than one match is meant.
  unsigned Line = 0, Column = 0;
};

struct Selection {
  std::string Path;
  std::vector<Rule> Rules;
  std::vector<Pattern> IncludedFunctions, ExcludedFunctions;
  std::vector<Pattern> IncludedFiles, ExcludedFiles;
  unsigned MinSize = 0; ///< 0: not said.

  bool takesFunction(llvm::StringRef Name) const;
  bool takesFile(llvm::StringRef AbsolutePath) const;
};

/// Reads a selection. Diagnostics with line and column go to \p Err; false if
/// there was an error.
bool readSelection(llvm::StringRef Path, Selection &Result,
                   llvm::raw_ostream &Err);

/// The same for \p Text, which diagnostics call \p Path.
bool parseSelection(llvm::StringRef Text, llvm::StringRef Path,
                    Selection &Result, llvm::raw_ostream &Err);

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_SELECT_SELECTION_H
