// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The last steps of a run in trace mode: what each thread did while a step ran.
// All arithmetic of the timeline view; printers and exporters only read it.

#ifndef LOOPSCOPE_ANALYSIS_STEPS_STEPTIMELINE_H
#define LOOPSCOPE_ANALYSIS_STEPS_STEPTIMELINE_H

#include "Run/Model/Run.h"
#include "Support/Result.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

namespace loopscope {

/// What a piece of a track is.
enum class PieceKind {
  Draw, ///< waiting for data
  Wait, ///< waiting inside the process
  Work, ///< a phase, or device work
  Rest  ///< the step's own thread, outside its phases
};

/// A time in which a track did one thing. Nanoseconds since the run's start.
struct TimelinePiece {
  std::string Name;
  PieceKind Kind = PieceKind::Work;
  int64_t StartNs = 0;
  int64_t EndNs = 0;
};

/// A thread or a device's queue. Pieces don't overlap and are in order.
struct TimelineTrack {
  std::string Name;
  std::vector<TimelinePiece> Pieces;

  /// Of pieces that are neither waits nor rest.
  int64_t busyNs() const;
};

/// A step and everything that happened while it ran, cut to its limits.
struct TimelineStep {
  std::string Loop; ///< "train"; with the function's name if there are two
  int64_t Number = 0;
  int64_t StartNs = 0;
  int64_t EndNs = 0;
  bool Open = false; ///< hadn't ended when the profile was read
  /// The step's own thread first: draw, phases and rest, without a gap.
  std::vector<TimelineTrack> Tracks;
};

/// The steps, by start.
struct StepTimeline {
  std::vector<TimelineStep> Steps;
  std::string Process;       ///< whose steps, of a merged profile: "rank 3"
  size_t HiddenSteps = 0;    ///< of the run, before the first of Steps
  bool SeveralLoops = false; ///< Steps and the hidden ones are of several
};

/// The steps among one thread's spans, as indices, by start. A loop's last
/// draw, which no batch follows, isn't a step; a step that hasn't ended is one.
std::vector<size_t> stepsOf(const Run &R,
                            const std::vector<TimelineSpan> &Track);

/// Whether a step belongs to a training loop.
bool isTrainingStep(const Run &R, const Node &N);

/// Whether a run has any.
bool hasTrainingSteps(const Run &R);

/// Names for the loops of \p Steps, which are nodes of steps, by node: "train".
/// With function and line if several loops have that name, and preceded by the
/// process if they are from several.
std::map<uint32_t, std::string> loopNames(const Run &R,
                                          const std::set<uint32_t> &Steps);

/// The error for a timeline of \p R without steps.
Error noSteps(const Run &R);

/// Whether \p Node is a part of its step: the draw, or what the batch calls.
bool isStepPart(const Run &R, const Node &N);

/// The last \p Steps steps of \p R's threads (0: all). \p R was read with its
/// timeline. In a merged profile, the steps of the first process that has any,
/// with the threads of the others beside them.
StepTimeline lastSteps(const Run &R, size_t Steps);

/// Adds a track to each of the steps during which it has something, by time. \p
/// Pieces are sorted by start, and each lies within or after the ones before:
/// inner ones are cut out of outer ones.
void addTrack(StepTimeline &To, const std::string &Name,
              std::vector<TimelinePiece> Pieces);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_STEPS_STEPTIMELINE_H
