// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One runtime per process, although every program and library of a project
// links one in.
//
// Usually the dynamic linker binds all hooks to one copy, and nothing needs to
// be done. It doesn't for a library that dlopen() loads into a program without
// exported symbols. Therefore each copy carries an ELF note with the place of
// its entry points. The first copy in load order is the process's runtime, and
// the others pass their hooks on to it.
//
// When a library is unloaded, its sites disappear, and another library may
// reuse their addresses: the library's copy tells the runtime to forget them.

#ifndef LOOPSCOPE_BASE_OBJECTS_H
#define LOOPSCOPE_BASE_OBJECTS_H

#include <loopscope/loopscope.h>

#include <stdint.h>

namespace loopscope::runtime {

/// A function that other copies of the runtime in the process may call. The
/// caller casts it back to its own type.
using EntryPoint = void (*)();

/// Sets an amount of a span or step, such as loopscope_flops().
using SetSpanAmount = void (*)(loopscope_token Span, double Amount) noexcept;

struct Key;

/// A runtime's entry points and other data that the copies share.
struct Entries {
  uint64_t Version; ///< EntriesVersion; other versions are ignored
  /// Starts the runtime, at the first call; whether it records.
  bool (*Start)();
  decltype(&loopscope_enter) Enter;
  decltype(&loopscope_enter_adjacent) EnterAdjacent;
  loopscope_token (*EnterKeyed)(const loopscope_keyed_site *Site, const Key &K,
                                bool Adjacent) noexcept;
  decltype(&loopscope_leave) Leave;
  decltype(&loopscope_loop_enter) LoopEnter;
  decltype(&loopscope_step_begin) StepBegin;
  decltype(&loopscope_step_end) StepEnd;
  decltype(&loopscope_samples) Samples;
  decltype(&loopscope_iterations) Iterations;
  /// The functions of amounts.h, in the order of its rows, and their number.
  const SetSpanAmount *SpanAmounts;
  uint32_t SpanAmountCount;
  decltype(&loopscope_draw_enter) DrawEnter;
  decltype(&loopscope_missing_file) MissingFile;
  /// Forgets the addresses of sites in [Begin, End).
  void (*ForgetSites)(uintptr_t Begin, uintptr_t End) noexcept;
  /// Points to whether it records function mode's hooks; valid once it has
  /// started.
  const unsigned char *FunctionsActive;
  /// The entry point of the extension NAME, or null.
  EntryPoint (*FindEntry)(const char *Name);
};
constexpr uint64_t EntriesVersion = 8;

/// This copy's, to which its note points.
extern "C" __attribute__((visibility("hidden")))
const Entries loopscope_entries_;

/// The process's runtime if it is another copy than this one, else null. The
/// first call looks for it, and prevents the object that has it from being
/// unloaded.
const Entries *otherRuntime();

/// Calls TAKE, a function of the extension NAME, in the copy of the runtime
/// that records: here, or as the entry point of that copy's extension, which
/// has the same type. A copy without the extension takes nothing, and returns
/// Result().
template <typename Result, typename... Types>
Result callInRecorder(const char *Name, Result (*Take)(Types...),
                      Types... Told) {
  const Entries *Other = otherRuntime();
  if (Other == nullptr)
    return Take(Told...);
  if (Other->Start())
    if (EntryPoint Entry = Other->FindEntry(Name))
      return reinterpret_cast<Result (*)(Types...)>(Entry)(Told...);
  return Result();
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_BASE_OBJECTS_H
