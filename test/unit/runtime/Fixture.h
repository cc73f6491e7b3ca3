// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The fixture of all tests of the runtime: a profile in a scratch directory, a
// clock at 1000 ticks, and the tree as a map from paths to nodes.

#ifndef LOOPSCOPE_TEST_UNIT_RUNTIME_FIXTURE_H
#define LOOPSCOPE_TEST_UNIT_RUNTIME_FIXTURE_H

#include "Run/Model/Run.h"
#include "base/clock.h"
#include "profile/counts.h"
#include "profile/node_links.h"

#include <gtest/gtest.h>

#include <map>
#include <string>

namespace loopscope::runtime {

class RuntimeTest : public testing::Test {
protected:
  RuntimeTest();
  ~RuntimeTest() override;

  /// Advances the clock.
  static void advance(uint64_t Ticks);
  /// A site of this name; the same object for the same name and kind.
  static const loopscope_site *site(const std::string &Name,
                                    loopscope_kind Kind = LOOPSCOPE_KIND_PHASE);
  /// The calling thread's nodes except the root, by path: names joined by '/',
  /// with "step", "step*" (warm-up), "step-" (excluded), "draw" and "batch" for
  /// the parts of loops.
  static std::map<std::string, Node *> nodes();
  /// The node at PATH, which must exist.
  static Node &node(const std::string &Path);
  static uint64_t counter(loopscope_counter Counter);
  /// Ends the run like exit() and returns the profile's path.
  static std::string finish();

private:
  std::string Directory;
};

/// A call path of R, a profile that was read back, as a Reference names it.
std::string pathOf(const loopscope::Run &R, const loopscope::Node &N);

} // namespace loopscope::runtime

#endif // LOOPSCOPE_TEST_UNIT_RUNTIME_FIXTURE_H
