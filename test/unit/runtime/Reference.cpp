// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A slow model of the hooks.

#include "Reference.h"

namespace {
// PATH without its markers for kinds of steps.
std::string plain(std::string Path) {
  std::erase_if(Path, [](char Each) { return Each == '*' || Each == '-'; });
  return Path;
}
} // namespace

void Reference::advance(uint64_t Ticks) {
  SinceReading += Ticks;
  if (InPause) {
    PausedFor += Ticks;
    return;
  }
  for (size_t I = Frames.size() - 1; I != 0; I = Frames[I].Parent) {
    Frames[I].Spent += Ticks;
    // A draw's time belongs to the step, not to its batch.
    if (Frames[I].Is == Role::ExplicitDraw) {
      size_t Batch = I;
      while (Frames[Batch].Is != Role::Batch)
        --Batch;
      Frames[Batch].Drawn += Ticks;
    }
  }
}

size_t Reference::push(const std::string &Name) {
  const Frame &Top = Frames.back();
  Frame New;
  New.Path = Top.Path.empty() ? Name : Top.Path + "/" + Name;
  New.Parent = Frames.size() - 1;
  Frames.push_back(New);
  return Frames.size() - 1;
}

Reference::Token Reference::enter(const std::string &Name) {
  if (isMuted())
    return None;
  SinceReading = 0;
  return push(Name);
}

Reference::Token Reference::enterAdjacent(const std::string &Name) {
  if (isMuted())
    return None;
  size_t Result = push(Name);
  Frames[Result].Spent = SinceReading;
  return Result;
}

Reference::Token Reference::enterLoop(const std::string &Name) {
  if (Frames.back().Excluded)
    return None;
  endPause();
  SinceReading = 0;
  size_t Loop = push(Name);
  Frames[Loop].Is = Role::Loop;
  pushDraw(Loop);
  goOnPausing();
  return Loop;
}

void Reference::pushDraw(size_t Loop) {
  std::string Path = Frames[Loop].Path;
  Frame New;
  New.Is = Role::LoopDraw;
  New.Excluded = Pauses != 0;
  bool IsWarmup = !New.Excluded && StepsOfLoop[plain(Path)] < WarmupSteps;
  New.StepPath = Path + (New.Excluded ? "/step-"
                         : IsWarmup   ? "/step*"
                                      : "/step");
  New.Path = New.StepPath + "/draw";
  New.Parent = Loop;
  Frames.push_back(New);
}

Reference::Token Reference::beginStep() {
  endPause();
  SinceReading = 0;
  Frame Draw = Frames.back();
  Frames.pop_back();
  Frame Batch = Draw;
  Batch.Is = Role::Batch;
  Batch.Path = Draw.StepPath + "/batch";
  Batch.Spent = 0;
  Batch.Drawn = Draw.Spent;
  Frames.push_back(Batch);
  goOnPausing();
  return Frames.size() - 1;
}

Reference::Token Reference::enterDraw(const std::string &Name) {
  if (isMuted())
    return None;
  size_t Batch = Frames.size() - 1;
  while (Batch != 0 && Frames[Batch].Is == Role::Span)
    --Batch;
  if (Frames[Batch].Is != Role::Batch)
    return enter(Name);
  SinceReading = 0;
  Frame New;
  New.Is = Role::ExplicitDraw;
  New.StepPath = Frames[Batch].StepPath;
  New.Path = New.StepPath + "/draw";
  New.Parent = Frames[Batch].Parent; // the loop, not the batch
  Frames.push_back(New);
  return Frames.size() - 1;
}

void Reference::leaveStep(Token T) {
  if (T == None)
    return;
  endPause();
  SinceReading = 0;
  while (Frames.size() > T + 1)
    pop();
  pop();
  goOnPausing();
}

void Reference::leave(Token T) {
  if (T == None)
    return;
  endPause();
  SinceReading = 0;
  while (Frames.size() > T)
    pop();
  goOnPausing();
}

void Reference::pause() {
  if (Pauses++ == 0)
    goOnPausing();
}

bool Reference::resume() {
  if (Pauses == 0)
    return false;
  if (--Pauses == 0)
    endPause();
  return true;
}

void Reference::endPause() {
  if (!InPause)
    return;
  SinceReading = 0;
  Nodes["(paused)"].Durations.push_back(PausedFor);
  InPause = false;
}

void Reference::goOnPausing() {
  if (Pauses == 0 || Frames.back().Excluded)
    return;
  SinceReading = 0;
  InPause = true;
  PausedFor = 0;
}

void Reference::pop() {
  Frame Top = Frames.back();
  Frames.pop_back();
  switch (Top.Is) {
  case Role::Span:
  case Role::Loop:
    endSpan(Top);
    break;
  case Role::LoopDraw:
    Nodes[Top.Path].Uncounted += Top.Spent;
    Nodes[Top.StepPath].Uncounted += Top.Spent;
    break;
  case Role::Batch:
    if (Pauses != 0 || Top.Excluded)
      excludeStep(Top);
    else
      endStep(Top);
    beginNextStep();
    break;
  case Role::ExplicitDraw:
    break; // its time is in Drawn
  }
}

void Reference::endSpan(const Frame &F) {
  Nodes[F.Path].Durations.push_back(F.Spent);
  Nodes[F.Path].SpentInStep += F.Spent;
}

void Reference::excludeStep(const Frame &Batch) {
  Nodes[Batch.StepPath].Uncounted += Batch.Drawn + Batch.Spent;
  Nodes[Batch.StepPath + "/draw"].Uncounted += Batch.Drawn;
  Nodes[Batch.Path].Uncounted += Batch.Spent;
  std::string Below = Batch.Path + "/";
  for (auto &[Path, N] : Nodes)
    if (Path.compare(0, Below.size(), Below) == 0)
      N.SpentInStep = 0;
}

void Reference::endStep(const Frame &Batch) {
  ReferenceNode &Step = Nodes[Batch.StepPath];
  uint64_t Whole = Batch.Drawn + Batch.Spent;
  Step.Durations.push_back(Whole);
  Nodes[Batch.StepPath + "/draw"].Durations.push_back(Batch.Drawn);
  ReferenceNode &Own = Nodes[Batch.Path];
  Own.Durations.push_back(Batch.Spent);
  if (Batch.Samples >= 0) {
    auto Count = static_cast<double>(Batch.Samples);
    Step.Samples += static_cast<uint64_t>(Batch.Samples);
    if (Whole != 0) {
      Step.Rates.push_back(Count / static_cast<double>(Whole));
      Step.SamplesOfSteps.push_back(static_cast<uint64_t>(Batch.Samples));
    }
    if (Batch.Spent != 0)
      Own.Rates.push_back(Count / static_cast<double>(Batch.Spent));
  }
  std::string Below = Batch.Path + "/";
  for (auto &[Path, N] : Nodes) {
    if (Path.compare(0, Below.size(), Below) != 0 ||
        Path.find('/', Below.size()) != std::string::npos)
      continue;
    if (Batch.Samples >= 0 && N.SpentInStep != 0)
      N.Rates.push_back(static_cast<double>(Batch.Samples) /
                        static_cast<double>(N.SpentInStep));
    N.SpentInStep = 0;
  }
}

void Reference::beginNextStep() {
  ++StepsOfLoop[plain(Frames.back().Path)];
  pushDraw(Frames.size() - 1);
}
