// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What extensions ask to be told about (extension.h), and telling them.

#ifndef LOOPSCOPE_TREE_SUBSCRIPTIONS_H
#define LOOPSCOPE_TREE_SUBSCRIPTIONS_H

#include "costs.h"
#include "extension.h"

#include <loopscope/profile_format.h>

namespace loopscope::runtime {

/// What extensions have subscribed to, beyond the functions of Extension.
struct SubscriptionState {
  /// Whether an extension watches spans; the threads concerned have an
  /// EventCursor.
  bool SpansWatched;
  /// Whether an extension has asked for steps' ends.
  bool StepsWatched;
  /// Whether an extension measures at borders; see measureBorders().
  bool BordersWatched;
  /// The extensions that watch all spans, one bit each.
  uint32_t WatchingAll;
  /// EventCursor points here on threads whose spans are watched but that have
  /// no block of events.
  uint64_t NoBlock;
};
extern __attribute__((visibility("hidden"))) SubscriptionState Subscriptions;

/// Turns on StepEnded until the process forks.
void watchSteps();

/// Turns on SpanBegan and SpanEnded of WHO for all spans of the calling thread
/// and of threads that start later.
void watchSpans(const Extension &Who);
/// The same for the spans of N, a node of the calling thread that isn't a loop
/// (a loop's steps are nodes of their own).
void watchSpans(const Extension &Who, Node *N);

/// Turns on AtBorder until the process forks.
void measureBorders();
/// Sets whether the borders of N's spans are reported. N is a node of the
/// calling thread, but not a STEP or BATCH; for a step's DRAW, only its end is
/// reported. An open span ends the way it began, so stop measuring N only at a
/// border of N.
void measureSpans(Node *N, bool Measured);

/// Sets whether WHO hears where spans of N begin and end
/// (Extension::Marked...). N is as for measureSpans(). Two extensions at most
/// can have these functions; others get no marks.
void markSpans(const Extension &Who, Node *N, bool Marked);

/// Reports a border to the extensions.
TicksTaken tellBorder(Border What, Node *N, uint64_t Now);
TicksTaken tellStepBorder(Node *Ended, Node *Next, uint64_t Now,
                          uint64_t &LookAt);

/// Reports a marked span.
TicksTaken tellMarkedBegins(Node *N, uint64_t Now);
TicksTaken tellMarkedEnded(Node *N, uint64_t Now);
void tellMarkedLeft(Thread *T, Node *N);
/// Reports a function whose hook is due.
TicksTaken tellFunctionDue(Node *N, unsigned char *Off);
/// Reports a new call path.
TicksTaken tellNewCallPath(Node *N);
/// Reports a step's end.
TicksTaken tellStepEnded(Node *Step, uint64_t Steps, uint64_t Now);
/// Reports the begin or end of a span to those that watch it, and books the
/// ticks that they took.
void tellSpanEvent(loopscope_event_type Type, const Node *N, uint64_t Now);

/// For a forked child: nobody asks for anything.
void resetSubscriptions();

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TREE_SUBSCRIPTIONS_H
