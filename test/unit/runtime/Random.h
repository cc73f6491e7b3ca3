// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Random programs of hooks, executed by the runtime and by the reference at the
// same time.

#ifndef LOOPSCOPE_TEST_UNIT_RUNTIME_RANDOM_H
#define LOOPSCOPE_TEST_UNIT_RUNTIME_RANDOM_H

#include "Reference.h"

#include <loopscope/loopscope.h>

#include <functional>
#include <random>
#include <string>

/// One random program.
class RandomProgram {
public:
  using SiteOf = std::function<const loopscope_site *(const std::string &,
                                                      loopscope_kind)>;

  RandomProgram(unsigned Seed, SiteOf Sites)
      : Engine(Seed), Sites(std::move(Sites)), Expected(WarmupSteps) {}

  /// Calls RESET, which takes no time, about once in EVERY hooks.
  void resetSometimes(unsigned Every, std::function<void()> Reset) {
    ResetEvery = Every;
    this->Reset = std::move(Reset);
  }

  /// Runs about LENGTH hooks and ends every span.
  void run(unsigned Length);

  const Reference &expected() const { return Expected; }
  uint64_t strayResumes() const { return StrayResumes; }
  static constexpr uint64_t WarmupSteps = 2;

private:
  unsigned pick(unsigned Count) {
    return static_cast<unsigned>(Engine() % Count);
  }
  void pass();
  void body(unsigned Depth);
  void span(unsigned Depth);
  void loop(unsigned Depth);
  void explicitDraw(unsigned Depth);
  void pauseOrResume();

  std::mt19937_64 Engine;
  SiteOf Sites;
  Reference Expected;
  unsigned Left = 0;
  uint64_t StrayResumes = 0;
  unsigned ResetEvery = 0;
  std::function<void()> Reset;
};

#endif // LOOPSCOPE_TEST_UNIT_RUNTIME_RANDOM_H
