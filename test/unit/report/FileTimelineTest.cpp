// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Timelines whose spans stay in the file, against those of the same spans in
// memory: random profiles, with a low limit of what is read.

#include "ProfileDescription.h"
#include "Report/Html/HtmlParts.h"
#include "Report/Html/HtmlTimeline.h"
#include "Run/Combine/Merge.h"
#include "Run/Combine/SelectThread.h"
#include "Run/Read/ProfileReader.h"

#include <loopscope/profile_counters.h>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cstdlib>
#include <cstring>
#include <fstream>
#include <functional>
#include <map>
#include <random>
#include <tuple>
#include <unistd.h>

using namespace loopscope;

namespace {
// The same cases each time.
std::mt19937 seeded(unsigned Seed) { return std::mt19937(Seed); }

// A profile in a file that is removed at the end.
class ProfileFile {
public:
  explicit ProfileFile(const std::string &Bytes) {
    int File = mkstemp(Path);
    EXPECT_GE(File, 0);
    close(File);
    write(Bytes);
  }
  ~ProfileFile() { unlink(Path); }
  ProfileFile(const ProfileFile &) = delete;
  ProfileFile &operator=(const ProfileFile &) = delete;

  void write(const std::string &Bytes) const {
    std::ofstream(Path, std::ios::binary) << Bytes;
  }
  Run read(WithTimeline Events) const {
    Result<loopscope::Run> R = readProfile(Path, Events);
    EXPECT_TRUE(R) << R.error().Message;
    return R ? std::move(*R) : Run();
  }

private:
  char Path[32] = "/tmp/file-timeline-XXXXXX";
};

// A thread's nodes, each with up to three below it, and about COUNT spans of
// each. NAMES are few, so that several nodes of a parent share one.
void addNodes(std::mt19937 &Random, size_t Depth,
              const std::vector<std::pair<int64_t, int64_t>> &Inside,
              std::string &To) {
  for (size_t I = 0; I < 1 + Random() % 3; ++I) {
    std::vector<std::pair<int64_t, int64_t>> Spans;
    std::string List;
    for (const auto &[From, Until] : Inside) {
      // Each has its own part of what is around it.
      int64_t Room = (Until - From) / 3;
      for (int64_t At = From + static_cast<int64_t>(I) * Room, End = At + Room;
           At + 3 < End;) {
        int64_t Start = At + static_cast<int64_t>(Random() % 3);
        int64_t Length = std::min<int64_t>(
            End - Start, 1 + static_cast<int64_t>(Random() % (Room / 2 + 1)));
        if (Length <= 0)
          break;
        Spans.emplace_back(Start, Start + Length);
        List +=
            fmt::format("{}{}ns+{}ns", List.empty() ? "" : ",", Start, Length);
        At = Start + Length;
      }
    }
    if (Spans.empty())
      continue;
    // Some have keys.
    To += fmt::format("{:{}}phase p{} {} at={}\n", "", 2 * (Depth + 1),
                      Random() % 3,
                      fmt::format("{}={}{}", I == 1 ? "key" : "line",
                                  I == 1 ? "layer:" : "", Random() % 9),
                      List);
    if (Depth < 5)
      addNodes(Random, Depth + 1, Spans, To);
  }
}

std::string randomProfile(unsigned Seed, int Threads, int64_t WallNs,
                          const std::string &Header = "") {
  std::mt19937 Random(Seed);
  std::string Text = fmt::format("wall {}ns\n{}", WallNs, Header);
  for (int T = 0; T < Threads; ++T) {
    Text += T == 0 ? "thread main\n"
                   : fmt::format("thread t{} lived={}ns\n", T, WallNs);
    std::vector<std::pair<int64_t, int64_t>> Outer;
    for (int64_t At = 0; At + 100 < WallNs / (T + 1);) {
      int64_t Length = 50 + static_cast<int64_t>(Random() % 4000);
      Outer.emplace_back(At, std::min(At + Length, WallNs));
      At += Length + static_cast<int64_t>(Random() % 60);
    }
    addNodes(Random, 0, Outer, Text);
  }
  return describedProfile(Text);
}

// Calls VISIT with each block of events, in the file's order.
void forEachBlock(std::string &Bytes,
                  const std::function<void(loopscope_event_block &)> &Visit) {
  for (size_t At = LOOPSCOPE_PROFILE_PAGE; At < Bytes.size();) {
    loopscope_chunk_header Head;
    std::memcpy(&Head, Bytes.data() + At, sizeof(Head));
    for (uint32_t I = 0; Head.type == LOOPSCOPE_CHUNK_EVENTS && I < Head.used;
         ++I) {
      char *Place = Bytes.data() + At + sizeof(Head) +
                    size_t{I} * sizeof(loopscope_event_block);
      loopscope_event_block Block;
      std::memcpy(&Block, Place, sizeof(Block));
      Visit(Block);
      std::memcpy(Place, &Block, sizeof(Block));
    }
    At += Head.size;
  }
}

// The same with a ring that has lost its first PERCENT of blocks.
std::string wrapped(std::string Bytes, uint64_t Percent) {
  uint64_t Last = 0;
  forEachBlock(Bytes, [&](loopscope_event_block &Each) {
    Last = std::max(Last, Each.sequence);
  });
  forEachBlock(Bytes, [&](loopscope_event_block &Each) {
    if (Each.sequence <= Last * Percent / 100)
      Each.sequence = 0;
  });
  return Bytes;
}

struct Made {
  HtmlTimeline Timeline;
  HtmlSpans Rest;
};

Made timelineOf(const Run &R) {
  Made Result;
  HtmlRun Page;
  HtmlPaths Paths = addCallPaths(R, Page);
  StepBars None;
  Result.Timeline = htmlTimeline(R, Paths, None, &Result.Rest);
  return Result;
}

using Values = std::vector<std::tuple<int64_t, int64_t, uint32_t>>;
Values valuesOf(const std::vector<HtmlSpan> &Spans) {
  Values Result;
  for (const HtmlSpan &S : Spans)
    Result.emplace_back(S.At.StartNs, S.At.EndNs, S.At.Path);
  return Result;
}

using PathValues = std::vector<
    std::tuple<uint32_t, uint32_t, uint32_t, uint32_t, int64_t, uint64_t>>;
PathValues valuesOf(const std::vector<HtmlTimeline::Path> &Paths) {
  PathValues Result;
  for (const HtmlTimeline::Path &P : Paths)
    Result.emplace_back(P.Name, P.Parent, P.Depth, P.Node, P.Ns, P.Spans);
  return Result;
}

// All that a page shows of A is what it shows of B.
void expectSame(const HtmlTimeline &A, const HtmlTimeline &B) {
  EXPECT_EQ(A.Note, B.Note);
  EXPECT_EQ(A.FromNs, B.FromNs);
  EXPECT_EQ(A.ToNs, B.ToNs);
  EXPECT_EQ(A.CellCount, B.CellCount);
  EXPECT_EQ(A.Names, B.Names);
  ASSERT_EQ(A.Tracks.size(), B.Tracks.size());
  for (size_t I = 0; I < A.Tracks.size(); ++I) {
    const HtmlTimeline::Track &X = A.Tracks[I], &Y = B.Tracks[I];
    EXPECT_EQ(X.Name, Y.Name);
    EXPECT_EQ(X.Spans, Y.Spans);
    EXPECT_EQ(valuesOf(X.Paths), valuesOf(Y.Paths));
    EXPECT_EQ(X.ColumnPaths, Y.ColumnPaths);
    EXPECT_EQ(X.PathsWithout, Y.PathsWithout);
    EXPECT_TRUE(X.Cells == Y.Cells);
    ASSERT_EQ(X.Windows.size(), Y.Windows.size());
    for (size_t W = 0; W < X.Windows.size(); ++W) {
      EXPECT_EQ(X.Windows[W].FromNs, Y.Windows[W].FromNs);
      EXPECT_EQ(X.Windows[W].ToNs, Y.Windows[W].ToNs);
      EXPECT_EQ(valuesOf(X.Windows[W].Spans), valuesOf(Y.Windows[W].Spans));
    }
  }
}

// The server's answers for random parts are the same.
void expectSameWindows(std::mt19937 &Random, const Made &A, const Made &B) {
  EXPECT_EQ(A.Rest.size(), B.Rest.size());
  EXPECT_EQ(A.Rest.held(), 0U);
  EXPECT_EQ(B.Rest.held(), B.Rest.size());
  const HtmlTimeline &T = A.Timeline;
  for (int Round = 0; Round < 100; ++Round) {
    int64_t Length = T.ToNs - T.FromNs;
    int64_t From = T.FromNs + static_cast<int64_t>(Random()) % Length;
    int64_t To = From + 1 + static_cast<int64_t>(Random()) % (Length / 10);
    size_t Most = Random() % 5000;
    EXPECT_EQ(printWindow(A.Rest.window(From, To, Most)),
              printWindow(B.Rest.window(From, To, Most)));
  }
}

// Reads FILE with and without a limit, and compares.
void expectAgree(std::mt19937 &Random, const ProfileFile &File, size_t Limit) {
  loopscope::Run Few = File.read(WithTimeline::newest(Limit));
  loopscope::Run All = File.read(WithTimeline::Yes);
  ASSERT_TRUE(Few.TimelineIsCut);
  Made A = timelineOf(Few), B = timelineOf(All);
  ASSERT_FALSE(B.Timeline.Tracks.empty());
  ASSERT_FALSE(B.Timeline.More.empty()) << "too few spans for cells";
  expectSame(A.Timeline, B.Timeline);
  expectSameWindows(Random, A, B);
}
} // namespace

