// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// How much of the timeline is read: nothing, everything, or its last steps; the
// rest of the file must stay untouched.

#include "Analysis/Steps/StepTimeline.h"
#include "ProfileDescription.h"
#include "Run/Combine/Merge.h"
#include "Run/Read/ProfileReader.h"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <sys/mman.h>

#include <cstring>
#include <span>

using namespace loopscope;

namespace {
constexpr size_t PageSize = 4096;

// STEPS steps of three phases each, and a worker: one block of events for the
// worker, and one per 170 steps.
std::string description(int Steps) {
  std::string At[6]; // step, draw, batch and the phases
  for (int I = 0; I < Steps; ++I) {
    const int Parts[6][2] = {{0, 100}, {0, 10},  {10, 90},
                             {10, 30}, {40, 30}, {70, 30}};
    for (int R = 0; R < 6; ++R)
      At[R] += fmt::format("{}{}us+{}us", I == 0 ? "" : ",",
                           I * 100 + Parts[R][0], Parts[R][1]);
  }
  return fmt::format("wall {0}us\n"
                     "thread main\n"
                     "  train loop spans={0}us at=0us+{0}us\n"
                     "    step spans={1}x100us at={2}\n"
                     "      draw spans={1}x10us at={3}\n"
                     "      batch spans={1}x90us at={4}\n"
                     "        phase a spans={1}x30us at={5}\n"
                     "        phase b spans={1}x30us at={6}\n"
                     "        phase c spans={1}x30us at={7}\n"
                     "thread worker lived={0}us\n"
                     "  phase load spans={0}us at=0us+{0}us\n",
                     Steps * 100, Steps, At[0], At[1], At[2], At[3], At[4],
                     At[5]);
}

// A profile whose pages can be made unreadable.
class Pages {
public:
  explicit Pages(const std::string &Content)
      : Size(Content.size()), Data(static_cast<std::byte *>(
                                  mmap(nullptr, Size, PROT_READ | PROT_WRITE,
                                       MAP_PRIVATE | MAP_ANONYMOUS, -1, 0))) {
    std::memcpy(Data, Content.data(), Size);
  }
  ~Pages() { munmap(Data, Size); }
  Pages(const Pages &) = delete;
  Pages &operator=(const Pages &) = delete;

  Result<loopscope::Run> read(WithTimeline Events) const {
    return readProfile(std::span(Data, Size), "test", Events);
  }

  // The blocks of events, in file order.
  std::vector<std::byte *> blocks() const {
    std::vector<std::byte *> Found;
    for (size_t At = PageSize; At < Size;) {
      loopscope_chunk_header Head;
      std::memcpy(&Head, Data + At, sizeof(Head));
      for (uint32_t I = 0; Head.type == LOOPSCOPE_CHUNK_EVENTS && I < Head.used;
           ++I)
        Found.push_back(Data + At + sizeof(Head) +
                        size_t{I} * sizeof(loopscope_event_block));
      At += Head.size;
    }
    return Found;
  }

  // Makes reading the whole pages in [FROM, FROM + COUNT) fatal.
  static void takeAway(std::byte *From, size_t Count) {
    auto First =
        (reinterpret_cast<uintptr_t>(From) + PageSize - 1) & ~(PageSize - 1);
    auto Past = (reinterpret_cast<uintptr_t>(From) + Count) & ~(PageSize - 1);
    if (First < Past)
      mprotect(reinterpret_cast<void *>(First), Past - First, PROT_NONE);
  }

private:
  size_t Size;
  std::byte *Data;
};

void expectSame(const StepTimeline &A, const StepTimeline &B) {
  EXPECT_EQ(A.HiddenSteps, B.HiddenSteps);
  ASSERT_EQ(A.Steps.size(), B.Steps.size());
  for (size_t S = 0; S < A.Steps.size(); ++S) {
    EXPECT_EQ(A.Steps[S].Number, B.Steps[S].Number);
    EXPECT_EQ(A.Steps[S].StartNs, B.Steps[S].StartNs);
    EXPECT_EQ(A.Steps[S].EndNs, B.Steps[S].EndNs);
    ASSERT_EQ(A.Steps[S].Tracks.size(), B.Steps[S].Tracks.size());
    for (size_t T = 0; T < A.Steps[S].Tracks.size(); ++T) {
      const TimelineTrack &Left = A.Steps[S].Tracks[T];
      const TimelineTrack &Right = B.Steps[S].Tracks[T];
      EXPECT_EQ(Left.Name, Right.Name);
      ASSERT_EQ(Left.Pieces.size(), Right.Pieces.size());
      for (size_t R = 0; R < Left.Pieces.size(); ++R) {
        EXPECT_EQ(Left.Pieces[R].Name, Right.Pieces[R].Name);
        EXPECT_EQ(Left.Pieces[R].StartNs, Right.Pieces[R].StartNs);
        EXPECT_EQ(Left.Pieces[R].EndNs, Right.Pieces[R].EndNs);
      }
    }
  }
}
} // namespace

