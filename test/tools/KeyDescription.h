// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of a described profile's call paths (ProfileDescription.h).
//
//   phase block key=layer:17
//       a key, with its label; VALUE may also be a text, "3=Mode::Train" for
//       an enumerator of that value, "..10" for the range
//       2^10 to 2^11 - 1, ".." for all other texts, or "type=4Conv" for the
//       mangled name of a type. Siblings of one kind and
//       name with keys are of one place in the source
//   nodekey NODE TYPE VALUE
//       behind the tree: one more record, with these numbers

#ifndef LOOPSCOPE_TEST_TOOLS_KEYDESCRIPTION_H
#define LOOPSCOPE_TEST_TOOLS_KEYDESCRIPTION_H

#include "GpuDescription.h"

#include <loopscope/profile_format.h>

#include <functional>
#include <sstream>
#include <string>
#include <vector>

/// Collects the keys of one description.
class KeyDescription {
public:
  /// Gives NODE, of index INDEX, the key that TEXT describes.
  void set(uint32_t Index, loopscope_profile_node &Node,
           const std::string &Text);
  /// Reads a line that begins with WORD; false when it isn't one of ours.
  bool read(const std::string &Word, std::istringstream &Words,
            const DescriptionContext &Context);
  void
  place(const std::function<loopscope_profile_string(const std::string &)> &To);
  void write(const AppendChunk &Append) const;

private:
  struct Texts {
    std::string Label, Text;
  };
  std::vector<loopscope_node_key> Records;
  std::vector<Texts> TextsOf; // of each record
};

#endif // LOOPSCOPE_TEST_TOOLS_KEYDESCRIPTION_H
