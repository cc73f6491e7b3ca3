// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Nodes that stand for phases of other threads, what operators were called
// with, and links between operators, to the model.

#ifndef LOOPSCOPE_RUN_READ_OPERATORSREADER_H
#define LOOPSCOPE_RUN_READ_OPERATORSREADER_H

#include "Run/Read/ProfileBytes.h"
#include "Run/Run.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// Names the nodes of kind SERVED in \p Into, whose nodes and threads are
/// there, after the phase served and their own thread: "backward (on
/// pt_autograd_0)". They are phases in the model. \p NodeOf: the file's index
/// to ours, without roots. One that serves no such node is counted in
/// BadRecords and keeps the name that the file has.
void readServed(const std::vector<NodeRecord> &Records,
                const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                Run &Into);

/// The inputs that FUNCTION, a text of an operator's site, stands for.
OperatorInputs parseInputs(std::string_view Function);

/// Moves what the nodes of \p Into were called with from the functions of their
/// sites to Run::Inputs. Operators that differ by inputs alone share a site
/// then.
void readInputs(Run &Into);

/// Fills OperatorLinks of \p Into in the same way. A link between what aren't
/// operators is counted in BadRecords.
void readOperatorLinks(ProfileBytes &Records,
                       const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                       Run &Into);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_OPERATORSREADER_H
