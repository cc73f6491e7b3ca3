// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The reader on traces of all schema versions, and on damaged ones.

#include "Gzip.h"
#include "Run/Kineto/KinetoReader.h"

#include <gtest/gtest.h>

using namespace loopscope;

namespace {
Run read(std::string_view Text) {
  Result<loopscope::Run> Trace = readKinetoBytes(Text, {});
  EXPECT_TRUE(Trace) << (Trace ? "" : Trace.error().Message);
  return Trace ? std::move(*Trace) : loopscope::Run();
}

std::string failure(std::string_view Text, uint64_t Limit = 1 << 20) {
  Result<loopscope::Run> Trace = readKinetoBytes(Text, TraceLimits{Limit});
  return Trace ? "no failure" : Trace.error().Message;
}

std::string event(std::string_view Rest) {
  return R"({"ph": "X", "cat": "cpu_op", "name": "op", "pid": 1, "tid": 2, )" +
         std::string(Rest) + "}";
}

std::string trace(std::string_view Events) {
  return R"({"schemaVersion": 1, "traceEvents": [)" + std::string(Events) +
         "]}";
}
} // namespace

TEST(KinetoReader, NewSchema) {
  loopscope::Run Trace = read(R"({
    "schemaVersion": 1,
    "deviceProperties": [{"id": 0, "name": "Tesla V100", "totalGlobalMem": 100,
                          "computeMajor": 7, "computeMinor": 0}],
    "distributedInfo": {"backend": "nccl", "rank": 3, "world_size": 8},
    "baseTimeNanoseconds": 1700000000000000000,
    "traceEvents": [
      {"ph": "X", "cat": "kernel", "name": "k", "pid": 0, "tid": 7,
       "ts": 10.125, "dur": 2.5, "args": {"External id": 5, "device": 1,
       "correlation": 9, "blocks per SM": 0.5, "grid": [1, 2, 3],
       "est. achieved occupancy %": 31}}],
    "traceName": "x.json"})");
  ASSERT_EQ(Trace.Stream.Events.size(), 1U);
  const TraceEvent &Event = Trace.Stream.Events[0];
  EXPECT_EQ(Event.Kind, TraceKind::Kernel);
  EXPECT_EQ(Event.Start, 10125);
  EXPECT_EQ(Event.Duration, 2500);
  EXPECT_EQ(Event.ExternalId, 5U);
  EXPECT_EQ(Event.Correlation, 9U);
  EXPECT_EQ(Trace.Stream.name(Event), "k");
  EXPECT_EQ(Trace.Stream.Devices[Event.Device].Device, 1);
  EXPECT_EQ(Trace.Stream.Devices[Event.Device].BlocksPerSm, 0.5);
  EXPECT_EQ(Trace.Stream.Devices[Event.Device].Occupancy, 31);
  EXPECT_EQ(Trace.SchemaVersion, 1);
  EXPECT_EQ(Trace.StartRealtimeNs, 1700000000000000000);
  EXPECT_EQ(Trace.Backend, "nccl");
  EXPECT_EQ(Trace.Rank, 3);
  EXPECT_EQ(Trace.WorldSize, 8);
  ASSERT_EQ(Trace.Properties.size(), 1U);
  EXPECT_EQ(Trace.Properties[0].Name, "Tesla V100");
  EXPECT_EQ(Trace.Properties[0].ComputeMajor, 7);
  EXPECT_FALSE(Trace.Lost.Torn);
}

TEST(KinetoReader, OldSchemaAndStringsForNumbers) {
  loopscope::Run Trace = read(
      R"([{"ph":"X","cat":"Operator","name":"a","pid":1,"tid":"77","ts":"5",)"
      R"("dur":"2","args":{"External id":"12"}},)"
      R"({"ph":"X","cat":"Runtime","name":"r","pid":1,"tid":77,"ts":6,"dur":1,)"
      R"("args":{"correlation":3,"external id":12}}])");
  ASSERT_EQ(Trace.Stream.Events.size(), 2U);
  EXPECT_EQ(Trace.Stream.Events[0].Start, 5000);
  EXPECT_EQ(Trace.Stream.Events[0].Duration, 2000);
  EXPECT_EQ(Trace.Stream.Events[0].ExternalId, 12U);
  EXPECT_EQ(Trace.Stream.Events[1].ExternalId, 12U);
  EXPECT_EQ(Trace.Stream.Events[0].Track, Trace.Stream.Events[1].Track);
  EXPECT_EQ(Trace.SchemaVersion, -1);
}

