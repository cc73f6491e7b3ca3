// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The seam between the core and its extensions.
//
//   hooks -> core -> Extensions: a struct of functions each
//   an extension -> core's headers
//
// The core knows no extension by name, and no extension knows another; only
// extensions.cpp, which lists them, knows both sides. What two extensions need
// is a service of the core.
//
// Functions that run in the program's hooks give the ticks that they took from
// the program, 0 where that isn't worth a word. These ticks are in no span's
// count: they fall on the self time of the node that is innermost then, where
// the core books them as the profiler's own.

#ifndef LOOPSCOPE_CORE_EXTENSION_H
#define LOOPSCOPE_CORE_EXTENSION_H

#include "options.h"
#include "sums.h"
#include "tree.h"

namespace loopscope::runtime {

/// A function that other copies of the runtime in the process may call; see
/// objects.h. Cast back to its own type by the caller.
using EntryPoint = void (*)();

/// Where a measured span or step begins and ends.
enum class Border {
  SpanBegins,        ///< N, which isn't open yet, at NOW
  SpanEnded,         ///< N, at NOW; N->enter_ticks is still its start
  DrawEnded,         ///< N is the DRAW of a step, whose batch began at NOW
  ExplicitDrawBegan, ///< it interrupted N, and with it what is open up to the
                     ///< BATCH
  ExplicitDrawEnded, ///< the same; N->enter_ticks has moved on by the draw
  CutBegan,          ///< it interrupted N, and with it all that is open
  CutEnded,          ///< the same; N->enter_ticks has moved on by the cut
};

/// What the core calls of an extension. Any function may be null.
struct Extension {
  const char *Name;
  /// The key that its costs have in the profile, "cost.NAME"; null where it
  /// never gives ticks.
  const char *CostKey = nullptr;

  /// Its words of LOOPSCOPE=. They are parsed before Start.
  OptionWords Words;

  /// Once in a process, when the options are known: before main, or at a hook
  /// that comes even earlier.
  void (*Start)() = nullptr;
  /// Before a profile is made, on a slow path, without the slow lock.
  void (*BeforeProfile)() = nullptr;
  /// Writes what the extension has to say into a new profile's header, before
  /// anybody can see it. Slow lock held.
  void (*DescribeProfile)(loopscope_profile_header &New) = nullptr;
  /// The new profile has got its file, or has none; hooks don't know it yet.
  /// Slow lock held.
  void (*ProfileMade)() = nullptr;
  /// The calling thread has got the tree T and records from now on. On a slow
  /// path, without the slow lock.
  void (*ThreadStarted)(Thread *T) = nullptr;
  /// The calling thread, which had a tree, ends. On a slow path.
  void (*ThreadEnded)() = nullptr;

  /// A hook has made N, which isn't open yet. On a slow path. Not for the STEP,
  /// DRAW and BATCH of a loop.
  uint64_t (*NewCallPath)(Node *N) = nullptr;
  /// A step of STEP ended at NOW, its loop has done STEPS of them. Only after
  /// watchSteps().
  uint64_t (*StepEnded)(Node *Step, uint64_t Steps, uint64_t Now) = nullptr;
  /// A span of N began or ended at NOW. Only for nodes that the extension asked
  /// for by watchSpans(). At the end N->enter_ticks is still the span's start.
  uint64_t (*SpanBegan)(const Node *N, uint64_t Now) = nullptr;
  uint64_t (*SpanEnded)(const Node *N, uint64_t Now) = nullptr;

  /// At a border of a node that measureSpans() chose; of explicit draws and of
  /// cuts, of any. After measureBorders(). What the thread times next begins as
  /// many ticks after NOW as the function gives. So a span that is adjacent to
  /// the last one has a NOW that is no later than the end of the last border's
  /// ticks, as have spans that end together.
  uint64_t (*AtBorder)(Border What, Node *N, uint64_t Now) = nullptr;
  /// Between two steps of a loop: ENDED, a STEP, ended at NOW and NEXT begins;
  /// null where there is none, or one outside the window. ENDED->last_ticks is
  /// its duration. Called at a loop's first step and, from then on, at every
  /// step from number LOOK_AT on, to which the extension may lower the number
  /// that it finds; the loop has done links(loop).Loop.Steps.
  uint64_t (*AtStepBorder)(Node *Ended, Node *Next, uint64_t Now,
                           uint64_t &LookAt) = nullptr;
  /// A span of N, which lengthenSpans() chose, begins at NOW. What the function
  /// takes lies before it.
  uint64_t (*LengthenedBegins)(Node *N, uint64_t Now) = nullptr;
  /// Such a span has ended by its own hook, N->last_ticks is its duration; what
  /// encloses it is open on T, the calling thread. The moment for a cut (cut.h)
  /// that makes it longer.
  void (*LengthenedEnded)(Thread *T, Node *N) = nullptr;
  /// A span of N, which recordSpans() chose, begins at NOW; what the function
  /// takes lies before it. The span has ended at NOW: N->enter_ticks is its
  /// start, N->last_ticks its duration, links(N).Collective has its bytes.
  uint64_t (*CollectiveBegins)(Node *N, uint64_t Now) = nullptr;
  uint64_t (*CollectiveEnded)(Node *N, uint64_t Now) = nullptr;
  /// Function mode's hook of N has been called 1,024 times more, and N isn't
  /// open now: the moment to set *OFF, after which it is called no more. On a
  /// slow path.
  uint64_t (*FunctionDue)(Node *N, unsigned char *Off) = nullptr;
  /// The open span of N, a phase or STEP of the calling thread, does FLOPS
  /// floating-point operations, whatever number the program says.
  void (*WorkSaid)(Node *N, double Flops) = nullptr;
  /// Some times in a second, on the thread T in one of its hooks, on a slow
  /// path: the moment to look through its tree.
  void (*LookThrough)(Thread *T) = nullptr;

