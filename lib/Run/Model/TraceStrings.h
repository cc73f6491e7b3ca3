// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Interns the strings of a trace: names of operators and kernels repeat tens of
// thousands of times, and events that hold a number stay small.

#ifndef LOOPSCOPE_RUN_MODEL_TRACESTRINGS_H
#define LOOPSCOPE_RUN_MODEL_TRACESTRINGS_H

#include <cstddef>
#include <cstdint>
#include <deque>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope {

/// Distinct strings, numbered from 0 in order of first appearance. Number 0 is
/// the empty string.
class TraceStrings {
public:
  TraceStrings();
  TraceStrings(const TraceStrings &) = default;
  TraceStrings &operator=(const TraceStrings &) = default;
  /// Only out of memory could they fail; vectors of runs then move them.
  TraceStrings(TraceStrings &&) noexcept = default;
  TraceStrings &operator=(TraceStrings &&) noexcept = default;

  /// The number of \p Text, which is copied if it is new.
  uint32_t intern(std::string_view Text);

  /// The string with number \p Id; valid as long as this table.
  std::string_view operator[](uint32_t Id) const { return Texts[Id]; }

  size_t size() const { return Texts.size(); }

  /// Makes all texts printable (Support/Printable.h). Texts that this changed
  /// are no longer found by their old form.
  void makePrintable();

private:
  struct Slot {
    uint64_t Hash = 0;
    uint32_t IdPlusOne = 0; // 0: free
  };
  void grow();

  std::deque<std::string> Texts; // stable addresses
  std::vector<Slot> Slots;       // open addressing, a power of two
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_TRACESTRINGS_H
