// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slow and obvious model of the hooks' records: each piece of time is added
// to each open span that it belongs to, one by one, and every duration is kept.

#ifndef LOOPSCOPE_TEST_UNIT_RUNTIME_REFERENCE_H
#define LOOPSCOPE_TEST_UNIT_RUNTIME_REFERENCE_H

#include <cstdint>
#include <map>
#include <string>
#include <vector>

/// The records of a call path.
struct ReferenceNode {
  std::vector<uint64_t> Durations;
  uint64_t Uncounted = 0;
  uint64_t Samples = 0;
  std::vector<double> Rates;            ///< samples per tick of each step
  std::vector<uint64_t> SamplesOfSteps; ///< of those in Rates
  uint64_t SpentInStep = 0;             ///< in the current step
};

class Reference {
public:
  /// An open span, by its position in the order of opening.
  using Token = size_t;
  /// Nothing was opened: recording was paused.
  static constexpr Token None = SIZE_MAX;

  explicit Reference(uint64_t WarmupSteps) : WarmupSteps(WarmupSteps) {
    Frames.push_back({});
  }

  /// Lets time pass.
  void advance(uint64_t Ticks);
  Token enter(const std::string &Name);
  /// Starts at the last reading.
  Token enterAdjacent(const std::string &Name);
  Token enterLoop(const std::string &Name);
  Token beginStep();
  Token enterDraw(const std::string &Name);
  /// Of the innermost open batch.
  void samples(int64_t Count) { Frames.back().Samples = Count; }
  /// Ends a step and everything opened in it, and begins the next draw.
  void leaveStep(Token T);
  /// Ends a span and everything opened after it.
  void leave(Token T);
  void pause();
  /// False: there is no pause.
  bool resume();

  const std::map<std::string, ReferenceNode> &nodes() const { return Nodes; }

private:
  enum class Role { Span, Loop, LoopDraw, Batch, ExplicitDraw };
  // Open spans in the order of opening. A loop's step is part of its LoopDraw
  // or Batch frame.
  struct Frame {
    Role Is = Role::Span;
    std::string Path;     // of the node that gets the time
    std::string StepPath; // LoopDraw, Batch, ExplicitDraw
    size_t Parent = 0;    // the frame that includes this one's time
    uint64_t Spent = 0;
    uint64_t Drawn = 0; // Batch, LoopDraw: the step's draw so far
    int64_t Samples = -1;
    bool Excluded = false; // LoopDraw, Batch: the step began in a pause
  };

  size_t push(const std::string &Name);
  void pushDraw(size_t Loop);
  void pop();
  void excludeStep(const Frame &Batch);
  void endStep(const Frame &Batch);
  void beginNextStep();
  void endSpan(const Frame &F);

  /// In an excluded step, or in a pause that takes time from what is open.
  bool isMuted() const { return Frames.back().Excluded || InPause; }
  void endPause();
  void goOnPausing();

  uint64_t WarmupSteps;
  uint64_t Pauses = 0;
  bool InPause = false;
  uint64_t PausedFor = 0;
  uint64_t SinceReading = 0;
  std::vector<Frame> Frames;
  std::map<std::string, ReferenceNode> Nodes;
  std::map<std::string, uint64_t> StepsOfLoop; // by path without the "*"
};

#endif // LOOPSCOPE_TEST_UNIT_RUNTIME_REFERENCE_H
