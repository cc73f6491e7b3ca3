// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The interface between the core and its extensions.
//
//   hooks -> core -> Extensions: a struct of functions each, one per event
//   an extension -> core's headers
//
// The core names no extension, and no extension names another; only
// extensions.cpp, which lists them, knows both sides. What an extension tells
// others is an event, too; what two of them need is a service of the core.
//
// Functions that run inside the program's hooks return the ticks that they took
// from the program, or 0 if negligible. No span counts these ticks: they fall
// into the self time of the node that is innermost then, and the core books
// them there as the profiler's cost.

#ifndef LOOPSCOPE_TREE_EXTENSION_H
#define LOOPSCOPE_TREE_EXTENSION_H

#include "base/objects.h"
#include "base/option_words.h"
#include "base/thread_links.h"

#include <loopscope/amount_rows.h>

namespace loopscope::runtime {

struct DeviceUse;

/// Where a measured span or step begins and ends.
enum class Border {
  SpanBegins,        ///< at NOW; N isn't open yet
  SpanEnded,         ///< at NOW; N->enter_ticks is still its start
  DrawEnded,         ///< N is the DRAW of a step, whose batch began at NOW
  ExplicitDrawBegan, ///< it interrupted N and everything open up to the BATCH
  ExplicitDrawEnded, ///< likewise; N->enter_ticks has been moved by the draw
  CutBegan,          ///< it interrupted N and everything that is open
  CutEnded,          ///< likewise; N->enter_ticks has been moved by the cut
};

/// What the core calls in an extension. Any function may be null.
struct Extension {
  const char *Name;
  /// The key of its costs in the profile, "cost.NAME"; null if it never returns
  /// ticks.
  const char *CostKey = nullptr;

  /// Its LOOPSCOPE= words, which are parsed before Start.
  OptionWords Words;

  /// Called once per process, when the options are known: before main, or at an
  /// even earlier hook.
  void (*Start)() = nullptr;
  /// Called before a profile is made, on a slow path, without the slow lock.
  void (*BeforeProfile)() = nullptr;
  /// Writes the extension's fields into a new profile's header, before anyone
  /// can see it. Slow lock held.
  void (*DescribeProfile)(loopscope_profile_header &New) = nullptr;
  /// The new profile has its file, or will have none; hooks don't use it yet.
  /// Slow lock held.
  void (*ProfileMade)() = nullptr;
  /// The new profile takes chunks, and hooks may use it. Slow lock held.
  void (*ProfileReady)() = nullptr;
  /// A program without marks is worth a profile, which has been made. On a
  /// thread of the runtime, on a slow path, without the slow lock.
  void (*ProgramBegan)() = nullptr;
  /// The calling thread was given the tree T and records from now on. On a slow
  /// path, without the slow lock.
  void (*ThreadStarted)(Thread *T) = nullptr;
  /// The calling thread, which had a tree, is ending. On a slow path.
  void (*ThreadEnded)() = nullptr;

  /// A hook made N, which isn't open yet. On a slow path. Not called for the
  /// STEP, DRAW and BATCH of a loop.
  uint64_t (*NewCallPath)(Node *N) = nullptr;
  /// A span of SITE, a collective, isn't opened: the calling thread is in a
  /// pause or in an excluded step. On a slow path.
  void (*CollectiveLeftOut)(const loopscope_site *Site) = nullptr;
  /// A loop has a new STEP, with its DRAW and BATCH. Perhaps on the fast path:
  /// without memory or locks.
  void (*NewSteps)(Node *Step) = nullptr;
  /// A step of STEP ended at NOW; its loop has done STEPS steps. Only after
  /// watchSteps().
  uint64_t (*StepEnded)(Node *Step, uint64_t Steps, uint64_t Now) = nullptr;
  /// A span of N began or ended at NOW. Only for nodes that the extension
  /// requested with watchSpans(). At the end, N->enter_ticks is still the
  /// span's start.
  uint64_t (*SpanBegan)(const Node *N, uint64_t Now) = nullptr;
  uint64_t (*SpanEnded)(const Node *N, uint64_t Now) = nullptr;

