// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Converts nodes that stand for phases of other threads, inputs of operators,
// and links between operators, to the model.

#ifndef LOOPSCOPE_RUN_READ_OPERATORSREADER_H
#define LOOPSCOPE_RUN_READ_OPERATORSREADER_H

#include "Run/Model/Run.h"
#include "Run/Read/ProfileBytes.h"

#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace loopscope {

/// Names the nodes of kind SERVED in \p Into, whose nodes and threads are
/// filled in, after the phase they serve and their own thread: "backward (on
/// pt_autograd_0)". In the model they are phases. \p NodeOf maps the file's
/// indices to ours, without roots. A node that serves no such phase is counted
/// in BadRecords and keeps its name from the file.
void readServed(const std::vector<NodeRecord> &Records,
                const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                Run &Into);

/// The inputs in \p Function, the text of an operator's site.
OperatorInputs parseInputs(std::string_view Function);

/// Moves the inputs of the operators of \p Into from the functions of their
/// sites to Run::Inputs. Operators that differ in their inputs only then share
/// a site.
void readInputs(Run &Into);

/// Fills in OperatorLinks of \p Into in the same way. Links between nodes that
/// aren't operators are counted in BadRecords.
void readOperatorLinks(ProfileBytes &Records,
                       const std::unordered_map<uint32_t, uint32_t> &NodeOf,
                       Run &Into);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_READ_OPERATORSREADER_H
