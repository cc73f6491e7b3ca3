// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Calls that wait for other threads, with the names in either C++ library.

#include "Instrument/Suggest/WaitCalls.h"

#include <gtest/gtest.h>

using loopscope::instrument::isWaitCall;

TEST(WaitCalls, AreKnownWithTemplateArgumentsAndInlineNamespaces) {
  EXPECT_TRUE(isWaitCall("std::condition_variable::wait"));
  EXPECT_TRUE(isWaitCall("std::_V2::condition_variable_any::wait_until"));
  EXPECT_TRUE(isWaitCall("std::__1::future<std::vector<int>>::get"));
  EXPECT_TRUE(isWaitCall("std::__basic_future<int>::wait_for"));
  EXPECT_TRUE(isWaitCall("std::barrier<void (*)()>::arrive_and_wait"));
  EXPECT_TRUE(isWaitCall("pthread_cond_timedwait"));
}

TEST(WaitCalls, OtherFunctionsOfTheSameNameAreNot) {
  EXPECT_FALSE(isWaitCall("Net::wait"));
  EXPECT_FALSE(isWaitCall("ns::std::thread::join"));
  EXPECT_FALSE(isWaitCall("std::get<0>"));
  EXPECT_FALSE(isWaitCall("std::tuple<int>::get"));
  EXPECT_FALSE(isWaitCall("std::mutex::lock"));
  EXPECT_FALSE(isWaitCall("std::thread::detach"));
  EXPECT_FALSE(isWaitCall("Pool::pthread_join"));
  EXPECT_FALSE(isWaitCall("std::"));
  EXPECT_FALSE(isWaitCall(""));
}
