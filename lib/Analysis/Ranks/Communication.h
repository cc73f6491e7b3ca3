// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of communication: how often, how much, how long, and how much of
// that is waiting for the last rank.
//
//   runs -> matchPlaces -> instances, each with all its ranks' waits
//        -> communicationOf -> per stage: a row per operation and communicator

#ifndef LOOPSCOPE_ANALYSIS_RANKS_COMMUNICATION_H
#define LOOPSCOPE_ANALYSIS_RANKS_COMMUNICATION_H

#include "Run/Model/Run.h"

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// An operation on a communicator, with sums over all ranks.
struct CommunicationRow {
  std::string Operation;
  /// The name for MPI and NCCL; for an annotation, its place: "train.cpp:7".
  std::string Communicator;
  uint64_t Ranks = 0; ///< that have it
  uint64_t Calls = 0;
  uint64_t Bytes = 0;      ///< 0: not known
  uint64_t TimedCalls = 0; ///< those whose time is known
  int64_t TotalNs = 0;     ///< in these: of the host, of NCCL's on devices
  bool IsSplit = false;    ///< whether the next two are known
  int64_t TransferNs = 0;  ///< of TotalNs
  int64_t WaitNs = 0;
  double Covered = 0; ///< part of the calls that were compared
  /// What each link carried during the transfer; 0: not known.
  double BusBytesPerSecond = 0;
};

/// The operations of one stage, by time.
struct StageCommunication {
  std::string Id, Title;
  std::vector<CommunicationRow> Rows;
  std::vector<std::string> Notes; ///< what isn't known and why
};

/// The stages of \p All, the ranks of one run, that communicate: in
/// collectives, in MPI's other calls and in NCCL's operations. \p Missing: some
/// of the run's ranks aren't in \p All.
std::vector<StageCommunication> communicationOf(const std::vector<Run> &All,
                                                bool Missing);

/// The factor from the bytes that each of RANKS puts into OPERATION to the
/// bytes that each has to send on its link; 0 if the name doesn't tell what the
/// operation does.
double busFactor(std::string_view Operation, uint64_t Ranks);

} // namespace loopscope

#endif // LOOPSCOPE_ANALYSIS_RANKS_COMMUNICATION_H