TEST(FileTimeline, IsWhatSpansInMemoryGive) {
  std::mt19937 Random = seeded(1);
  for (unsigned Seed = 1; Seed <= 4; ++Seed) {
    ProfileFile File(
        randomProfile(Seed, 1 + static_cast<int>(Seed % 3), 2'000'000));
    SCOPED_TRACE(Seed);
    expectAgree(Random, File, 1 + Random() % 20000);
  }
}

TEST(FileTimeline, OfAWrappedRing) {
  std::mt19937 Random = seeded(2);
  ProfileFile File(wrapped(randomProfile(5, 2, 3'000'000), 20));
  expectAgree(Random, File, 3000);
}

TEST(FileTimeline, OfAFileThatIsCutOff) {
  std::mt19937 Random = seeded(3);
  std::string Bytes = randomProfile(6, 2, 3'000'000);
  // In the middle of a block.
  Bytes.resize(Bytes.size() - sizeof(loopscope_event_block) * 7 / 2);
  expectAgree(Random, ProfileFile(Bytes), 3000);
}

TEST(FileTimeline, OfOneThread) {
  ProfileFile File(randomProfile(7, 3, 4'000'000));
  auto Only = [&](WithTimeline Events) {
    Result<loopscope::Run> Chosen = selectThread(File.read(Events), "t1");
    EXPECT_TRUE(Chosen);
    return timelineOf(*Chosen);
  };
  Made A = Only(WithTimeline::newest(4000)), B = Only(WithTimeline::Yes);
  ASSERT_EQ(A.Timeline.Tracks.size(), 1U);
  EXPECT_EQ(A.Timeline.Tracks[0].Name, "t1");
  expectSame(A.Timeline, B.Timeline);
}

