// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of peaks.

#include "Analysis/Tree/DevicePeaks.h"

using namespace loopscope;

namespace {
// The first entry whose words the name begins with counts. Datasheets of Hopper
// and Blackwell print sparse figures, which are twice these.
struct DevicePeak {
  const char *Begins; ///< of the name, without "NVIDIA "
  double Teraflops;
};
constexpr DevicePeak Peaks[] = {
    {"A100", 312},      // 624 sparse
    {"A30", 165},       // 330 sparse
    {"A40", 149.7},     // 299.4 sparse
    {"B200", 2250},     // HGX B200, 4.5 petaFLOPS sparse
    {"H100 NVL", 835},  // 1,671 sparse
    {"H100 PCIe", 756}, // 1,513 sparse
    {"H100 80GB", 989}, // SXM: 1,979 sparse
    {"H200 NVL", 835},  // 1,671 sparse
    {"H200", 989},      // SXM: 1,979 sparse
    {"L4", 121},        // 242 sparse
    {"L40S", 362},      // 733 sparse
};

// Whether TEXT begins with the words in WORDS.
bool beginsWithWords(const std::string &Text, const std::string &Words) {
  return Text.starts_with(Words) &&
         (Text.size() == Words.size() || Text[Words.size()] == ' ' ||
          Text[Words.size()] == '-');
}
} // namespace

double loopscope::densePeak(const std::string &Name) {
  const std::string Maker = "NVIDIA ";
  if (Name.find(" MIG ") != std::string::npos)
    return 0;
  std::string Model =
      Name.starts_with(Maker) ? Name.substr(Maker.size()) : Name;
  for (const DevicePeak &Each : Peaks)
    if (beginsWithWords(Model, Each.Begins))
      return Each.Teraflops * 1e12;
  return 0;
}