  /// A border of a node chosen by measureSpans(); borders of explicit draws and
  /// cuts are reported for all nodes. Only after measureBorders(). The next
  /// time measured on this thread begins the returned number of ticks after
  /// NOW. Therefore an adjacent span, and spans that end together, may have a
  /// NOW before the end of the last border's ticks.
  uint64_t (*AtBorder)(Border What, Node *N, uint64_t Now) = nullptr;
  /// Between two steps of a loop: ENDED, a STEP, ended at NOW, and NEXT begins;
  /// null if there is none or it is outside the window. ENDED->last_ticks is
  /// its duration. Called at a loop's first step, and then at every step from
  /// number LOOK_AT on, which the extension may lower. The loop has done
  /// links(loop).Loop.Steps steps.
  uint64_t (*AtStepBorder)(Node *Ended, Node *Next, uint64_t Now,
                           uint64_t &LookAt) = nullptr;
  /// A span of N, chosen by markSpans(), begins at NOW. The time that this
  /// function takes is before the span.
  uint64_t (*MarkedBegins)(Node *N, uint64_t Now) = nullptr;
  /// Such a span has ended at NOW: N->enter_ticks is its start, N->last_ticks
  /// its duration.
  uint64_t (*MarkedEnded)(Node *N, uint64_t Now) = nullptr;
  /// The same at the end of its own hook, while its parents are still open on
  /// T, the calling thread. This is the moment for a cut (cut.h) that lengthens
  /// it.
  void (*MarkedLeft)(Thread *T, Node *N) = nullptr;
  /// Function mode's hook of N was called 1,024 more times, and N isn't open:
  /// set *OFF now to stop the calls. On a slow path.
  uint64_t (*FunctionDue)(Node *N, unsigned char *Off) = nullptr;
  /// The program said an amount of the open span of N, which isn't a BATCH
  /// (loopscope_samples); any value.
  void (*AmountSaid)(Node *N, int64_t Amount) = nullptr;
  /// The program said that the open span of N, a phase or STEP of the calling
  /// thread, has this amount, a row of amounts.h; any value.
  void (*SpanAmountSaid[SpanAmountCount])(Node *N, double Amount) = {};
  /// Called a few times per second on thread T, in one of its hooks, on a slow
  /// path: the time to go through its tree.
  void (*LookThrough)(Thread *T) = nullptr;

  /// Called on the background thread, which the options may forbid: when it
  /// starts, in each round (false: end the thread), and after callBackground()
  /// (true: there is more to do).
  void (*BackgroundStarted)() = nullptr;
  bool (*Tick)() = nullptr;
  bool (*Called)() = nullptr;
  /// When it wants Timed() called on that thread, by CLOCK_MONOTONIC in
  /// nanoseconds; UINT64_MAX: never. Asked after each round and call.
  uint64_t (*TimedAt)() = nullptr;
  void (*Timed)() = nullptr;

  /// What GPU collection tells: whether the extension wants to hear of launches
  /// of the kernel with this name, mangled or not; that the calling thread is
  /// about to launch such a kernel (CORRELATION is never 0); and that it ran
  /// from START to END, on a thread of collection.
  bool (*WantsKernel)(const char *Name) = nullptr;
  void (*KernelLaunched)(uint32_t Correlation) = nullptr;
  void (*KernelRan)(uint32_t Correlation, uint64_t Start,
                    uint64_t End) = nullptr;
  /// A stream begins to record its work for later (a capture), or ends. Any
  /// thread.
  void (*CaptureBegins)() = nullptr;
  void (*CaptureEnds)() = nullptr;
  /// What it is told: the device work of a launch belongs to another node of
  /// the thread that made it. Work that is already charged stays where it is.
  void (*LaunchBelongs)(uint32_t Correlation, uint32_t Node) = nullptr;

  /// The sampler has read this metric (loopscope_metric::name) of the process,
  /// the host or a device, in the metric's unit. On the background thread.
  void (*DeviceRead)(const char *Metric, double Value) = nullptr;
  /// The same for a device's hardware.
  void (*DeviceUsed)(const DeviceUse &Read) = nullptr;

  /// Called in a forked child, whose only thread is the caller: the parent's
  /// profile and threads are gone.
  void (*ChildOfFork)() = nullptr;
  /// The run is ending normally; the profile is still open.
  void (*Stop)() = nullptr;

  /// The extension's entry point.
  EntryPoint (*Entry)() = nullptr;
};

/// The extensions in calling order, at most 32.
struct ExtensionList {
  const Extension *const *First;
  uint32_t Count;

  const Extension *const *begin() const { return First; }
  const Extension *const *end() const { return First + Count; }
};
/// Constant except in tests.
extern ExtensionList Extensions;

/// Calls FUNCTION, a member of Extension, of every extension that has it.
template <typename Result, typename... Parameters>
void callExtensions(Result (*Extension::*Function)(Parameters...),
                    Parameters... Arguments) {
  for (const Extension *Each : Extensions)
    if (Each->*Function != nullptr)
      (Each->*Function)(Arguments...);
}

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_EXTENSION_H
