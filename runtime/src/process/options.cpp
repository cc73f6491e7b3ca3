// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parses LOOPSCOPE=word,word=value,...

#include "options.h"

#include "base/nearest.h"
#include "base/option_words.h"
#include "tree/extension.h"

#include <loopscope/key_rows.h>
#include <loopscope/style_names.h>
#include <loopscope/view_names.h>

#include <string.h>

using namespace loopscope::runtime;

namespace {
#define LOOPSCOPE_LIST_VIEW_(NAME, IDENTIFIER) NAME,
constexpr const char *Views[] = {LOOPSCOPE_VIEWS(LOOPSCOPE_LIST_VIEW_)};
#undef LOOPSCOPE_LIST_VIEW_
#define LOOPSCOPE_LIST_STYLE_(NAME, IDENTIFIER) NAME,
constexpr const char *Styles[] = {LOOPSCOPE_STYLES(LOOPSCOPE_LIST_STYLE_)};
#undef LOOPSCOPE_LIST_STYLE_

// Adds a suggestion between the wrong word and the list of choices.
void suggest(const Nearest &Near, Text &Message) {
  if (Near.best() != nullptr)
    Message << "; did you mean '" << Near.best() << "'? Choose from ";
  else
    Message << "; choose from ";
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
               "window=WAIT:WARMUP:ACTIVE:REPEAT, with ACTIVE at least 1, and "
               "REPEAT 0 meaning for ever";
    return false;
  }
  Result.Steps.WindowWait = Numbers[0];
  Result.Steps.WindowWarmup = Numbers[1];
  Result.Steps.WindowActive = Numbers[2];
  Result.Steps.WindowRepeat = Numbers[3];
  return true;
}

// Parses a size: a number of bytes, or a number with K, M or G for powers of
// 1024.
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

bool parseKeys(char *Value, Options &Result, Text &Message) {
  constexpr int64_t Most = loopscope::keys::MostOfPath;
  int64_t Keys = 0;
  if (!parseNumber(Value, Keys) || Keys < 1 || Keys > Most) {
    Message
        << "LOOPSCOPE: 'keys' takes how many keys of a call path have a row "
           "of their own, 1 to 4096";
    return false;
  }
  Result.MostKeys = static_cast<uint32_t>(Keys);
  return true;
}

bool parseOutput(char *Value, Options &Result, Text &Message) {
  return copyValue(Result.Output, sizeof(Result.Output), Value, "output",
                   Message);
}

// The word for a stream that VALUE is nearly; null if it isn't.
const char *nearStream(const char *Value) {
  constexpr const char *Words[] = {"stderr", "stdout", "none"};
  Nearest Near(Value);
  for (const char *Word : Words)
    Near.consider(Word, strlen(Word), Word);
  return Near.best();
}

bool parseReport(char *Value, Options &Result, Text &Message) {
  if (strcmp(Value, "stderr") == 0 || strcmp(Value, "/dev/stderr") == 0)
    Result.Report = ReportTo::Stderr;
  else if (strcmp(Value, "stdout") == 0 || strcmp(Value, "-") == 0 ||
           strcmp(Value, "/dev/stdout") == 0)
    Result.Report = ReportTo::Stdout;
  else if (strcmp(Value, "none") == 0)
    Result.Report = ReportTo::None;
  else if (const char *Near = nearStream(Value)) {
    Message << "LOOPSCOPE: report=" << Value << " looks like report=" << Near
            << "; write report=./" << Value << " for a file of that name";
    return false;
  } else {
    Result.Report = ReportTo::File;
    return copyValue(Result.ReportFile, sizeof(Result.ReportFile), Value,
                     "report", Message);
  }
  return true;
}

// Copies VALUE into FIELD if it is one of NAMES. WHAT describes the names in
// the message.
template <size_t N, size_t Size>
bool copyName(char (&Field)[Size], const char *Value,
              const char *const (&Names)[N], const char *What, Text &Message) {
  for (const char *Name : Names)
    if (strcmp(Name, Value) == 0) {
      copyHead(Field, Size, Value);
      return true;
    }
  Nearest Near(Value);
  for (const char *Name : Names)
    Near.consider(Name, strlen(Name), Name);
  Message << "LOOPSCOPE: there is no " << What << " '" << Value << '\'';
  suggest(Near, Message);
  for (const char *Name : Names)
    Message << (Name == Names[0] ? "" : ", ") << Name;
  return false;
}

