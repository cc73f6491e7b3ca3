// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the find and refuse stages pass on, as plain values.
//
// Every mark that was found, whatever became of it, and every refusal. Places
// are those in the actual files, regardless of #line.

#ifndef LOOPSCOPE_INSTRUMENT_MODEL_MARKS_H
#define LOOPSCOPE_INSTRUMENT_MODEL_MARKS_H

#include "Instrument/Model/Model.h"

namespace loopscope::instrument {

/// A place in a source, for people to read.
struct SourcePlace {
  std::string File;              ///< As the compiler was given it or found it.
  unsigned Line = 0, Column = 0; ///< 1-based; columns are bytes.
  auto operator<=>(const SourcePlace &) const = default;
};

/// Where a mark comes from.
enum class Origin {
  Attribute,   ///< [[loopscope::...]] in a file.
  Macro,       ///< A macro of annotate.h, or one of the user's.
  Selection,   ///< A rule.
  FunctionMode ///< --functions.
};

struct FoundMark {
  SourcePlace Where; ///< A selection's: of the construct.
  Kind K = Kind::Phase;
  std::string Argument; ///< Name, or what is beside; "" when absent.
  PerQuantity<std::string> Amounts; ///< "" when absent.
  std::string KeyLabel;             ///< The same.
  Origin From = Origin::Attribute;
  std::string Macro;     ///< Origin::Macro: its name.
  int Rule = -1;         ///< Origin::Selection: index of the rule.
  std::string Construct; ///< Clang's class: "ForStmt", "CXXMethodDecl".
  std::string Function;  ///< That it is, or is in; "" outside of functions.
};

/// The stages that refuse.
enum class Stage {
  Find,  ///< While the source is parsed: arguments, misplaced attributes.
  Refuse ///< With the syntax tree complete.
};

struct Refusal {
  SourcePlace Where;
  Stage At = Stage::Find;
  std::string ID;   ///< Of the diagnostic; see Diagnostics.h.
  std::string Text; ///< Without the ID.
};

} // namespace loopscope::instrument

#endif // LOOPSCOPE_INSTRUMENT_MODEL_MARKS_H
