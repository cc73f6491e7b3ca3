// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The core's services for extensions: reports call paths, steps and spans to
// them, books their costs, and keeps their counters and sums in the profile.

#include "Fixture.h"

#include "Run/Read/ProfileReader.h"
#include "Run/Read/SumsReader.h"
#include "base/thread_memory.h"
#include "profile/node_links.h"
#include "profile/sums.h"
#include "tree/extension.h"
#include "tree/schedule.h"
#include "tree/subscriptions.h"

#include <cstring>
#include <fstream>
#include <span>

using namespace loopscope::runtime;

namespace {
std::vector<std::string> Told; // reports, in order
uint64_t Cost = 0;             // ticks that each function takes and returns

uint64_t take() {
  FakeTicks += Cost;
  return Cost;
}

std::string nameOf(const Node *N) {
  const loopscope_site *Site = siteOf(N);
  return Site == nullptr ? std::to_string(N->kind) : Site->__name;
}

std::string at(const char *What, const Node *N, uint64_t Now) {
  return What + nameOf(N) + "@" + std::to_string(Now - 1000);
}

extern const Extension Watcher;

// Spans of phases whose names begin with "w" are watched.
uint64_t callPath(Node *N) {
  Told.push_back("new " + nameOf(N));
  if (nameOf(N)[0] == 'w')
    watchSpans(Watcher, N);
  return nameOf(N) == "costly" ? take() : 0;
}
uint64_t step(Node * /*Step*/, uint64_t Steps, uint64_t Now) {
  Told.push_back("step " + std::to_string(Steps) + "@" +
                 std::to_string(Now - 1000));
  return take();
}
uint64_t begin(const Node *N, uint64_t Now) {
  Told.push_back(at("+", N, Now));
  return 0;
}
uint64_t end(const Node *N, uint64_t Now) {
  Told.push_back(at("-", N, Now));
  return take();
}
void made() { watchSteps(); }

const Extension Watcher = {.Name = "test",
                           .CostKey = LOOPSCOPE_SUM_COST "test",
                           .Words = {},
                           .ProfileMade = made,
                           .NewCallPath = callPath,
                           .StepEnded = step,
                           .SpanBegan = begin,
                           .SpanEnded = end};

/// Watcher is the only extension, or there is none.
class ExtensionTest : public RuntimeTest {
protected:
  ExtensionTest() : Saved(Extensions) {
    static const Extension *const Only[] = {&Watcher};
    Extensions = {Only, 1};
    registerSum(Watcher.CostKey, LOOPSCOPE_SUM_TICKS);
    StepSchedule.WarmupSteps = 0;
    Told.clear();
    Cost = 0;
  }
  ~ExtensionTest() override { Extensions = Saved; }