TEST(KinetoReader, EscapesInNames) {
  loopscope::Run Trace = read(trace(
      R"({"ph":"X","name":"a\"\\\n\u00e9\ud83d\ude00\ud800","ts":1,"dur":1})"));
  ASSERT_EQ(Trace.Stream.Events.size(), 1U);
  EXPECT_EQ(Trace.Stream.name(Trace.Stream.Events[0]), "a\"\\?é😀\xEF\xBF\xBD");
}

TEST(KinetoReader, InvalidNumbers) {
  loopscope::Run Trace = read(trace(
      event(R"("ts": NaN, "dur": 1)") + "," +
      event(R"("ts": 1, "dur": Infinity)") + "," +
      event(R"("ts": 1, "dur": 2, "args": {"x": NaN, "External id": N/A})") +
      "," + event(R"("ts": 1, "dur": -5)") + "," + event(R"("dur": 5)") + "," +
      event(R"("ts": 7)")));
  ASSERT_EQ(Trace.Stream.Events.size(), 3U);
  EXPECT_EQ(Trace.Lost.BadEvents, 3U);
  EXPECT_EQ(Trace.Lost.NegativeDurations, 1U);
  EXPECT_EQ(Trace.Stream.Events[1].Duration, 0);
  EXPECT_EQ(Trace.Stream.Events[2].Start, 7000);
}

TEST(KinetoReader, TornFilesKeepTheirWholeEvents) {
  std::string Whole = trace(event(R"("ts": 1, "dur": 1)") + "," +
                            event(R"("ts": 2, "dur": 1)"));
  for (size_t Size = Whole.find("[{") + 1; Size < Whole.size(); ++Size) {
    loopscope::Run Trace = read(Whole.substr(0, Size));
    size_t Ends = 0;
    for (size_t At = Whole.find("}"); At < Size; At = Whole.find("}", At + 1))
      ++Ends;
    EXPECT_EQ(Trace.Stream.Events.size(), std::min<size_t>(Ends, 2)) << Size;
    EXPECT_TRUE(Trace.Lost.Torn) << Size;
    EXPECT_EQ(Trace.Lost.BadEvents, 0U) << Size;
  }
}

TEST(KinetoReader, MalformedEventsAreLeftOut) {
  loopscope::Run Trace =
      read(trace(event(R"("ts": 1, "dur": 1)") + R"(,{"ph" "X"},{5: 6},17,)" +
                 event(R"("ts": 2, "dur": 1)")));
  EXPECT_EQ(Trace.Stream.Events.size(), 2U);
  EXPECT_EQ(Trace.Lost.BadEvents, 3U);
}

TEST(KinetoReader, BadBytesInStrings) {
  std::string Text = trace(event(R"("ts": 1, "dur": 1, "x": "@#")"));
  Text[Text.find('@')] = '\x01';
  Text[Text.find('#')] = '\xFF';
  loopscope::Run Trace = read(Text);
  EXPECT_EQ(Trace.Stream.Events.size(), 1U);
  EXPECT_EQ(Trace.Lost.BadUtf8, 1U);
}

// Windows end at line ends or, without those, after objects; a long string
// without either takes the slow path.
TEST(KinetoReader, AnyLayoutGivesTheSameEvents) {
  for (const char *Between : {",", ",\n", ", \"pad\": 1},{\"no\": "}) {
    std::string Events;
    bool Strange = std::string_view(Between).size() > 2;
    for (int I = 0; I < 20000; ++I)
      Events += (I == 0    ? ""
                 : Strange ? ","
                           : Between) +
                event(R"("ts": )" + std::to_string(I) +
                      R"(, "dur": 1, "args": {"s": "},{[\"", "n": [[1], {}]})" +
                      (Strange && I % 100 == 0
                           ? R"(, "long": ")" + std::string(5000, '}') + '"'
                           : ""));
    loopscope::Run Trace = read(trace(Events));
    ASSERT_EQ(Trace.Stream.Events.size(), 20000U);
    EXPECT_EQ(Trace.Stream.Events.back().Start, 19999000);
    EXPECT_FALSE(Trace.Lost.Torn);
    EXPECT_EQ(Trace.Lost.BadEvents, 0U);
  }
}

