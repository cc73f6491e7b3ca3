// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and places of phases.

#include "Analysis/Tree/PhaseKey.h"

#include "Analysis/Tree/PathTree.h"
#include "Support/Paths.h"

using namespace loopscope;

PhaseKey loopscope::phaseKeyOf(const Run &R, uint32_t Node) {
  const loopscope::Node &N = R.Nodes[Node];
  if (N.Site == None)
    return {treeName(R, N), "", 0};
  const Site &S = R.Sites[N.Site];
  return {treeName(R, N), std::string(fileName(S.File)), S.Line};
}