  // The finished profile's bytes.
  static std::string bytes() {
    std::ifstream File(finish(), std::ios::binary);
    return {std::istreambuf_iterator<char>(File), {}};
  }
  static loopscope::Run parse(const std::string &Bytes) {
    auto P = loopscope::readProfile(std::as_bytes(std::span(Bytes)), "test");
    EXPECT_TRUE(static_cast<bool>(P));
    return P ? std::move(*P) : loopscope::Run();
  }
  static const loopscope::Node &nodeNamed(const loopscope::Run &P,
                                          const std::string &Name) {
    for (const loopscope::Node &N : P.Nodes)
      if (N.Parent != loopscope::None && P.nameOf(N) == Name &&
          N.Kind == LOOPSCOPE_KIND_PHASE)
        return N;
    ADD_FAILURE() << "no node " << Name;
    return P.Nodes.front();
  }
  // The sums of all nodes' records, by index in the file.
  static loopscope::NamedSums sums(const std::string &Bytes,
                                   loopscope::Integrity &Lost) {
    auto Records =
        loopscope::ProfileBytes::parse(std::as_bytes(std::span(Bytes)), "test");
    std::unordered_map<uint32_t, uint32_t> Same;
    for (const loopscope::NodeRecord &Each : Records->nodes())
      Same.emplace(Each.Index, Each.Index);
    return loopscope::readNamedSums(*Records, Same, Lost);
  }
  // The offset in BYTES of the first chunk of TYPE.
  static size_t chunkOf(const std::string &Bytes, uint32_t Type) {
    for (size_t At = LOOPSCOPE_PROFILE_PAGE; At < Bytes.size();) {
      loopscope_chunk_header Head;
      std::memcpy(&Head, Bytes.data() + At, sizeof(Head));
      if (Head.type == Type)
        return At;
      At += Head.size;
    }
    return std::string::npos;
  }

private:
  ExtensionList Saved;
};

TEST_F(ExtensionTest, ReportsEachCallPathOnce) {
  for (int I = 0; I < 2; ++I) {
    loopscope_token A = loopscope_enter(site("a"));
    loopscope_leave(loopscope_enter_adjacent(site("b")));
    loopscope_leave(A);
  }
  EXPECT_EQ(Told, (std::vector<std::string>{"new a", "new b"}));
}

TEST_F(ExtensionTest, ReportsOnlyWatchedSpans) {
  for (int I = 0; I < 2; ++I) {
    loopscope_token A = loopscope_enter(site("a"));
    advance(1);
    loopscope_token W = loopscope_enter(site("w"));
    advance(2);
    loopscope_leave(W);
    loopscope_leave(A);
  }
  EXPECT_EQ(Told, (std::vector<std::string>{"new a", "new w", "+w@1", "-w@3",
                                            "+w@4", "-w@6"}));
}

// Only threads with a watched call path leave the fast path.
TEST_F(ExtensionTest, ThreadsWithoutWatchersKeepTheFastPath) {
  loopscope_leave(loopscope_enter(site("a")));
  EXPECT_EQ(ThisThread.Fast, &links(ThisThread.Memory->Tree));
  loopscope_leave(loopscope_enter(site("w")));
  EXPECT_EQ(ThisThread.Fast, &NoLinks);
  EXPECT_EQ(ThisThread.Memory->FastNoting, &links(ThisThread.Memory->Tree));
}

TEST_F(ExtensionTest, ReportsSteps) {
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int I = 0; I < 2; ++I) {
    loopscope_token S = loopscope_step_begin(L);
    advance(5);
    loopscope_step_end(S);
  }
  loopscope_leave(L);
  EXPECT_EQ(Told,
            (std::vector<std::string>{"new train", "step 1@5", "step 2@10"}));
}

// A new call path's cost falls on its parent, a step's end on the next draw, a
// span's end on the parent; it is subtracted from their self times.
TEST_F(ExtensionTest, CostsCountForTheProfiler) {
  Cost = 7;
  loopscope_token A = loopscope_enter(site("a"));
  advance(10);
  loopscope_leave(loopscope_enter_adjacent(site("costly")));
  for (int I = 0; I < 2; ++I)
    loopscope_leave(loopscope_enter(site("w")));
  loopscope_token L = loopscope_loop_enter(site("train", LOOPSCOPE_KIND_TRAIN));
  for (int I = 0; I < 2; ++I) {
    advance(3);
    loopscope_step_end(loopscope_step_begin(L));
  }
  loopscope_leave(L);
  loopscope_leave(A);
  loopscope::Run R = parse(bytes());
  EXPECT_EQ(nodeNamed(R, "a").SelfNs, 10);
  EXPECT_EQ(nodeNamed(R, "a").HookNs, 3 * 7);
  EXPECT_EQ(nodeNamed(R, "costly").InclusiveNs, 0);
  for (const loopscope::Node &N : R.Nodes)
    if (N.Kind == LOOPSCOPE_KIND_DRAW) {
      EXPECT_EQ(N.SelfNs, 2 * 3);
      EXPECT_EQ(N.HookNs, 2 * 7);
    }
  EXPECT_EQ(R.Lost.BadRecords, 0U);
}

