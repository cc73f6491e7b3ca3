// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds the links between operators of a described profile.

#include "OperatorDescription.h"

bool OperatorDescription::read(const std::string &Word,
                               std::istringstream &Words,
                               const DescriptionContext &C) {
  if (Word != "link")
    return false;
  std::string Backward, Forward, Count;
  Words >> Backward >> Forward >> Count;
  // "none" is the highest index, and so becomes 0.
  Links.push_back({C.Node(Forward), C.Node(Backward) + 1, C.Number(Count)});
  return true;
}

std::string OperatorDescription::inputs(const std::string &Value) {
  std::string Result;
  for (char C : Value)
    Result += C == ',' ? ", " : C == ';' ? " " : std::string(1, C);
  return Result;
}

void OperatorDescription::write(const AppendChunk &Append) const {
  if (!Links.empty())
    Append(LOOPSCOPE_CHUNK_OPERATOR_LINKS, Links.data(), Links.size(),
           sizeof(Links[0]));
}