TEST(KinetoReader, AnEventLargerThanAWindow) {
  std::string Big = event(R"("ts": 3, "dur": 1, "long": ")" +
                          std::string(3 << 20, 'x') + '"');
  loopscope::Run Trace = read(trace(event(R"("ts": 1, "dur": 1)") + "," + Big));
  ASSERT_EQ(Trace.Stream.Events.size(), 2U);
  EXPECT_EQ(Trace.Stream.Events[1].Start, 3000);
}

TEST(KinetoReader, SurvivesDeepNesting) {
  std::string Open(1 << 20, '[');
  std::string Deep = Open + std::string(1 << 20, ']');
  loopscope::Run Trace =
      read(trace(event(R"("ts": 1, "dur": 1, "args": {"a": )" + Deep + "}")));
  EXPECT_EQ(Trace.Stream.Events.size(), 1U);
  EXPECT_TRUE(read(trace(Open)).Lost.Torn);
}

TEST(KinetoReader, GzipOfOneAndOfSeveralMembers) {
  std::string Text = trace(event(R"("ts": 1, "dur": 1)"));
  EXPECT_EQ(read(gzip(Text)).Stream.Events.size(), 1U);
  std::string Half = Text.substr(0, 40);
  EXPECT_EQ(read(gzip(Half) + gzip(Text.substr(40))).Stream.Events.size(), 1U);
  EXPECT_EQ(read(gzip(Text) + std::string(64, '\0')).Stream.Events.size(), 1U);
}

TEST(KinetoReader, TornAndDamagedGzip) {
  std::string Events;
  for (int I = 0; I < 1000; ++I)
    Events +=
        (I == 0 ? "" : ",") +
        event(R"("ts": )" + std::to_string(I * 7919 % 10007) + R"(, "dur": 1)");
  std::string Packed = gzip(trace(Events));
  loopscope::Run Torn = read(Packed.substr(0, Packed.size() / 2));
  EXPECT_GT(Torn.Stream.Events.size(), 100U);
  EXPECT_LT(Torn.Stream.Events.size(), 1000U);
  EXPECT_TRUE(Torn.Lost.Torn);
  EXPECT_EQ(Torn.Lost.DamagedInput, "the gzip data ends early");
  std::string Damaged = Packed;
  Damaged[Packed.size() - 6] = static_cast<char>(~Damaged[Packed.size() - 6]);
  loopscope::Run Wrong = read(Damaged);
  EXPECT_EQ(Wrong.Stream.Events.size(), 1000U);
  EXPECT_EQ(Wrong.Lost.DamagedInput,
            "the gzip data is damaged (incorrect data check)");
}

TEST(KinetoReader, GzipBombsStopAtTheLimit) {
  std::string Bomb = gzip("{\"traceEvents\": [" + std::string(4 << 20, ' '));
  EXPECT_EQ(failure(Bomb),
            "'memory' inflates to more than 1048576 bytes, which "
            "is the limit; raise it with --max-inflated or "
            "LOOPSCOPE_MAX_INFLATED if the file can be trusted");
  // A wrong trailer, or the trailer of a small member, changes nothing.
  std::string Lying = Bomb;
  for (size_t I = 1; I <= 4; ++I)
    Lying[Lying.size() - I] = '\0';
  EXPECT_EQ(failure(Lying), failure(Bomb));
  EXPECT_EQ(failure(Bomb + gzip("x")), failure(Bomb));
  EXPECT_TRUE(readKinetoBytes(Bomb, TraceLimits{8 << 20}));
}

TEST(KinetoReader, OtherFilesAreRefused) {
  EXPECT_EQ(failure(""), "'memory' is empty");
  std::string NoEvents =
      "'memory' is not a PyTorch trace: it has no \"traceEvents\"";
  EXPECT_EQ(failure("hello"), NoEvents);
  EXPECT_EQ(failure("{}"), NoEvents);
  EXPECT_EQ(failure("{\"traceEvents\": 5}"), NoEvents);
  EXPECT_EQ(failure("   "), NoEvents);
  EXPECT_EQ(failure("\x1F\x8B"),
            "'memory' is empty, and the gzip data ends early");
}
