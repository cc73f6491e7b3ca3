// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One runtime per process, although every program and library of a project has
// the runtime linked in.
//
// Where the dynamic linker binds all hooks to one copy, nothing is to be done.
// It doesn't for a library that dlopen() loads into a program that exports no
// symbols. So each copy carries an ELF note that says where its entry points
// are; the first copy in the order of loading is the process's runtime, and the
// others hand their hooks on to it.
//
// A library that goes takes its sites with it, whose addresses another library
// may get: its copy tells the runtime, which forgets the addresses.

#ifndef LOOPSCOPE_CORE_OBJECTS_H
#define LOOPSCOPE_CORE_OBJECTS_H

#include "extension.h"

#include <loopscope/loopscope.h>

namespace loopscope::runtime {

/// A runtime's entry points, and what else the copies tell each other.
struct Entries {
  uint64_t Version; ///< EntriesVersion; others are left alone
  /// Starts the runtime, at the first call; whether it records.
  bool (*Start)();
  decltype(&loopscope_enter) Enter;
  decltype(&loopscope_enter_adjacent) EnterAdjacent;
  decltype(&loopscope_leave) Leave;
  decltype(&loopscope_loop_enter) LoopEnter;
  decltype(&loopscope_step_begin) StepBegin;
  decltype(&loopscope_step_end) StepEnd;
  decltype(&loopscope_samples) Samples;
  decltype(&loopscope_iterations) Iterations;
  decltype(&loopscope_flops) Flops;
  decltype(&loopscope_draw_enter) DrawEnter;
  decltype(&loopscope_missing_file) MissingFile;
  /// Forgets the addresses of sites in [Begin, End).
  void (*ForgetSites)(uintptr_t Begin, uintptr_t End) noexcept;
  /// Whether it records function mode's hooks, once it has started.
  const unsigned char *FunctionsActive;
  /// The entry point of the extension NAME; null without.
  EntryPoint (*FindEntry)(const char *Name);
};
constexpr uint64_t EntriesVersion = 6;

/// The process's runtime when that is another copy than this one, else null.
/// The first call looks for it, and keeps the object that has the runtime from
/// being unloaded.
const Entries *otherRuntime();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_OBJECTS_H
