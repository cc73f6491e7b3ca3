// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The table of MPI's open requests, without MPI.

#include "library.h"
#include "requests.h"

#include <loopscope/mpi.h>

#include <gtest/gtest.h>

#include <cstdlib>
#include <vector>

using namespace loopscope::mpi;

namespace {
unsigned Lost; // requests that found no room
Library Loaded;
} // namespace

const Library &loopscope::mpi::library() { return Loaded; }

extern "C" void __loopscope_mpi_request(uint32_t Node, uint64_t) noexcept {
  Lost += Node == UINT32_MAX ? 1 : 0;
}
extern "C" void *__loopscope_mpi_memory(uint64_t Size) noexcept {
  return std::calloc(1, Size);
}
extern "C" void __loopscope_mpi_free(void *Memory, uint64_t) noexcept {
  std::free(Memory);
}

namespace {
constexpr Word Most = 8192;

Request request(Word Handle, uint32_t Node) {
  Request Result = {};
  Result.Handle = Handle;
  Result.Node = Node;
  Result.IsFollowed = true;
  return Result;
}

// The node of the request with HANDLE, which is taken out; -1 if there is none.
int take(Word Handle) {
  Request Found = {};
  return takeRequest(Handle, Found) ? static_cast<int>(Found.Node) : -1;
}

class MpiRequests : public testing::Test {
protected:
  MpiRequests() {
    Lost = 0;
    Loaded = {};
    Loaded.HasPointers = true;
    Loaded.StatusSize = 24;
  }
  ~MpiRequests() override {
    for (Word Handle = 1; Handle <= 2 * Most; ++Handle)
      while (take(Handle) >= 0)
        ;
  }
};
} // namespace

TEST_F(MpiRequests, EachIsTakenOnce) {
  for (Word Handle = 1; Handle <= 3000; ++Handle)
    addRequest(request(Handle, static_cast<uint32_t>(Handle + 5)));
  EXPECT_EQ(take(3001), -1);
  for (Word Handle = 1; Handle <= 3000; ++Handle)
    EXPECT_EQ(take(Handle), static_cast<int>(Handle + 5));
  EXPECT_EQ(take(7), -1);
  EXPECT_EQ(Lost, 0U);
}

TEST_F(MpiRequests, PlacesAreUsedAgain) {
  for (Word Handle = 1; Handle <= Most; ++Handle)
    addRequest(request(Handle, 1));
  EXPECT_EQ(Lost, 0U);
  addRequest(request(Most + 1, 1));
  EXPECT_EQ(Lost, 1U);
  for (Word Handle = 1; Handle <= 100; ++Handle)
    EXPECT_EQ(take(Handle), 1);
  for (Word Handle = 1; Handle <= 100; ++Handle)
    addRequest(request(Most + Handle, 2));
  EXPECT_EQ(Lost, 1U);
  for (Word Handle = 1; Handle <= 100; ++Handle)
    EXPECT_EQ(take(Most + Handle), 2);
}

// Those that a call didn't end are put back, for any number of requests.
TEST_F(MpiRequests, OpenOnesArePutBack) {
  for (Word Count : {3, 40}) {
    std::vector<Word> Handles;
    for (Word Handle = 1; Handle <= Count; ++Handle) {
      Handles.push_back(Handle);
      addRequest(request(Handle, static_cast<uint32_t>(Handle)));
    }
    Handles.push_back(999); // of a call that isn't followed
    Word Statuses = 0;      // ignored by the program
    Completion Ends;
    Ends.begin(reinterpret_cast<Word>(Handles.data()), Count + 1, &Statuses);
    EXPECT_GT(Statuses, 1U);
    EXPECT_EQ(Ends.count(), Count + 1);
    EXPECT_EQ(take(2), -1);
    EXPECT_FALSE(Ends.at(Count).IsFollowed);
    Ends.at(0).IsFollowed = false;
    Ends.end();
    EXPECT_EQ(take(1), -1);
    for (Word Handle = 2; Handle <= Count; ++Handle)
      EXPECT_EQ(take(Handle), static_cast<int>(Handle));
    EXPECT_EQ(take(999), -1);
  }
}