bool parseView(char *Value, Options &Result, Text &Message) {
  return copyName(Result.View, Value, Views, "view", Message);
}

bool parseStyle(char *Value, Options &Result, Text &Message) {
  return copyName(Result.Style, Value, Styles, "style", Message);
}

bool parseRank(char *Value, Options &Result, Text &Message) {
  char *Slash = strchr(Value, '/');
  if (Slash != nullptr)
    *Slash = 0;
  int64_t Index = 0;
  int64_t World = 0;
  if (!parseNumber(Value, Index) || Index > INT32_MAX ||
      (Slash != nullptr && (!parseNumber(Slash + 1, World) || World <= Index ||
                            World > INT32_MAX))) {
    Message << "LOOPSCOPE: 'rank' takes this process's number among the ranks "
               "of the run, from 0, and how many there are, rank=3 or rank=3/8";
    return false;
  }
  Result.Rank = static_cast<int32_t>(Index);
  Result.World = static_cast<int32_t>(World);
  return true;
}

template <loopscope_mode Mode>
bool setMode(char * /*Value*/, Options &Result, Text & /*Message*/) {
  Result.Mode = Mode;
  return true;
}

// Whoever asks for it gets the view of that name, too.
bool setSimple(char *Value, Options &Result, Text &Message) {
  Result.IsSimpleAsked = true;
  return setMode<LOOPSCOPE_MODE_SIMPLE>(Value, Result, Message);
}

bool setPrivate(char * /*Value*/, Options &Result, Text & /*Message*/) {
  Result.IsPrivate = true;
  return true;
}

constexpr OptionWord CoreWords[] = {
    {"off", setMode<LOOPSCOPE_MODE_OFF>},
    {"simple", setSimple},
    {"advanced", setMode<LOOPSCOPE_MODE_ADVANCED>},
    {"trace", setMode<LOOPSCOPE_MODE_TRACE>},
    {"output=PATH", parseOutput},
    {"report=stderr|stdout|none|FILE", parseReport},
    {"view=NAME", parseView},
    {"style=NAME", parseStyle},
    {"warmup=N[/epoch]", parseWarmup},
    {"window=WAIT:WARMUP:ACTIVE:REPEAT", parseWindow},
    {"cap=SIZE", parseCap},
    {"keys=N", parseKeys},
    {"rank=N[/RANKS]", parseRank},
    {"private", setPrivate}};

// Calls VISIT(word) for all words, in the order of the list of choices, until
// it returns true; returns that word, or null.
template <typename Function> const OptionWord *findWord(Function Visit) {
  for (const OptionWord &Each : CoreWords)
    if (Visit(Each))
      return &Each;
  for (const Extension *Owner : Extensions)
    for (const OptionWord &Each : Owner->Words)
      if (Visit(Each))
        return &Each;
  return nullptr;
}

// Whether a word, cut at its '=', matches EACH. HAS_VALUE: it had a value.
bool isWord(const OptionWord &Each, const char *Word, bool HasValue) {
  size_t Length = strlen(Word);
  return strncmp(Each.Choice, Word, Length) == 0 &&
         Each.Choice[Length] == (HasValue ? '=' : 0);
}

// Parses one word, cut at its '='; VALUE is null if it has none.
bool parseWord(const char *Word, char *Value, Options &Result, Text &Message) {
  const OptionWord *Found = findWord([=](const OptionWord &Each) {
    return isWord(Each, Word, Value != nullptr);
  });
  if (Found != nullptr)
    return Found->Parse(Value, Result, Message);
  Nearest Near(Word);
  findWord([&](const OptionWord &Each) {
    // If only the value is wrong, show the list of choices.
    const char *Equals = strchr(Each.Choice, '=');
    if (Equals != nullptr || strcmp(Each.Choice, Word) != 0)
      Near.consider(Each.Choice,
                    Equals == nullptr
                        ? strlen(Each.Choice)
                        : static_cast<size_t>(Equals - Each.Choice),
                    Each.Choice);
    return false;
  });
  Message << "LOOPSCOPE: '" << Word << "' is not understood";
  suggest(Near, Message);
  findWord([&](const OptionWord &Each) {
    Message << Each.Choice << ", ";
    return false;
  });
  Message << "separated by commas";
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
