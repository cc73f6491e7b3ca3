// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Ranges by address, compared with a map, also while they change.

#include "stacks/address_order.h"

#include <gtest/gtest.h>

#include <atomic>
#include <map>
#include <random>
#include <thread>

using namespace loopscope::runtime;

namespace {
constexpr uint32_t Most = 512;
using Order = AddressOrder<Most>;

uint32_t expected(const std::map<uintptr_t, uint32_t> &All, uintptr_t Address) {
  auto After = All.upper_bound(Address);
  return After == All.begin() ? Order::None : std::prev(After)->second;
}
} // namespace

TEST(AddressOrderTest, EqualsAMap) {
  std::mt19937_64 Dice(7);
  for (int Round = 0; Round < 20; ++Round) {
    Order Tested{};
    std::map<uintptr_t, uint32_t> All;
    EXPECT_EQ(Tested.find(5), Order::None);
    for (uint32_t I = 0; I < Most; ++I) {
      uintptr_t Start = 16 + Dice() % 5000;
      if (All.emplace(Start, I).second)
        Tested.add(Start, I);
      if (Dice() % 16 == 0) {
        auto IsGone = [](uint32_t Number) { return Number % 3 == 1; };
        Tested.remove(IsGone);
        std::erase_if(All, [&](auto &Each) { return IsGone(Each.second); });
      }
      for (int Try = 0; Try < 20; ++Try) {
        uintptr_t Address = Dice() % 5100;
        ASSERT_EQ(Tested.find(Address), expected(All, Address));
      }
    }
  }
}

TEST(AddressOrderTest, TheLastOfEqualStarts) {
  Order Tested{};
  Tested.add(100, 1);
  Tested.add(200, 2);
  Tested.add(100, 3);
  EXPECT_EQ(Tested.find(150), 3U);
  Tested.remove([](uint32_t Number) { return Number == 3; });
  EXPECT_EQ(Tested.find(150), 1U);
}

// A reader meanwhile finds the range that is always there, or hears of the
// change.
TEST(AddressOrderTest, WhileOthersChange) {
  static Order Tested;
  Tested.add(1000, 0);
  std::atomic<bool> IsDone = false;
  std::thread Writer([&] {
    for (int Round = 0; Round < 2000; ++Round) {
      for (uint32_t I = 1; I < 100; ++I)
        Tested.add(I % 2 == 0 ? 1000 - I : 2000 + I, I);
      Tested.remove([](uint32_t Number) { return Number != 0; });
    }
    IsDone = true;
  });
  while (!IsDone) {
    uint32_t Found = Tested.find(1500);
    ASSERT_TRUE(Found == 0 || Found == Order::Changing) << Found;
  }
  Writer.join();
  EXPECT_EQ(Tested.find(1500), 0U);
}
