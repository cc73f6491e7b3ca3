// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Keys of spans: what tells the layers of one loop apart. Call paths that
// differ in nothing but their key are one phase, a family, wherever nobody asks
// for keys.

#ifndef LOOPSCOPE_RUN_MODEL_KEYS_H
#define LOOPSCOPE_RUN_MODEL_KEYS_H

#include <loopscope/profile_format.h>

#include <compare>
#include <cstdint>
#include <string>
#include <vector>

namespace loopscope {

struct Node;
struct Run;

/// A key, as a plain value.
struct SpanKey {
  std::string Label;                            ///< such as "layer"
  loopscope_key_type Type = LOOPSCOPE_KEY_NONE; ///< NONE: not readable
  uint64_t Value = 0;                           ///< see loopscope_node_key
  std::string Text; ///< Of a number: the name of the enumerator, or "".

  auto operator<=>(const SpanKey &) const = default;
  /// Whether it stands for several: a range, or all other texts.
  bool isRange() const {
    return Type == LOOPSCOPE_KEY_RANGE || Type == LOOPSCOPE_KEY_OTHER;
  }
};

/// "17", "true", "Mode::Train", "MUL_MAT", "1024..2047", "(other)"; "?" if it
/// isn't readable.
std::string keyText(const SpanKey &K);

/// "block[17]": the name of \p N with its key; \p N has a site and a key.
std::string keyedName(const Run &R, const Node &N);

/// Whether \p A comes before \p B in lists: numbers by value, and ranges by
/// their first number; then texts; then "(other)".
bool isBefore(const SpanKey &A, const SpanKey &B);

/// Gives the call paths of single numbers within a range the range as their
/// key, where a path of the same phase has this range as its key in any of \p
/// Runs. So a row of a range has all spans of its numbers, whichever came
/// first. Call it once the runs have all their nodes.
void foldKeys(const std::vector<Run *> &Runs);

/// Gives each key of a site a site of its own, named "block[17]", so that every
/// view tells keys apart.
void nameByKey(Run &R);

} // namespace loopscope

#endif // LOOPSCOPE_RUN_MODEL_KEYS_H
