// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What is recorded of LibTorch's operators beside their call paths, each a line
// of its own behind the tree (ProfileDescription.h).
//
//   link BACKWARD FORWARD COUNT
//       so many spans of BACKWARD, a call path, belong to spans of FORWARD;
//       BACKWARD none: a free entry
//
// An operator's key inputs=[[64],[]];[float,Scalar] has what it is called with,
// a semicolon between shapes and types.

#ifndef LOOPSCOPE_TEST_TOOLS_OPERATORDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_OPERATORDESCRIPTION_H

#include "GpuDescription.h"

#include <sstream>

/// Collects the links of one description.
class OperatorDescription {
public:
  /// Reads a line that begins with WORD; false when it isn't one of ours.
  bool read(const std::string &Word, std::istringstream &Words,
            const DescriptionContext &Context);
  /// The function of a site with the inputs VALUE.
  static std::string inputs(const std::string &Value);
  void write(const AppendChunk &Append) const;

private:
  std::vector<loopscope_operator_link> Links;
};

#endif // LOOPSCOPE_TEST_TOOLS_OPERATORDESCRIPTION_H
