// Parses LOOPSCOPE=word,word=value,...
#include "options.h"

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr const char *Choices =
    "choose from off, simple, advanced, output=PATH, "
    "report=stderr|stdout|none|FILE, view=NAME, warmup=N[/epoch], separated by "
    "commas";

constexpr const char *Views[] = {"simple",  "throughput", "advanced", "tree",
                                 "kernels", "operators",  "overview", "devices",
                                 "ranks",   "timeline"};

// Words of the design that this build has no code for.
constexpr const char *Unavailable[] = {"trace",    "window", "gpu",     "cap",
                                       "progress", "log",    "devices", "nvtx"};

bool copyValue(char *Field, size_t Size, const char *Value, const char *Word,
               Text &Message) {
  if (*Value != 0 && strlen(Value) < Size) {
    copyHead(Field, Size, Value);
    return true;
  }
  Message << "LOOPSCOPE: '" << Word << "' needs a value of 1 to "
          << static_cast<int64_t>(Size - 1) << " characters";
  return false;
}

bool parseWarmup(char *Value, Options &Result, Text &Message) {
  char *Slash = strchr(Value, '/');
  bool PerEpoch = Slash != nullptr && strcmp(Slash, "/epoch") == 0;
  if (PerEpoch)
    *Slash = 0;
  int64_t Steps = 0;
  if (!parseNumber(Value, Steps) || Steps > INT32_MAX) {
    Message << "LOOPSCOPE: 'warmup' takes a number of steps, warmup=N for the "
               "first N of the run or warmup=N/epoch for those of every epoch";
    return false;
  }
  Result.WarmupSteps = static_cast<uint32_t>(Steps);
  Result.WarmupPerEpoch = PerEpoch;
  return true;
}

bool parseReport(const char *Value, Options &Result, Text &Message) {
  if (strcmp(Value, "stderr") == 0)
    Result.Report = ReportTo::Stderr;
  else if (strcmp(Value, "stdout") == 0)
    Result.Report = ReportTo::Stdout;
  else if (strcmp(Value, "none") == 0)
    Result.Report = ReportTo::None;
  else {
    Result.Report = ReportTo::File;
    return copyValue(Result.ReportFile, sizeof(Result.ReportFile), Value,
                     "report", Message);
  }
  return true;
}

bool parseView(const char *Value, Options &Result, Text &Message) {
  for (const char *View : Views)
    if (strcmp(View, Value) == 0) {
      copyHead(Result.View, sizeof(Result.View), Value);
      return true;
    }
  Message << "LOOPSCOPE: there is no view '" << Value << "'; choose from ";
  for (const char *View : Views)
    Message << (View == Views[0] ? "" : ", ") << View;
  return false;
}

// One word, cut at its '='; VALUE is null without one.
bool parseWord(const char *Word, char *Value, Options &Result, Text &Message) {
  if (Value == nullptr) {
    if (strcmp(Word, "off") == 0)
      Result.Mode = LOOPSCOPE_MODE_OFF;
    else if (strcmp(Word, "simple") == 0)
      Result.Mode = LOOPSCOPE_MODE_SIMPLE;
    else if (strcmp(Word, "advanced") == 0)
      Result.Mode = LOOPSCOPE_MODE_ADVANCED;
    else
      Value = const_cast<char *>("");
    if (Value == nullptr)
      return true;
  } else {
    if (strcmp(Word, "output") == 0)
      return copyValue(Result.Output, sizeof(Result.Output), Value, Word,
                       Message);
    if (strcmp(Word, "report") == 0)
      return parseReport(Value, Result, Message);
    if (strcmp(Word, "view") == 0)
      return parseView(Value, Result, Message);
    if (strcmp(Word, "warmup") == 0)
      return parseWarmup(Value, Result, Message);
  }
  for (const char *Known : Unavailable)
    if (strcmp(Known, Word) == 0) {
      Message << "LOOPSCOPE: '" << Word << "' is not available in this build; "
              << Choices;
      return false;
    }
  Message << "LOOPSCOPE: '" << Word << "' is not understood; " << Choices;
  return false;
}
} // namespace

bool loopscope::runtime::parseOptions(const char *Value, Options &Result,
                                      Text &Message) {
  if (Value == nullptr)
    return true;
  copyHead(Result.Given, sizeof(Result.Given), Value);
  char Copy[2048];
  if (strlen(Value) >= sizeof(Copy)) {
    Message << "LOOPSCOPE: longer than "
            << static_cast<int64_t>(sizeof(Copy) - 1) << " characters";
    return false;
  }
  copyHead(Copy, sizeof(Copy), Value);
  for (char *Word = Copy; Word != nullptr;) {
    char *Comma = strchr(Word, ',');
    if (Comma != nullptr)
      *Comma = 0;
    char *Equals = strchr(Word, '=');
    if (Equals != nullptr)
      *Equals = 0;
    if (*Word != 0 || Equals != nullptr)
      if (!parseWord(Word, Equals == nullptr ? nullptr : Equals + 1, Result,
                     Message))
        return false;
    Word = Comma == nullptr ? nullptr : Comma + 1;
  }
  return true;
}