  /// On the background thread, which the options may forbid: when it starts, at
  /// each of its rounds (false: it shall end), and after callBackground() (true
  /// while there is more to do).
  void (*BackgroundStarted)() = nullptr;
  bool (*Tick)() = nullptr;
  bool (*Called)() = nullptr;

  /// The kernel of a launch that was noted (device_launches.h) ran from START
  /// to END. On a thread of GPU collection's.
  void (*CommunicationRan)(uint32_t Correlation, uint64_t Start,
                           uint64_t End) = nullptr;

  /// In a forked child, whose only thread is the calling one: nothing of the
  /// parent's profile and threads is there any more.
  void (*ChildOfFork)() = nullptr;
  /// The run ends normally; the profile is still open.
  void (*Stop)() = nullptr;

  /// The extension's entry point.
  EntryPoint (*Entry)() = nullptr;
};

/// The extensions in the order in which they are called, at most 32.
struct ExtensionList {
  const Extension *const *First;
  uint32_t Count;

  const Extension *const *begin() const { return First; }
  const Extension *const *end() const { return First + Count; }
};
/// Constant but for tests.
extern ExtensionList Extensions;

/// Calls FUNCTION, a member of Extension, of every extension that has it.
template <typename Result, typename... Parameters>
void callExtensions(Result (*Extension::*Function)(Parameters...),
                    Parameters... Arguments) {
  for (const Extension *Each : Extensions)
    if (Each->*Function != nullptr)
      (Each->*Function)(Arguments...);
}

/// The ticks that each extension took, by its place in the list.
struct TicksTaken {
  uint64_t By[32];
  uint64_t All;
};

/// Books ticks as costs in the self time of N, a node of the calling thread.
/// ON_SLOW_PATH: the caller is on one. From elsewhere, ticks may get lost where
/// the thread was already on one: the first that are booked on a node.
void bookCosts(const TicksTaken &Taken, Node *N, bool OnSlowPath);

/// Books TICKS that the calling thread took for COST, an extension's sum, in
/// the self time of its node N. From anywhere; ticks may get lost as above.
void bookCost(SumId Cost, const Node *N, uint64_t Ticks);

/// From now on, and until the process forks, steps' ends are told.
void watchSteps();

/// The same for all spans, told to WHO, of threads that start later and of the
/// calling one.
void watchSpans(const Extension &Who);
/// The same for the spans of N, a node of the calling thread and no loop; a
/// loop's steps are nodes, too.
void watchSpans(const Extension &Who, Node *N);

/// From now on, and until the process forks, borders are told.
void measureBorders();
/// Whether to tell the borders of the spans of N, a node of the calling thread
/// that is no STEP or BATCH; of the DRAW of a step, its end. A span that is
/// open ends as it began, so N is let go at a border of its own only.
void measureSpans(Node *N, bool Measured);

/// Whether to tell where spans of N begin and end that an extension lengthens.
/// N is as for measureSpans(), and a phase or function.
void lengthenSpans(Node *N, bool Lengthened);

/// From now on, the spans of N, a COLLECTIVE of the calling thread, are told
/// where they begin and end.
void recordSpans(Node *N);

/// Tells the extensions of a border.
TicksTaken tellBorder(Border What, Node *N, uint64_t Now);
TicksTaken tellStepBorder(Node *Ended, Node *Next, uint64_t Now,
                          uint64_t &LookAt);

/// Tells the extensions of a span that may be lengthened.
TicksTaken tellLengthenedBegins(Node *N, uint64_t Now);
/// Tells the extensions of a recorded span.
TicksTaken tellCollectiveBegins(Node *N, uint64_t Now);
TicksTaken tellCollectiveEnded(Node *N, uint64_t Now);
/// Tells the extensions of a function whose hook is due.
TicksTaken tellFunctionDue(Node *N, unsigned char *Off);
/// Tells the extensions of a new call path.
TicksTaken tellNewCallPath(Node *N);
/// The same of a step's end.
TicksTaken tellStepEnded(Node *Step, uint64_t Steps, uint64_t Now);
/// Tells those that watch it of a span's beginning or end, and books the ticks
/// that they took.
void tellSpanEvent(loopscope_event_type Type, const Node *N, uint64_t Now);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_CORE_EXTENSION_H
