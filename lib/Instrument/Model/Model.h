// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Annotations as plain values.
//
// What the parse of one translation unit leaves behind, free of Clang types:
//
//   source --parse--> Unit{files, annotations} --numberSites--> Sites
//          --planEdits--> text edits --write--> rewritten files
//
// Offsets are bytes in the file's original text; ranges are half open.

#ifndef LOOPSCOPE_INSTRUMENT_MODEL_MODEL_H
#define LOOPSCOPE_INSTRUMENT_MODEL_MODEL_H

#include "Instrument/Model/Amounts.h"

#include "llvm/ADT/StringRef.h"

#include <optional>
#include <string>
#include <vector>

namespace loopscope::instrument {

/// The kinds of loopscope_kind that an annotation can ask for, and Ignore.
enum class Kind {
  Phase,
  Fit,
  Validate,
  Test,
  Predict,
  Epoch,
  Train,
  Valid,
  Draw,
  Wait,
  Collective,
  Ignore,
/// Amounts of the phase or loop beside it; no spans of their own.
#define LOOPSCOPE_ROW(NAME, IDENTIFIER, NOUN) IDENTIFIER,
  __LOOPSCOPE_AMOUNTS(LOOPSCOPE_ROW)
#undef LOOPSCOPE_ROW
      Iterations, ///< The number of a loop's, likewise.
  Key,            ///< What tells spans of the mark beside it apart.
  Function        ///< Made by function mode; no attribute says it.
};

/// The names of each kind.
struct KindInfo {
  Kind K;
  llvm::StringLiteral Attribute; ///< After `loopscope::`.
  llvm::StringLiteral Macro;     ///< After `LOOPSCOPE_`: hooks.h's KIND.
};
const KindInfo &info(Kind K);
/// The kind whose attribute is called \p Name.
std::optional<Kind> kindNamed(llvm::StringRef Name);
/// The names of all attributes, in the order of the kinds.
std::vector<std::string> attributeNames();
/// The names of the kinds that a selection's rule may have.
std::vector<std::string> ruleNames();

/// Whether the kind goes before a loop and is about its iterations.
inline bool isLoopKind(Kind K) {
  return K == Kind::Epoch || K == Kind::Train || K == Kind::Valid;
}
/// Whether the attribute takes a name; a wait's may be left out.
inline bool isNamedKind(Kind K) {
  return K == Kind::Phase || K == Kind::Wait || K == Kind::Collective;
}
inline bool isStageKind(Kind K) {
  return K == Kind::Fit || K == Kind::Validate || K == Kind::Test ||
         K == Kind::Predict;
}
/// Whether each iteration of the loop is a step.
inline bool isStepKind(Kind K) { return K == Kind::Train || K == Kind::Valid; }

struct Range {
  unsigned Begin = 0;
  unsigned End = 0;
  bool contains(unsigned Offset) const {
    return Begin <= Offset && Offset < End;
  }
  bool operator==(const Range &) const = default;
};

/// The text that a guard covers: the text between two braces or, if there are
/// none yet, a statement that gets them.
struct Block {
  Range Text;
  bool Braced = true;
};

/// How an annotation is turned into hooks.
enum class Form {
  Block, ///< A guard after the `{` of Body.
  Wrap,  ///< Braces around Whole with a guard in them.
  Pair,  ///< Guard before Whole, its end after it.
  Loop   ///< Epoch: guard in Body. Train, valid: Wrap and a step in Body.
};

/// Whether the attribute adds to the one beside it and has no span of its own.
inline bool isBesideKind(Kind K) {
  return K > Kind::Ignore && K < Kind::Function;
}
/// An annotated construct that can be instrumented.
struct Annotation {
  unsigned File = 0; ///< Index in Unit::Files.
  Kind K = Kind::Phase;
  std::string Name; ///< Without quotes and escapes.
  PerQuantity<Amount> Amounts;
  std::string KeyLabel; ///< Of Quantity::Key.
  std::string KeyNames; ///< Of its values, "0=A,1=B"; "" if it has none.
  std::string Function; ///< Qualified name of the enclosing function.
  unsigned Line = 0;    ///< Of the annotation, 1-based.
  Form F = Form::Wrap;
  Range Whole; ///< The construct without its attributes.
  Block Body;  ///< Block, Loop.
  /// Start of the annotation's text, or of Whole.
  unsigned AnnotationBegin = 0;
  unsigned Parent = 0; ///< Behind the `{` of the block that holds it; 0: none.
  /// C: Function is inline and of external linkage, so that it may have no
  /// static object that isn't constant.
  bool IsExternInline = false;
};

/// A file of the translation unit that contains annotations, or that moves
/// because a header it includes does.
struct SourceFile {
  std::string Path;     ///< Absolute.
  std::string Spelling; ///< As the compiler was given it or found it.
  std::string Text;
  bool Main = false;
  std::vector<Range> Blanks; ///< Attributes to overwrite with spaces.
};

/// The result of a parse.
struct Unit {
  bool CPlusPlus = true;
  std::vector<SourceFile> Files; ///< Main file first.
  std::vector<Annotation> Annotations;
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_MODEL_MODEL_H
