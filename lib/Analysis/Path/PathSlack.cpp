// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Computes slack from the end of the timeline to its start: each piece passes
// the delay it can tolerate to the pieces that it had waited for.

#include "Analysis/Path/PathSlack.h"

#include <algorithm>

using namespace loopscope;

namespace {
class Sweep {
public:
  Sweep(const PathLanes &Lanes, const std::vector<bool> &HasSteps)
      : Lanes(Lanes), HasSteps(HasSteps) {
    for (const PathLane &Each : Lanes.all())
      Slack.emplace_back(Each.Pieces.size(), NoSlack);
  }

  std::vector<std::vector<int64_t>> run() {
    findMoments();
    for (size_t L = 0; L < Slack.size(); ++L)
      if (HasSteps[L] && !Slack[L].empty())
        Slack[L].back() = 0;
    for (const Moment &Each : Moments)
      if (Each.IsEnd)
        endWait(Each.Lane, Each.Piece);
      else
        begin(Each.Lane, Each.Piece);
    return std::move(Slack);
  }

private:
  // Where a piece begins, or where one that may have waited ends.
  struct Moment {
    int64_t Ns;
    bool IsEnd;
    uint32_t Lane, Piece;
  };

  const PathPiece &piece(uint32_t Lane, uint32_t Piece) const {
    return Lanes.all()[Lane].Pieces[Piece];
  }

  void bear(const PathPlace &What, int64_t Ns) {
    if (What.Lane == None || What.Piece == None)
      return;
    int64_t &Known = Slack[What.Lane][What.Piece];
    Known = std::min(Known, Ns);
  }

  // Sorted from last to first; at equal times, beginnings come first.
  void findMoments() {
    for (uint32_t L = 0; L < Lanes.all().size(); ++L) {
      const PathLane &Lane = Lanes.all()[L];
      for (uint32_t I = 0; I < Lane.Pieces.size(); ++I) {
        Moments.push_back({Lane.Pieces[I].StartNs, false, L, I});
        if (Lane.Pieces[I].mayWait())
          Moments.push_back({Lane.Pieces[I].EndNs, true, L, I});
      }
    }
    std::stable_sort(Moments.begin(), Moments.end(),
                     [](const Moment &A, const Moment &B) {
                       return A.Ns != B.Ns ? A.Ns > B.Ns : A.IsEnd < B.IsEnd;
                     });
    Taken.resize(Lanes.processes());
    for (auto At = Moments.rbegin(); At != Moments.rend(); ++At)
      if (At->IsEnd) {
        const PathPiece &Of = piece(At->Lane, At->Piece);
        OfProcess &To = Taken[Lanes.all()[At->Lane].Process];
        if (takesPhases(At->Lane, Of))
          To.Phases.push_back(At->Ns);
        if (Of.What == PathPiece::Use::Wait)
          To.Work.push_back(At->Ns);
      }
  }

  bool takesPhases(uint32_t Lane, const PathPiece &Of) const {
    return HasSteps[Lane] && Of.What == PathPiece::Use::Draw;
  }

  // The time before NS that IN covers; NS only decreases from call to call.
  static int64_t takenBefore(std::vector<int64_t> &In, int64_t Ns) {
    while (!In.empty() && In.back() >= Ns)
      In.pop_back();
    return In.empty() ? INT64_MIN : In.back();
  }

  // Whatever ended the wait may be late by as much as the wait itself may;
  // anything else that ended earlier could have ended as late as the wait did.
  void endWait(uint32_t Lane, uint32_t Piece) {
    const PathPiece &Of = piece(Lane, Piece);
    std::optional<PathCause> Cause = Lanes.causeOf(Lane, Piece, Of.EndNs);
    if (Cause)
      bear(Cause->From, Slack[Lane][Piece]);
    uint32_t Process = Lanes.all()[Lane].Process;
    auto Other = [&](const PathPlace &End) {
      bool IsCause = Cause && End.Lane == Cause->From.Lane &&
                     End.Piece == Cause->From.Piece;
      if (!IsCause && End.Lane != Lane)
        bear(End, Of.EndNs - End.Ns);
    };
    if (takesPhases(Lane, Of))
      Lanes.phaseEnds(Process).forAll(
          takenBefore(Taken[Process].Phases, Of.EndNs), Of.EndNs, Other);
    else if (Of.What == PathPiece::Use::Wait)
      Lanes.workEnds(Process).forAll(takenBefore(Taken[Process].Work, Of.EndNs),
                                     Of.EndNs, Other);
  }

  void begin(uint32_t Lane, uint32_t Piece) {
    const PathPiece &Of = piece(Lane, Piece);
    int64_t &Own = Slack[Lane][Piece];
    if (Of.What == PathPiece::Use::Device)
      return beginWork(Lane, Piece, Own);
    if (std::optional<PathCause> Cause = Lanes.causeOf(Lane, Piece, Of.EndNs))
      Own = Cause->From.Ns - Of.StartNs;
    if (Piece == 0)
      return;
    int64_t Before = piece(Lane, Piece - 1).EndNs;
    bool HasWaited = !HasSteps[Lane] && Before < Of.StartNs &&
                     drawsIn(Lanes.all()[Lane].Process, Before, Of.StartNs);
    bear({Lane, Piece - 1, Before}, HasWaited ? Of.StartNs - Before : Own);
  }

  bool drawsIn(uint32_t Process, int64_t From, int64_t Until) const {
    for (uint32_t L = 0; L < HasSteps.size(); ++L)
      if (HasSteps[L] && Lanes.all()[L].Process == Process &&
          Lanes.drawsIn(L, From, Until))
        return true;
    return false;
  }

  void beginWork(uint32_t Lane, uint32_t Piece, int64_t Own) {
    const PathPiece &Of = piece(Lane, Piece);
    std::optional<PathCause> Start = Lanes.startOf(Lane, Piece);
    auto Had = [&](const PathPlace &What, bool IsStart) {
      bear(What, IsStart ? Own : Of.StartNs - What.Ns);
    };
    auto IsStart = [&](uint32_t OfLane, uint32_t OfPiece) {
      return Start && Start->From.Lane == OfLane &&
             Start->From.Piece == OfPiece;
    };
    if (Piece != 0)
      Had({Lane, Piece - 1, piece(Lane, Piece - 1).EndNs},
          IsStart(Lane, Piece - 1));
    if (std::optional<PathPlace> Launch = Lanes.launchOf(Lane, Piece))
      Had(*Launch, IsStart(Launch->Lane, Launch->Piece));
    if (Start && Start->IsGuessed)
      Had(Start->From, true);
  }

  const PathLanes &Lanes;
  const std::vector<bool> &HasSteps; // by lane
  std::vector<Moment> Moments;
  // Ends of draws, and of calls that wait, up to where the sweep is.
  struct OfProcess {
    std::vector<int64_t> Phases, Work;
  };
  std::vector<OfProcess> Taken;
  std::vector<std::vector<int64_t>> Slack;
};
} // namespace

std::vector<std::vector<int64_t>>
loopscope::pathSlack(const PathLanes &Lanes,
                     const std::vector<bool> &HasSteps) {
  return Sweep(Lanes, HasSteps).run();
}
