// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The environment variable LOOPSCOPE.

#include "process/options.h"
#include "base/system.h"

#include "gpu/extension.h"
#include "nvtx/extension.h"
#include "progress/extension.h"

#include <gtest/gtest.h>

#include <sstream>
#include <string>

using namespace loopscope::runtime;

static std::string complaint(const char *Value) {
  Options Result;
  TextBuffer<1024> Message;
  EXPECT_FALSE(parseOptions(Value, Result, Message)) << Value;
  return Message.c_str();
}

static Options parse(const char *Value) {
  GpuSettings = {};
  NvtxSettings = {};
  ProgressSettings = {};
  Options Result;
  TextBuffer<1024> Message;
  EXPECT_TRUE(parseOptions(Value, Result, Message)) << Message.c_str();
  return Result;
}

TEST(OptionsTest, UnsetAndEmptyAreTheDefaults) {
  for (const char *Value : {static_cast<const char *>(nullptr), ""}) {
    Options O = parse(Value);
    EXPECT_EQ(O.Mode, LOOPSCOPE_MODE_SIMPLE);
    EXPECT_EQ(O.Report, ReportTo::Stderr);
    EXPECT_EQ(O.Steps.WarmupSteps, 1U);
  }
}

TEST(OptionsTest, ParsesEveryWord) {
  Options O = parse("trace,output=/tmp/x,report=a.txt,view=tree,"
                    "warmup=3/epoch,window=1:2:3:0,cap=2M,log=l.jsonl,"
                    "progress");
  EXPECT_STREQ(ProgressSettings.Log, "l.jsonl");
  EXPECT_TRUE(ProgressSettings.OnTerminal);
  EXPECT_EQ(O.Mode, LOOPSCOPE_MODE_TRACE);
  EXPECT_STREQ(O.Output, "/tmp/x");
  EXPECT_EQ(O.Report, ReportTo::File);
  EXPECT_STREQ(O.ReportFile, "a.txt");
  EXPECT_STREQ(O.View, "tree");
  EXPECT_EQ(O.Steps.WarmupSteps, 3U);
  EXPECT_TRUE(O.Steps.WarmupPerEpoch);
  EXPECT_EQ(O.Steps.WindowWarmup, 2U);
  EXPECT_EQ(O.Steps.WindowRepeat, 0U);
  EXPECT_EQ(O.EventBytes, 2U << 20);
  EXPECT_EQ(parse("off").Mode, LOOPSCOPE_MODE_OFF);
  EXPECT_EQ(parse("simple").RoundMs, 250U);
  EXPECT_FALSE(parse("simple").RoundsGiven);
  EXPECT_EQ(parse("devices=off").RoundMs, 0U);
  EXPECT_EQ(parse("devices=500ms").RoundMs, 500U);
  EXPECT_EQ(parse("devices=10").RoundMs, 10U);
  EXPECT_TRUE(parse("devices=10").RoundsGiven);
  EXPECT_EQ(parse("advanced").Mode, LOOPSCOPE_MODE_ADVANCED);
}

TEST(OptionsTest, ParsesWordsOfExtensions) {
  auto NvtxOf = [](const char *Value) {
    parse(Value);
    return NvtxSettings.Use;
  };
  EXPECT_EQ(NvtxOf("simple"), NvtxUse::Nothing);
  EXPECT_EQ(NvtxOf("nvtx=on"), NvtxUse::Emit);
  EXPECT_EQ(NvtxOf("nvtx=read"), NvtxUse::Read);
  EXPECT_EQ(NvtxOf("nvtx=read,nvtx=off"), NvtxUse::Nothing);
  auto GpuOf = [](const char *Value) {
    parse(Value);
    return GpuSettings.Collect;
  };
  EXPECT_EQ(GpuOf("trace"), GpuChoice::Auto);
  EXPECT_EQ(GpuOf("gpu=on"), GpuChoice::On);
  EXPECT_EQ(GpuOf("gpu=off"), GpuChoice::Off);
  EXPECT_EQ(GpuOf("gpu=on,gpu=auto"), GpuChoice::Auto);
  EXPECT_FALSE(GpuSettings.WholeGraphs);
  EXPECT_EQ(GpuOf("gpu=yield,gpu=graphs"), GpuChoice::Yield);
  EXPECT_TRUE(GpuSettings.WholeGraphs);
  GpuSettings.WholeGraphs = false;
}

TEST(OptionsTest, AnUnknownWordListsTheChoices) {
  std::string Message = complaint("simple,fast");
  EXPECT_NE(Message.find("'fast' is not understood"), std::string::npos);
  EXPECT_NE(Message.find("off, simple, advanced"), std::string::npos);
}

TEST(OptionsTest, AMisspeltWordGetsASuggestion) {
  auto Suggests = [](const char *Value, const char *Choice) {
    return complaint(Value).find(std::string("; did you mean '") + Choice +
                                 "'? Choose from ") != std::string::npos;
  };
  EXPECT_TRUE(Suggests("trce", "trace"));
  EXPECT_TRUE(Suggests("simple,otuput=x", "output=PATH"));
  EXPECT_TRUE(Suggests("gpu", "gpu=auto|on|off|yield|graphs|profiler"));
  EXPECT_TRUE(Suggests("view=tre", "tree"));
  for (const char *Far : {"x=", "=", "off=1", "view=pie",
                          "a-word-of-more-letters-than-any-choice-has"})
    EXPECT_EQ(complaint(Far).find("did you mean"), std::string::npos) << Far;
}

TEST(OptionsTest, RefusesInvalidValues) {
  EXPECT_NE(complaint("warmup=x").find("'warmup'"), std::string::npos);
  EXPECT_NE(complaint("warmup=-1").find("'warmup'"), std::string::npos);
  EXPECT_NE(complaint("warmup=3/step").find("'warmup'"), std::string::npos);
  EXPECT_NE(complaint("window=1:2:0:1").find("'window'"), std::string::npos);
  EXPECT_NE(complaint("window=1:2:3").find("'window'"), std::string::npos);
  EXPECT_NE(complaint("cap=12").find("'cap'"), std::string::npos);
  for (const char *Words : {"devices", "devices=", "devices=9", "devices=ms",
                            "devices=1s", "devices=on", "devices=3600001"})
    EXPECT_NE(complaint(Words).find("'devices'"), std::string::npos) << Words;
  EXPECT_NE(complaint("nvtx=yes").find("'nvtx' is off, on or read"),
            std::string::npos);
  EXPECT_NE(complaint("nvtx").find("'nvtx'"), std::string::npos);
  EXPECT_NE(complaint("output=").find("'output'"), std::string::npos);
  EXPECT_NE(complaint("off=1").find("'off'"), std::string::npos);
}

TEST(OptionsTest, AcceptsEveryViewOfItsList) {
  std::string Listed = complaint("view=nice");
  const std::string Head =
      "LOOPSCOPE: there is no view 'nice'; choose from summary, simple, ";
  EXPECT_EQ(Listed.substr(0, Head.size()), Head);
  std::istringstream Names(Listed.substr(Listed.find("summary")));
  for (std::string Name; std::getline(Names >> std::ws, Name, ',');)
    EXPECT_STREQ(parse(("view=" + Name).c_str()).View, Name.c_str());
}

TEST(OptionsTest, AVariableThatIsTooLongIsRefused) {
  std::string Long(5000, 'x');
  EXPECT_NE(complaint(Long.c_str()).find("longer than"), std::string::npos);
}
