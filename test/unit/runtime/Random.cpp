// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs: nested spans, adjacent spans, loops, draws, jumps that leave
// inner spans open, and pauses anywhere.

#include "Random.h"

#include "base/clock.h"

void RandomProgram::pass() {
  // From zero to days, all magnitudes equally likely.
  uint64_t Ticks = Engine() >> (14 + pick(50));
  loopscope::runtime::FakeTicks += Ticks;
  Expected.advance(Ticks);
}

void RandomProgram::span(unsigned Depth) {
  std::string Name(1, static_cast<char>('a' + pick(4)));
  const loopscope_site *Site = Sites(Name, LOOPSCOPE_KIND_PHASE);
  bool Adjacent = pick(3) == 0;
  loopscope_token Real =
      Adjacent ? loopscope_enter_adjacent(Site) : loopscope_enter(Site);
  Reference::Token Model =
      Adjacent ? Expected.enterAdjacent(Name) : Expected.enter(Name);
  pass();
  body(Depth + 1);
  if (pick(20) == 0 && Depth > 0)
    return; // a jump: an outer span ends this one
  loopscope_leave(Real);
  Expected.leave(Model);
}

void RandomProgram::loop(unsigned Depth) {
  bool Train = pick(2) == 0;
  std::string Name = Train ? "train" : "valid";
  loopscope_token Real = loopscope_loop_enter(
      Sites(Name, Train ? LOOPSCOPE_KIND_TRAIN : LOOPSCOPE_KIND_VALID));
  Reference::Token Model = Expected.enterLoop(Name);
  bool WithSamples = pick(4) != 0;
  for (unsigned I = pick(5); I != 0; --I) {
    pass();
    pauseOrResume();
    loopscope_token Step = loopscope_step_begin(Real);
    Reference::Token ModelStep =
        Model == Reference::None ? Reference::None : Expected.beginStep();
    if (WithSamples && ModelStep != Reference::None) {
      int64_t Count = pick(4) == 0 ? pick(1000) : 32;
      loopscope_samples(Step, Count);
      Expected.samples(Count);
    }
    body(Depth + 1);
    loopscope_step_end(Step);
    Expected.leaveStep(ModelStep);
  }
  pass();
  loopscope_leave(Real);
  Expected.leave(Model);
}

void RandomProgram::pauseOrResume() {
  if (ResetEvery != 0 && pick(ResetEvery) == 0) {
    Expected.pause();
    Reset();
    Expected.resume();
  }
  switch (pick(30)) {
  case 0:
    loopscope_pause();
    Expected.pause();
    break;
  case 1:
  case 2:
    loopscope_resume();
    StrayResumes += Expected.resume() ? 0 : 1;
    break;
  default:
    break;
  }
}

void RandomProgram::explicitDraw(unsigned Depth) {
  loopscope_token Real =
      loopscope_draw_enter(Sites("load", LOOPSCOPE_KIND_DRAW));
  Reference::Token Model = Expected.enterDraw("load");
  pass();
  if (pick(2) == 0)
    span(Depth + 1);
  loopscope_leave(Real);
  Expected.leave(Model);
}

void RandomProgram::body(unsigned Depth) {
  for (unsigned I = pick(4); I != 0 && Left != 0 && Depth < 8; --I) {
    --Left;
    switch (pick(6)) {
    case 0:
      loop(Depth);
      break;
    case 1:
      explicitDraw(Depth);
      break;
    default:
      span(Depth);
      break;
    }
    pauseOrResume();
    pass();
  }
}

void RandomProgram::run(unsigned Length) {
  loopscope_token Real = loopscope_enter(Sites("main", LOOPSCOPE_KIND_FIT));
  Reference::Token Model = Expected.enter("main");
  for (Left = Length; Left != 0;)
    body(0);
  for (; Expected.resume();)
    loopscope_resume();
  loopscope_leave(Real);
  Expected.leave(Model);
}
