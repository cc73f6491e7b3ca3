// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Names and places of phases.

#include "Analysis/Tree/PhaseKey.h"

#include "Analysis/Tree/PathTree.h"
#include "Support/Paths.h"

using namespace loopscope;

PhaseKey loopscope::phaseKeyOf(const Run &P, uint32_t Node) {
  const loopscope::Node &N = P.Nodes[Node];
  if (N.Site == None)
    return {treeName(P, N), "", 0};
  const Site &S = P.Sites[N.Site];
  return {treeName(P, N), std::string(fileName(S.File)), S.Line};
}
