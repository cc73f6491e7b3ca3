// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The rows of the option table.

#ifndef LOOPSCOPE_LAUNCH_OPTIONSPECS_H
#define LOOPSCOPE_LAUNCH_OPTIONSPECS_H

#include "Launch/CommandLine.h"

#include <span>

namespace loopscope::launch {

/// How an option is written; values may be combined with `|`.
enum Form : unsigned {
  Flag = 0,
  Separate = 1, ///< -o FILE
  Joined = 2,   ///< -oFILE
  Equals = 4,   ///< -std=X
  Any = 8       ///< A flag that goes on in any way: -mavx512f
};

constexpr unsigned Both = Separate | Joined;
constexpr unsigned Assigned = Separate | Equals;

struct Spec {
  std::string_view Name;
  unsigned Forms;
  // Rows may leave them out, but GCC warns without an initializer.
  // NOLINTNEXTLINE(readability-redundant-member-init)
  std::string_view Canonical = {};
  unsigned Uses = 0; ///< ParseUse; 0: it says nothing about the source.
};

/// Options of gcc and clang.
std::span<const Spec> hostOptions();
/// Options of nvcc. Their meaning for a parse is in the host's row of the same
/// canonical name, if there is one.
std::span<const Spec> nvccOptions();
/// The meaning for a parse (ParseUse) of the -f or -m flag \p Word, which has
/// no row.
unsigned usesOfFlag(std::string_view Word);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_OPTIONSPECS_H