TEST(Timeline, LastStepsDontDependOnHowMuchIsRead) {
  Pages File(describedProfile(description(30000)));
  Result<loopscope::Run> All = File.read(WithTimeline::Yes);
  ASSERT_TRUE(All) << All.error().Message;
  ASSERT_EQ(All->Timeline.size(), 2u);
  EXPECT_EQ(All->Timeline[0].size(), 180001u);
  for (size_t Steps : {1u, 10u, 169u, 5000u, 29999u, 30000u, 40000u}) {
    Result<loopscope::Run> Last = File.read(WithTimeline::lastSteps(Steps));
    ASSERT_TRUE(Last);
    EXPECT_EQ(Last->Timeline[1].size(), 1u); // began before everything
    expectSame(lastSteps(*All, Steps), lastSteps(*Last, Steps));
  }
  Result<loopscope::Run> Last = File.read(WithTimeline::lastSteps(10));
  EXPECT_LT(Last->Timeline[0].size(), 90000u);
}

TEST(Timeline, IsNotReadUnlessRequested) {
  Pages File(describedProfile(description(2000)));
  std::vector<std::byte *> Blocks = File.blocks();
  ASSERT_GT(Blocks.size(), 10u);
  Pages::takeAway(Blocks.front(),
                  static_cast<size_t>(Blocks.back() - Blocks.front()) +
                      sizeof(loopscope_event_block));
  Result<loopscope::Run> R = File.read(WithTimeline::No);
  ASSERT_TRUE(R);
  EXPECT_EQ(R->Nodes[2].Spans.count(), 2000u);
}

TEST(Timeline, OnlyHeadersOfEarlierBlocksAreRead) {
  Pages File(describedProfile(description(30000)));
  std::vector<std::byte *> Blocks = File.blocks();
  ASSERT_GT(Blocks.size(), 150u);
  for (size_t I = 0; I < Blocks.size() / 2; ++I) {
    loopscope_event_block Head;
    std::memcpy(&Head, Blocks[I], 64);
    if (Head.thread == 0) // the worker has one block
      Pages::takeAway(Blocks[I] + 64, sizeof(loopscope_event_block) - 64);
  }
  Result<loopscope::Run> R = File.read(WithTimeline::lastSteps(10));
  ASSERT_TRUE(R);
  EXPECT_EQ(lastSteps(*R, 10).Steps.back().Number, 29999);
}

TEST(Timeline, ImpossibleStartsAreNotMerged) {
  std::vector<loopscope::Run> Both;
  for (int64_t Start : {INT64_MAX, INT64_MIN}) { // as in damaged files
    std::string Content = describedProfile(description(2));
    loopscope_profile_header Head;
    std::memcpy(&Head, Content.data(), sizeof(Head));
    Head.start_ns = static_cast<uint64_t>(Start);
    Head.start_realtime_ns = Start;
    std::memcpy(Content.data(), &Head, sizeof(Head));
    Result<loopscope::Run> R = Pages(Content).read(WithTimeline::Yes);
    ASSERT_TRUE(R) << R.error().Message;
    Both.push_back(std::move(*R));
  }
  // The difference of the two would be -1.
  EXPECT_FALSE(mergeTimelines(std::move(Both)));
}

// Time in a step is split by its outermost phases.
TEST(Timeline, NestedSpansCanBeOmitted) {
  Result<loopscope::Run> R =
      Pages(describedProfile("wall 1s\n"
                             "thread main\n"
                             "  phase a spans=1s at=0s+1s\n"
                             "    phase b spans=1s at=0s+1s\n"
                             "    phase nccl:sum at=0s+1ms\n"
                             "      function f at=0s+1us\n"))
          .read(WithTimeline::Outermost);
  ASSERT_TRUE(R);
  std::vector<std::string> Names;
  for (const TimelineSpan &S : R->Timeline[0])
    Names.push_back(R->nameOf(R->Nodes[S.Node]));
  EXPECT_EQ(Names, (std::vector<std::string>{"a", "nccl:sum"}));
}