TEST_F(ExtensionTest, CountersAndSumsAreInTheProfile) {
  CounterId Lost = registerCounter("test.lost");
  EXPECT_EQ(registerCounter("test.lost"), Lost);
  CounterId Clean = registerCounter("test.clean");
  EXPECT_NE(Clean, Lost);
  SumId Bytes = registerSum("test.bytes", LOOPSCOPE_SUM_BYTES);
  addToCounter(Lost, 5); // no profile yet
  EXPECT_FALSE(addToNode(Bytes, 0, 1));
  loopscope_leave(loopscope_enter(site("a")));
  addToCounter(Lost, 2);
  addToCounter(Lost, 1);
  addToCounter(NotRegistered, 1);
  uint32_t A = node("a").index;
  EXPECT_FALSE(addToKnownNode(Bytes, A, 7));
  EXPECT_TRUE(addToNode(Bytes, A, 100));
  EXPECT_TRUE(addToKnownNode(Bytes, A, 20));
  EXPECT_FALSE(addToNode(NotRegistered, A, 1));
  EXPECT_FALSE(addToKnownNode(NotRegistered, A, 1));
  loopscope::Integrity Damage;
  loopscope::NamedSums Read = sums(bytes(), Damage);
  EXPECT_EQ(Damage.BadRecords, 0U);
  auto ValueOf = [&](const std::string &Key) {
    for (const loopscope::NamedCounter &Each : Read.Counters)
      if (Each.Key == Key)
        return static_cast<int>(Each.Value);
    return -1;
  };
  EXPECT_EQ(ValueOf("test.lost"), 3);
  EXPECT_EQ(ValueOf("test.clean"), 0);
  ASSERT_EQ(Read.Nodes.size(), 1U);
  EXPECT_EQ(Read.Nodes[0].Key, "test.bytes");
  EXPECT_EQ(Read.Nodes[0].Node, A);
  EXPECT_EQ(Read.Nodes[0].Unit, LOOPSCOPE_SUM_BYTES);
  EXPECT_EQ(Read.Nodes[0].Count, 2U);
  EXPECT_EQ(Read.Nodes[0].Sum, 120U);
}

// More nodes than fit in an index page and a chunk.
TEST_F(ExtensionTest, SumsOfManyNodes) {
  SumId Number = registerSum("test.number", LOOPSCOPE_SUM_NUMBER);
  loopscope_leave(loopscope_enter(site("a")));
  constexpr uint32_t Many = 1200;
  for (uint32_t I = 0; I < Many; ++I)
    EXPECT_TRUE(addToNode(Number, I, I));
  EXPECT_FALSE(addToNode(Number, MaxNodes, 1));
  auto Bytes = bytes();
  auto Records =
      loopscope::ProfileBytes::parse(std::as_bytes(std::span(Bytes)), "test");
  std::vector<uint64_t> Seen(Many);
  for (const auto &Each : Records->nodeSums()) {
    ASSERT_LT(Each.Value.node, Many);
    Seen[Each.Value.node] = Each.Value.sum;
  }
  for (uint32_t I = 0; I < Many; ++I)
    EXPECT_EQ(Seen[I], I);
}

// An older tool ignores unknown chunks and reads the rest.
TEST_F(ExtensionTest, IgnoresUnknownChunksAndUnits) {
  Cost = 7;
  SumId Bytes = registerSum("test.bytes", LOOPSCOPE_SUM_BYTES);
  loopscope_token A = loopscope_enter(site("a"));
  advance(10);
  loopscope_leave(loopscope_enter(site("costly")));
  addToNode(Bytes, node("a").index, 1);
  loopscope_leave(A);
  std::string Whole = bytes();
  size_t Chunk = chunkOf(Whole, LOOPSCOPE_CHUNK_NODE_SUMS);
  ASSERT_NE(Chunk, std::string::npos);

  std::string Newer = Whole;
  uint32_t Type = 4711;
  std::memcpy(Newer.data() + Chunk + offsetof(loopscope_chunk_header, type),
              &Type, sizeof(Type));
  loopscope::Run R = parse(Newer);
  EXPECT_EQ(R.Lost.BadRecords, 0U);
  EXPECT_EQ(nodeNamed(R, "a").SelfNs, 10 + 7);
  EXPECT_EQ(nodeNamed(parse(Whole), "a").SelfNs, 10);

  Newer = Whole;
  uint32_t Unit = 99;
  std::memcpy(Newer.data() + Chunk + sizeof(loopscope_chunk_header) +
                  offsetof(loopscope_node_sum, unit),
              &Unit, sizeof(Unit));
  loopscope::Integrity Lost;
  EXPECT_EQ(sums(Whole, Lost).Nodes.size(), 2U);
  EXPECT_EQ(sums(Newer, Lost).Nodes.size(), 1U);
  EXPECT_EQ(Lost.BadRecords, 0U);
}

TEST_F(ExtensionTest, DamagedSumsAreCounted) {
  SumId Bytes = registerSum("test.bytes", LOOPSCOPE_SUM_BYTES);
  loopscope_leave(loopscope_enter(site("a")));
  addToNode(Bytes, node("a").index, 1);
  addToNode(Bytes, 60000, 1); // no such node
  loopscope::Integrity Lost;
  EXPECT_EQ(sums(bytes(), Lost).Nodes.size(), 1U);
  EXPECT_EQ(Lost.BadRecords, 1U);
}
} // namespace
