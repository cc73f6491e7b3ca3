// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Instances of collectives, each a line of its own behind the tree
// (ProfileDescription.h).
//
//   collective NODE at=DURATION took=DURATION [number=N] [step=N]
//              [work=DURATION] [bytes=N] [phases=NODE:DURATION,...]
//       at: since the run's start; number: without it, the next one of the
//       node's; without phases they aren't known
//   peer NODE to|from|root RANK CALLS BYTES

#ifndef LOOPSCOPE_TEST_TOOLS_COMMDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_COMMDESCRIPTION_H

#include "GpuDescription.h"

#include <map>
#include <sstream>

/// Collects the collectives and peers of one description.
class CommDescription {
public:
  /// Reads a line that begins with WORD; false when it isn't one of ours.
  bool read(const std::string &Word, std::istringstream &Words,
            const DescriptionContext &Context);
  void write(const AppendChunk &Append) const;

private:
  std::vector<loopscope_collective> Instances;
  std::vector<loopscope_peer> Peers;
  std::map<uint32_t, uint64_t> Numbers; // of the next one, by node
};

#endif // LOOPSCOPE_TEST_TOOLS_COMMDESCRIPTION_H
