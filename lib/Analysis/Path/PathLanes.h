// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A timeline as what the critical path is followed through: what each thread
// and each stream did, piece by piece, and what each piece had waited for.
//
//   a draw, a wait     the phase of another thread that ended last within it
//   a call that waits  the device work that it waited for
//   device work        the work before it on its stream, its launch, or work of
//                      another stream, whichever came last
//
// A wait is a place marked as one. Other waiting for a lock, and for a
// collective, isn't recorded; causeOf() is where it would be followed.

#ifndef LOOPSCOPE_ANALYSIS_PATH_PATHLANES_H
#define LOOPSCOPE_ANALYSIS_PATH_PATHLANES_H

#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

namespace loopscope {

/// What a lane did for some time. A lane's pieces don't overlap, are never
/// empty, and are in order.
struct PathPiece {
  enum class Use : uint8_t {
    Work, ///< on the host
    Draw, ///< a draw's or a marked wait's own time
    Wait, ///< in a call that waits for a device
    Device
  };
  int64_t StartNs = 0; ///< since the run's start
  int64_t EndNs = 0;
  uint32_t Name = 0;     ///< in PathLanes::names()
  uint32_t Event = None; ///< Wait, Device: in GpuData::Events
  Use What = Use::Work;

  bool mayWait() const { return What == Use::Draw || What == Use::Wait; }
};

/// A thread, or a stream of a device.
struct PathLane {
  uint32_t Process = 0;
  uint32_t Device = None; ///< in GpuData::Devices; None: a thread
  std::vector<PathPiece> Pieces;
};

/// A time on a lane, within a piece or at its end.
struct PathPlace {
  uint32_t Lane = None; ///< None: a thread that has no lane
  uint32_t Piece = None;
  int64_t Ns = 0;
};

/// What something had been waiting for. Guessed: inferred from times alone.
struct PathCause {
  PathPlace From;
  bool IsGuessed = false;
};

/// Where lanes ended something, sorted, to find the last one before a time.
class PathEnds {
public:
  void add(const PathPlace &End) { Ends.push_back({End, None}); }
  /// Call after the last add().
  void sort();
  /// The last one in (\p After, \p Until] on any lane except \p Except.
  std::optional<PathPlace> lastOf(int64_t After, int64_t Until,
                                  uint32_t Except = None) const;
  /// Calls \p Each for all in (\p After, \p Until].
  template <class F> void forAll(int64_t After, int64_t Until, F Each) const {
    for (size_t I = firstAfter(After);
         I < Ends.size() && Ends[I].Place.Ns <= Until; ++I)
      Each(Ends[I].Place);
  }

private:
  struct End {
    PathPlace Place;
    size_t Other; ///< the last one before it of another lane
  };
  size_t firstAfter(int64_t Ns) const;

  std::vector<End> Ends;
};

/// All lanes of a run with a timeline.
class PathLanes {
public:
  /// The name of time in no phase; the first of names().
  static constexpr uint32_t NoPhase = 0;

  explicit PathLanes(const Run &R);

  /// Run::Threads first, then the streams.
  const std::vector<PathLane> &all() const { return Lanes; }
  const PathPiece &at(const PathPlace &Place) const {
    return Lanes[Place.Lane].Pieces[Place.Piece];
  }
  /// What pieces are called: "forward", "forward (GPU)".
  const std::vector<std::string> &names() const { return Names; }

  /// The last piece of \p Lane that begins before \p Ns; None if there is none.
  uint32_t pieceBefore(uint32_t Lane, int64_t Ns) const;

  /// What ended a wait, piece \p Piece of the thread \p Lane, before \p Until.
  /// None if that isn't known.
  std::optional<PathCause> causeOf(uint32_t Lane, uint32_t Piece,
                                   int64_t Until) const;

  /// What device work had waited for last; none if that isn't known.
  std::optional<PathCause> startOf(uint32_t Lane, uint32_t Piece) const;

  /// Where device work was launched, at the latest when it began; none if that
  /// isn't known.
  std::optional<PathPlace> launchOf(uint32_t Lane, uint32_t Piece) const;

  /// How many processes the run has; lanes of different processes don't wait
  /// for each other.
  size_t processes() const { return Processes.size(); }

  /// Ends of the phases on a process's threads, and of its device work.
  const PathEnds &phaseEnds(uint32_t Process) const {
    return Processes[Process].Phases;
  }
  const PathEnds &workEnds(uint32_t Process) const {
    return Processes[Process].Work;
  }

  /// Whether the timeline lacks the device work of \p Launch, a call.
  bool lacksWork(const GpuEvent &Launch) const;

  /// Whether a draw or a marked wait begins on \p Lane in [\p From, \p Until].
  bool drawsIn(uint32_t Lane, int64_t From, int64_t Until) const;

private:
  struct OfProcess {
    PathEnds Phases, Work;
    size_t Streams = 0, Devices = 0;
  };
  /// The key of a process's call, from its correlation id.
  static uint64_t callKey(uint32_t Process, uint32_t Correlation) {
    return uint64_t{Process} << 32 | Correlation;
  }

  uint32_t intern(const std::string &Name);
  uint32_t processOf(const std::string &Name);
  void nameNodes();
  void addThread(uint32_t Thread, const std::vector<uint32_t> &Waits);
  void addStreams();

  const Run &R;
  std::vector<PathLane> Lanes;
  std::vector<std::vector<int64_t>> Draws; ///< starts, by thread
  std::vector<std::string> Names;
  std::map<std::string, uint32_t> NameOf;
  std::vector<uint32_t> NodeNames; ///< None: no phase
  /// By node: a draw or a marked wait, or a function of one.
  std::vector<bool> IsDraw;
  std::map<std::string, uint32_t> ProcessOf;
  std::vector<OfProcess> Processes;
  std::map<uint32_t, PathEnds> DeviceEnds; ///< by GpuData::Devices
  // By callKey().
  std::unordered_map<uint64_t, uint32_t> CallOf;      ///< in GpuData::Events
  std::unordered_map<uint64_t, PathPlace> LastWorkOf; ///< its end
  std::unordered_set<uint64_t> HasWork;
};

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_PATH_PATHLANES_H
