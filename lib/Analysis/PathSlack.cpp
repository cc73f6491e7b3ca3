// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Slack, from the end of the timeline to its start: each piece hands what it
// can bear to those that it had waited for.

#include "Analysis/PathSlack.h"

#include <algorithm>
#include <tuple>

using namespace loopscope;

namespace {
class Sweep {
public:
  Sweep(const PathLanes &Lanes, uint32_t Steps) : Lanes(Lanes), Steps(Steps) {
    for (const PathLane &Each : Lanes.all())
      Slack.emplace_back(Each.Pieces.size(), NoSlack);
  }

  std::vector<std::vector<int64_t>> run() {
    findMoments();
    if (!Slack[Steps].empty())
      Slack[Steps].back() = 0;
    for (const Moment &Each : Moments)
      if (Each.IsEnd)
        endWait(Each.Lane, Each.Piece);
      else
        begin(Each.Lane, Each.Piece);
    return std::move(Slack);
  }

private:
  // Where a piece begins; where one that may have waited ends.
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

  // From the last to the first; of one time, what begins there comes first.
  void findMoments() {
    uint32_t Process = Lanes.all()[Steps].Process;
    for (uint32_t L = 0; L < Lanes.all().size(); ++L) {
      const PathLane &Lane = Lanes.all()[L];
      if (Lane.Process != Process)
        continue;
      for (uint32_t I = 0; I < Lane.Pieces.size(); ++I) {
        Moments.push_back({Lane.Pieces[I].StartNs, false, L, I});
        if (Lane.Pieces[I].mayWait())
          Moments.push_back({Lane.Pieces[I].EndNs, true, L, I});
      }
    }
    std::sort(Moments.begin(), Moments.end(),
              [](const Moment &A, const Moment &B) {
                return std::tie(B.Ns, A.IsEnd, A.Lane, A.Piece) <
                       std::tie(A.Ns, B.IsEnd, B.Lane, B.Piece);
              });
    for (auto At = Moments.rbegin(); At != Moments.rend(); ++At) {
      const PathPiece &Of = piece(At->Lane, At->Piece);
      if (At->IsEnd && takesPhases(At->Lane, Of))
        PhasesTaken.push_back(At->Ns);
      if (At->IsEnd && Of.What == PathPiece::Use::Wait)
        WorkTaken.push_back(At->Ns);
    }
  }

  bool takesPhases(uint32_t Lane, const PathPiece &Of) const {
    return Lane == Steps && Of.What == PathPiece::Use::Draw;
  }

  // The time before NS in TAKEN, which only gets shorter.
  static int64_t takenBefore(std::vector<int64_t> &Taken, int64_t Ns) {
    while (!Taken.empty() && Taken.back() >= Ns)
      Taken.pop_back();
    return Taken.empty() ? INT64_MIN : Taken.back();
  }

  // A wait delays what comes after it no later than what it waited for; what
  // else may have been wanted by then had that long.
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
      Lanes.phaseEnds(Process).forAll(takenBefore(PhasesTaken, Of.EndNs),
                                      Of.EndNs, Other);
    else if (Of.What == PathPiece::Use::Wait)
      Lanes.workEnds(Process).forAll(takenBefore(WorkTaken, Of.EndNs), Of.EndNs,
                                     Other);
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
    bool HasWaited = Lane != Steps && Before < Of.StartNs &&
                     Lanes.drawsIn(Steps, Before, Of.StartNs);
    bear({Lane, Piece - 1, Before}, HasWaited ? Of.StartNs - Before : Own);
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
    if (std::optional<PathPlace> Launch = Lanes.launchOf(Of))
      Had(*Launch, IsStart(Launch->Lane, Launch->Piece));
    if (Start && Start->IsGuessed)
      Had(Start->From, true);
  }

  const PathLanes &Lanes;
  uint32_t Steps;
  std::vector<Moment> Moments;
  // Ends of the steps' draws and of calls that wait, in order; those to come.
  std::vector<int64_t> PhasesTaken, WorkTaken;
  std::vector<std::vector<int64_t>> Slack;
};
} // namespace

std::vector<std::vector<int64_t>> loopscope::pathSlack(const PathLanes &Lanes,
                                                       uint32_t Steps) {
  return Sweep(Lanes, Steps).run();
}
