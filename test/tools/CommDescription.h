// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances of collectives, one line each, after the tree
// (ProfileDescription.h).
//
//   collective NODE at=DURATION took=DURATION [number=N] [step=N]
//              [work=DURATION] [bytes=N] [phases=NODE:DURATION,...]
//       at: since the run's start; number: default is the node's next one;
//       without phases, they are unknown
//   peer NODE to|from|root RANK CALLS BYTES
//   own NODE step=N took=DURATION own=DURATION [steps=N]
//       [phases=NODE:DURATION:CRITICAL[:MET:NODE],...]
//       of a STEP; met: the collective that ended it, and for how long

#ifndef LOOPSCOPE_TEST_TOOLS_COMMDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_COMMDESCRIPTION_H

#include "GpuDescription.h"

#include <map>
#include <sstream>

/// Collects the collectives and peers of one description.
class CommDescription {
public:
  /// Reads a line that begins with WORD; false if the word belongs to another
  /// description.
  bool read(const std::string &Word, std::istringstream &Words,
            const DescriptionContext &Context);
  void write(const AppendChunk &Append) const;

private:
  std::vector<loopscope_collective> Instances;
  std::vector<loopscope_peer> Peers;
  std::vector<loopscope_own_step> OwnSteps;
  std::map<uint32_t, uint64_t> Numbers; // next number, by node
};

#endif // LOOPSCOPE_TEST_TOOLS_COMMDESCRIPTION_H
