// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The history's lines of a profile's description (ProfileDescription.h). They
// follow the threads, without indentation, and name call paths as in
// GpuDescription.h.
//
//   bin END [NODE=TIME[/STEPS[/SAMPLES[/EACH]]]...] [METRIC=VALUE...]
//
// A bin from the end of the one before to END: what the call path grew by; of a
// STEP also the steps that ended, their samples, and how long each was. A
// metric is one of LOOPSCOPE_HISTORY_GAUGES, in its own unit.

#ifndef LOOPSCOPE_TEST_TOOLS_HISTORYDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_HISTORYDESCRIPTION_H

#include "GpuDescription.h"

/// Collects the bins of one description.
class HistoryDescription {
public:
  /// Reads a line whose first word is WORD; false if the word belongs to
  /// another description. NODES are those so far.
  bool read(const std::string &Word, std::istringstream &Words,
            const DescriptionContext &Context,
            const std::vector<loopscope_profile_node> &Nodes);
  void write(const AppendChunk &Append) const;

private:
  uint32_t laneOf(uint32_t Node, const DescriptionContext &C,
                  const std::vector<loopscope_profile_node> &Nodes);
  bool readGauge(const std::string &Key, const std::string &Value,
                 loopscope_history_bin &Bin) const;
  void readSteps(std::istringstream &Parts, uint32_t Lane,
                 const loopscope_history_bin &Bin, const DescriptionContext &C);

  std::vector<loopscope_history_lane> Lanes;
  std::vector<loopscope_history_bin> Bins;
  std::vector<loopscope_history_steps> Steps;
};

#endif // LOOPSCOPE_TEST_TOOLS_HISTORYDESCRIPTION_H
