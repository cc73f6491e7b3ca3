// Parses LOOPSCOPE=word,word=value,...
#include "options.h"

#include <loopscope/view_names.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
constexpr const char *Choices =
    "choose from off, simple, advanced, trace, output=PATH, "
    "report=stderr|stdout|none|FILE, view=NAME, warmup=N[/epoch], "
    "window=WAIT:WARMUP:ACTIVE:REPEAT, cap=SIZE, gpu=auto|on|off, "
    "devices=off|MILLISECONDS, nvtx=off|on|read, log=FILE, progress, "
    "separated by commas";

#define LOOPSCOPE_LIST_VIEW_(NAME, IDENTIFIER) NAME,
constexpr const char *Views[] = {LOOPSCOPE_VIEWS(LOOPSCOPE_LIST_VIEW_)};
#undef LOOPSCOPE_LIST_VIEW_

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
  Result.Steps.WarmupSteps = static_cast<uint32_t>(Steps);
  Result.Steps.WarmupPerEpoch = PerEpoch;
  return true;
}

bool parseWindow(char *Value, Options &Result, Text &Message) {
  uint32_t Numbers[4] = {};
  unsigned Count = 0;
  bool Good = true;
  for (char *Part = Value; Good && Part != nullptr;) {
    char *Colon = strchr(Part, ':');
    if (Colon != nullptr)
      *Colon = 0;
    int64_t Number = 0;
    Good = Count < 4 && parseNumber(Part, Number) && Number <= INT32_MAX;
    if (Good)
      Numbers[Count++] = static_cast<uint32_t>(Number);
    Part = Colon == nullptr ? nullptr : Colon + 1;
  }
  if (!Good || Count != 4 || Numbers[2] == 0) {
    Message << "LOOPSCOPE: 'window' takes four numbers of steps, "
               "window=WAIT:WARMUP:ACTIVE:REPEAT, with ACTIVE at least 1 and "
               "REPEAT 0 for ever";
    return false;
  }
  Result.Steps.WindowWait = Numbers[0];
  Result.Steps.WindowWarmup = Numbers[1];
  Result.Steps.WindowActive = Numbers[2];
  Result.Steps.WindowRepeat = Numbers[3];
  return true;
}

// SIZE is a number of bytes, or one with K, M or G for the powers of 1024.
bool parseCap(char *Value, Options &Result, Text &Message) {
  constexpr int64_t Least = 1 << 20;
  size_t Length = strlen(Value);
  int64_t Unit = 1;
  if (Length != 0) {
    switch (Value[Length - 1]) {
    case 'K':
      Unit = int64_t(1) << 10;
      break;
    case 'M':
      Unit = int64_t(1) << 20;
      break;
    case 'G':
      Unit = int64_t(1) << 30;
      break;
    default:
      break;
    }
    if (Unit != 1)
      Value[Length - 1] = 0;
  }
  int64_t Size = 0;
  if (!parseNumber(Value, Size) || __builtin_mul_overflow(Size, Unit, &Size) ||
      Size < Least) {
    Message
        << "LOOPSCOPE: 'cap' takes a size of at least 1M, such as 64M or 2G";
    return false;
  }
  Result.EventBytes = static_cast<uint64_t>(Size);
  return true;
}

// off, or an interval: a number of milliseconds, with or without "ms".
bool parseDevices(char *Value, Options &Result, Text &Message) {
  constexpr int64_t Least = 10;
  constexpr int64_t Most = 3600 * 1000;
  if (strcmp(Value, "off") == 0) {
    Result.DevicesMs = 0;
    return true;
  }
  size_t Length = strlen(Value);
  if (Length > 2 && strcmp(Value + Length - 2, "ms") == 0)
    Value[Length - 2] = 0;
  int64_t Interval = 0;
  if (!parseNumber(Value, Interval) || Interval < Least || Interval > Most) {
    Message << "LOOPSCOPE: 'devices' takes off, or the time between samples, "
            << Least << "ms to " << Most << "ms, such as devices=500ms";
    return false;
  }
  Result.DevicesMs = static_cast<uint64_t>(Interval);
  Result.DevicesGiven = true;
  return true;
}

bool parseGpu(const char *Value, Options &Result, Text &Message) {
  if (strcmp(Value, "auto") == 0)
    Result.Gpu = GpuChoice::Auto;
  else if (strcmp(Value, "on") == 0)
    Result.Gpu = GpuChoice::On;
  else if (strcmp(Value, "off") == 0)
    Result.Gpu = GpuChoice::Off;
  else {
    Message << "LOOPSCOPE: 'gpu' is auto, on or off, not '" << Value << '\'';
    return false;
  }
  return true;
}

bool parseNvtx(const char *Value, Options &Result, Text &Message) {
  if (strcmp(Value, "off") == 0)
    Result.Nvtx = NvtxUse::Nothing;
  else if (strcmp(Value, "on") == 0)
    Result.Nvtx = NvtxUse::Emit;
  else if (strcmp(Value, "read") == 0)
    Result.Nvtx = NvtxUse::Read;
  else {
    Message << "LOOPSCOPE: 'nvtx' is off, on or read, not '" << Value << '\'';
    return false;
  }
  return true;
}

bool parseReport(const char *Value, Options &Result, Text &Message) {
  if (strcmp(Value, "stderr") == 0 || strcmp(Value, "/dev/stderr") == 0)
    Result.Report = ReportTo::Stderr;
  else if (strcmp(Value, "stdout") == 0 || strcmp(Value, "-") == 0 ||
           strcmp(Value, "/dev/stdout") == 0)
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
    else if (strcmp(Word, "trace") == 0)
      Result.Mode = LOOPSCOPE_MODE_TRACE;
    else if (strcmp(Word, "progress") == 0)
      Result.Progress = true;
    else
      Value = const_cast<char *>("");
    if (Value == nullptr)
      return true;
  } else {
    if (strcmp(Word, "output") == 0)
      return copyValue(Result.Output, sizeof(Result.Output), Value, Word,
                       Message);
    if (strcmp(Word, "log") == 0)
      return copyValue(Result.Log, sizeof(Result.Log), Value, Word, Message);
    if (strcmp(Word, "report") == 0)
      return parseReport(Value, Result, Message);
    if (strcmp(Word, "view") == 0)
      return parseView(Value, Result, Message);
    if (strcmp(Word, "warmup") == 0)
      return parseWarmup(Value, Result, Message);
    if (strcmp(Word, "window") == 0)
      return parseWindow(Value, Result, Message);
    if (strcmp(Word, "cap") == 0)
      return parseCap(Value, Result, Message);
    if (strcmp(Word, "nvtx") == 0)
      return parseNvtx(Value, Result, Message);
    if (strcmp(Word, "devices") == 0)
      return parseDevices(Value, Result, Message);
    if (strcmp(Word, "gpu") == 0)
      return parseGpu(Value, Result, Message);
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