// Of two processes, the later one's times are shifted, and the nodes of one are
// behind the other's.
TEST(FileTimeline, OfRanks) {
  std::mt19937 Random = seeded(4);
  ProfileFile First(randomProfile(8, 2, 2'000'000, "started 100s 20s\n")),
      Second(randomProfile(9, 1, 2'000'000, "started 100.0005s 20.0005s\n"));
  auto Both = [&](WithTimeline Events) {
    std::vector<loopscope::Run> All;
    All.push_back(First.read(Events));
    All.push_back(Second.read(Events));
    Result<loopscope::Run> Merged = mergeTimelines(std::move(All));
    EXPECT_TRUE(Merged);
    return timelineOf(*Merged);
  };
  Made A = Both(WithTimeline::newest(2000)), B = Both(WithTimeline::Yes);
  ASSERT_EQ(A.Timeline.Tracks.size(), 3U);
  expectSame(A.Timeline, B.Timeline);
  expectSameWindows(Random, A, B);
}

TEST(FileTimeline, TimesOfKeys) {
  ProfileFile File(randomProfile(10, 2, 3'000'000));
  auto Times = [&](WithTimeline Events) {
    loopscope::Run R = File.read(Events);
    std::vector<uint32_t> GroupOf(R.Nodes.size());
    for (uint32_t I = 0; I < R.Nodes.size(); ++I)
      GroupOf[I] = R.Nodes[I].Parent;
    std::vector<KeyFamily> Families = keyFamilies(R, GroupOf);
    EXPECT_FALSE(Families.empty());
    std::vector<std::vector<int64_t>> Result;
    for (const KeyTimes &Each : keyTimes(R, Families, {0, 3'000'000, 50})) {
      Result.emplace_back();
      for (const KeyTimeCell &C : Each.All)
        for (int64_t Value :
             {int64_t(C.Cell), int64_t(C.Spans), C.Ns, C.LongestNs})
          Result.back().push_back(Value);
    }
    return Result;
  };
  auto All = Times(WithTimeline::Yes);
  EXPECT_EQ(Times(WithTimeline::newest(3000)), All);
  EXPECT_FALSE(All.front().empty());
}

