// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs from descriptions, for tests of what is read from profiles.

#ifndef LOOPSCOPE_TEST_UNIT_DESCRIBEDRUN_H
#define LOOPSCOPE_TEST_UNIT_DESCRIBEDRUN_H

#include "ProfileDescription.h"
#include "Run/Read/ProfileReader.h"

#include <gtest/gtest.h>

#include <span>
#include <string>
#include <utility>

/// The run that TEXT describes (ProfileDescription.h). A description that can't
/// be read fails the test, and is an empty run.
inline loopscope::Run
describedRun(const std::string &Text,
             loopscope::WithTimeline Events = loopscope::WithTimeline::No) {
  std::string Bytes = describedProfile(Text);
  loopscope::Result<loopscope::Run> R =
      loopscope::readProfile(std::as_bytes(std::span(Bytes)), "test", Events);
  EXPECT_TRUE(R);
  return R ? std::move(*R) : loopscope::Run();
}

#endif // LOOPSCOPE_TEST_UNIT_DESCRIBEDRUN_H
