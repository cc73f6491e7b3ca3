// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which code a sampled process has at which addresses, and how to get from a
// function there to its caller.

#ifndef LOOPSCOPE_SAMPLE_LOADEDCODE_H
#define LOOPSCOPE_SAMPLE_LOADEDCODE_H

#include "Sample/ElfImage.h"
#include "Sample/PerfRecords.h"

#include "stacks/frame_rules.h"
#include "stacks/readable.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <unordered_map>

namespace loopscope {

/// Code of one file, as the process has mapped it.
struct CodeSegment {
  uint64_t Start = 0;
  uint64_t End = 0;
  uint64_t Bias = 0; ///< an address minus this is the file's
  std::string Path;
  const ElfImage *Image = nullptr;
};

/// All code of a process. Addresses are the process's.
class LoadedCode {
public:
  /// Takes in a mapping of process \p Pid, in the place of what was there.
  /// Null: it is of no file that can be read.
  const CodeSegment *add(const PerfMapping &Mapping);

  /// Unknown if there is none.
  runtime::FrameRule ruleAt(uint64_t Address);

  /// \p Count bytes of code at \p Address, in this process's memory; null if
  /// they aren't known.
  const char *bytes(uint64_t Address, uint64_t Count) const;

private:
  const CodeSegment *segmentAt(uint64_t Address) const;
  const ElfImage *imageOf(const PerfMapping &Mapping);

  std::map<uint64_t, CodeSegment> Segments; ///< by start
  std::map<std::string, std::unique_ptr<ElfImage>> Images;
  std::unordered_map<uint64_t, runtime::FrameRule> Known;
  runtime::Readable Tables;
};

} // namespace loopscope

#endif // LOOPSCOPE_SAMPLE_LOADEDCODE_H