// A program that still runs overwrites a block after the page was made: only
// the spans that begin in it are missing.
TEST(FileTimeline, ALostBlockLacksItsOwnSpans) {
  std::string Bytes = randomProfile(11, 1, 3'000'000);
  ProfileFile File(Bytes);
  loopscope::Run R = File.read(WithTimeline::newest(3000));
  const FileLane *Lane = R.fileLane(0);
  ASSERT_NE(Lane, nullptr);
  const FileSpans &Spans = *Lane->Spans;
  auto All = Spans.in(0, 3'000'000);
  EXPECT_EQ(All.size(), Spans.size());
  uint64_t Sequence = 0, From = 0, To = 0;
  forEachBlock(Bytes, [&](loopscope_event_block &Each) {
    if (++Sequence == 10)
      From = Each.base_ticks - 1000; // where the run starts
    if (Sequence == 11)
      To = Each.base_ticks - 1000;
    if (Sequence == 10)
      Each.sequence = 1000;
  });
  File.write(Bytes);
  size_t Missing = 0;
  for (const FileSpan &S : All)
    Missing += S.StartNs >= int64_t(From) && S.StartNs < int64_t(To);
  ASSERT_GT(Missing, 500U);
  EXPECT_EQ(Spans.in(0, 3'000'000).size() + Missing, All.size());
  size_t Visited = 0;
  Spans.forEach(
      [&](std::span<const FileSpan> Some) { Visited += Some.size(); });
  EXPECT_EQ(Visited + Missing, All.size());
  // What isn't there any more is nothing.
  File.write("");
  EXPECT_LT(Spans.in(0, 3'000'000).size(), 10U);
  EXPECT_EQ(Spans.firstAt(0), 0U);
}

// Without a file, only the newest spans are there, and the page says so.
TEST(FileTimeline, FromMemoryIsTheNewestPart) {
  std::string Bytes = randomProfile(12, 1, 3'000'000);
  Result<loopscope::Run> R = readProfile(std::as_bytes(std::span(Bytes)),
                                         "test", WithTimeline::newest(3000));
  ASSERT_TRUE(R);
  EXPECT_TRUE(R->FileLanes.empty());
  EXPECT_TRUE(timelineOf(*R).Timeline.Note.starts_with(
      "The newest part of the run, from "));
}

// A ring that is full loses blocks while the page is made, so its newest part
// is read once.
TEST(FileTimeline, OfARunningProgramOnlyUntilItsRingIsFull) {
  for (int Dropped : {0, 1}) {
    ProfileFile File(randomProfile(
        14, 1, 3'000'000,
        fmt::format("end running\ncounter {} {}\n",
                    static_cast<int>(LOOPSCOPE_COUNT_EVENTS_DROPPED),
                    Dropped)));
    loopscope::Run R = File.read(WithTimeline::newest(3000));
    ASSERT_EQ(R.Ended, End::Running);
    EXPECT_TRUE(R.TimelineIsCut);
    EXPECT_EQ(R.FileLanes.empty(), Dropped == 1);
    EXPECT_FALSE(R.Timeline[0].empty());
  }
}

// Device work has a limit of its own.
TEST(FileTimeline, SaysFromWhenOnDeviceWorkIsThere) {
  loopscope::Run R = ProfileFile(randomProfile(13, 1, 3'000'000))
                         .read(WithTimeline::newest(3000));
  R.Gpu.EventsAreCut = true;
  EXPECT_EQ(timelineOf(R).Timeline.Note.find("Device work"), std::string::npos);
  R.Gpu.Devices.emplace_back();
  GpuEvent Work;
  Work.Kind = LOOPSCOPE_GPU_COPY;
  Work.Device = 0;
  Work.StartNs = 2'000'000;
  Work.EndNs = 2'100'000;
  R.Gpu.Events.push_back(Work);
  EXPECT_TRUE(timelineOf(R).Timeline.Note.ends_with(
      "Device work is here from 2.00 ms on: the page reads only the newest 1 "
      "of its records."))
      << timelineOf(R).Timeline.Note;
}
