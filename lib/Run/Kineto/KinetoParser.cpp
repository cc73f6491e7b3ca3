// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The walk over structural characters. Two rules keep it safe on any input: a
// token is read only after its number was compared with the window's count, and
// every loop consumes at least one token per iteration.

#include "Run/Kineto/KinetoParser.h"

#include "Run/Kineto/JsonStrings.h"
#include "Run/Kineto/KinetoFields.h"
#include "Run/Model/FactNumbers.h"
#include "Run/Model/TraceNumbers.h"
#include "Support/Printable.h"

#include <algorithm>
#include <cstring>
#include <optional>
#include <utility>

namespace loopscope {
namespace {

// As many as a profile of ours may have, and more.
constexpr size_t MostFacts = 1024;

bool isSpace(char C) { return C == ' ' || C == '\n' || C == '\t' || C == '\r'; }

/// A key in the text, up to its closing quote. The bytes after a window can be
/// read, so comparing needs no length.
struct RawKey {
  const char *Text;

  template <size_t N> bool is(const char (&Name)[N]) const {
    return std::memcmp(Text, Name, N - 1) == 0 && Text[N - 1] == '"';
  }
};

} // namespace

KinetoParser::KinetoParser(Run &To) : To(To), Trace(To.Stream) {
  Trace.Devices.emplace_back();
  Trace.Exchanges.emplace_back();
}

bool KinetoParser::text(uint32_t I, std::string_view &Out) const {
  size_t Begin = W.Index[I];
  size_t End = I + 1 < W.Count ? W.Index[I + 1] : W.Size;
  while (End > Begin + 1 && isSpace(W.Data[End - 1]))
    --End;
  if (W.Data[Begin] == '"') {
    if (End < Begin + 2 || W.Data[End - 1] != '"')
      return false;
    ++Begin;
    --End;
  }
  Out = {W.Data + Begin, End - Begin};
  return true;
}

KinetoParser::Outcome KinetoParser::skipValue(uint32_t &I) const {
  if (I >= W.Count)
    return Outcome::CutOff;
  char First = kind(I);
  if (First != '{' && First != '[') {
    ++I;
    return Outcome::Whole;
  }
  size_t Depth = 0;
  for (; I < W.Count; ++I) {
    char C = kind(I);
    if (C == '{' || C == '[') {
      ++Depth;
    } else if (C == '}' || C == ']') {
      if (--Depth == 0) {
        ++I;
        return Outcome::Whole;
      }
    }
  }
  return Outcome::CutOff;
}

template <typename Visitor>
KinetoParser::Outcome KinetoParser::forEachMember(uint32_t &I, Visitor Visit) {
  for (++I; I < W.Count;) {
    char C = kind(I);
    if (C == '}') {
      ++I;
      return Outcome::Whole;
    }
    if (C == ',') {
      ++I;
      continue;
    }
    if (C != '"')
      return Outcome::Malformed;
    if (I + 2 >= W.Count)
      return Outcome::CutOff;
    if (kind(I + 1) != ':')
      return Outcome::Malformed;
    RawKey Key{W.Data + W.Index[I] + 1};
    I += 2;
    Outcome Result = Visit(Key);
    if (Result != Outcome::Whole)
      return Result;
  }
  return Outcome::CutOff;
}

KinetoParser::Outcome KinetoParser::parseArguments(uint32_t &I, Fields &Out) {
  return forEachMember(I, [&](RawKey Key) {
    std::string_view *Target = nullptr;
    TokenRange *Range = nullptr;
    switch (*Key.Text) {
    case 'E':
    case 'e':
      if (Key.is("External id") || Key.is("external id"))
        Target = &Out.ExternalId;
      else if (Key.is("est. achieved occupancy %"))
        Target = &Out.Occupancy;
      break;
    case 'C':
      if (Key.is("Call stack")) {
        std::string_view Stack;
        Out.HasStack = kind(I) == '"' && text(I, Stack) && !Stack.empty();
      } else if (Key.is("Collective name"))
        Target = &Out.Collective;
      break;
    case 'G':
      if (Key.is("Group size"))
        Target = &Out.GroupSize;
      break;
    case 'I':
      if (Key.is("In msg nelems"))
        Target = &Out.Elements;
      else if (Key.is("Input Dims") || Key.is("Input dims"))
        Range = &Out.Shapes;
      else if (Key.is("Input type"))
        Range = &Out.Types;
      break;
    case 'P':
      if (Key.is("Process Group Name"))
        Target = &Out.Group;
      else if (Key.is("Process Group Ranks"))
        Target = &Out.GroupRanks;
      break;
    case 'S':
      if (Key.is("Seq"))
        Target = &Out.Sequence;
      break;
    case 'B':
      if (Key.is("Bytes"))
        Target = &Out.Bytes;
      break;
    case 'D':
      if (Key.is("Device Id"))
        Target = &Out.DeviceId;
      else if (Key.is("Device Type"))
        Target = &Out.DeviceType;
      break;
    case 'T':
      if (Key.is("Total Allocated"))
        Target = &Out.TotalAllocated;
      else if (Key.is("Total Reserved"))
        Target = &Out.TotalReserved;
      break;
    case 'b':
      if (Key.is("blocks per SM"))
        Target = &Out.BlocksPerSm;
      break;
    case 'c':
      if (Key.is("correlation"))
        Target = &Out.Correlation;
      break;
    case 'd':
      if (Key.is("device"))
        Target = &Out.Device;
      else if (Key.is("dtype"))
        Target = &Out.ElementType;
      break;
    default:
      break;
    }
    char C = kind(I);
    if (Target && C != '{' && C != '[' && !text(I, *Target))
      return Outcome::Malformed;
    uint32_t Begin = I;
    Outcome Result = skipValue(I);
    if (Range)
      *Range = {Begin, I};
    return Result;
  });
}

KinetoParser::Outcome KinetoParser::parseFields(uint32_t &I, Fields &Out) {
  return forEachMember(I, [&](RawKey Key) {
    char C = kind(I);
    if (C == '{' && Key.is("args"))
      return parseArguments(I, Out);
    if (C == '{' || C == '[')
      return skipValue(I);
    std::string_view *Target = nullptr;
    switch (*Key.Text) {
    case 'p':
      if (Key.is("ph"))
        Target = &Out.Phase;
      else if (Key.is("pid"))
        Target = &Out.Pid;
      break;
    case 'c':
      if (Key.is("cat"))
        Target = &Out.Category;
      break;
    case 'n':
      if (Key.is("name"))
        Target = &Out.Name;
      break;
    case 't':
      if (Key.is("ts"))
        Target = &Out.Time;
      else if (Key.is("tid"))
        Target = &Out.Tid;
      break;
    case 'd':
      if (Key.is("dur"))
        Target = &Out.Duration;
      break;
    default:
      break;
    }
    if (Target && !text(I, *Target))
      return Outcome::Malformed;
    ++I;
    return Outcome::Whole;
  });
}

KinetoParser::Outcome KinetoParser::parseEvent(uint32_t &I) {
  uint32_t Start = I;
  Fields In;
  Outcome Result = parseFields(I, In);
  if (Result == Outcome::Whole)
    takeEvent(In);
  if (Result != Outcome::Malformed)
    return Result;
  // Leave the event out and continue after it.
  I = Start;
  return skipNoEvent(I);
}

KinetoParser::Outcome KinetoParser::skipNoEvent(uint32_t &I) {
  Outcome Result = skipValue(I);
  if (Result == Outcome::Whole)
    ++To.Lost.BadEvents;
  return Result;
}

KinetoParser::Outcome KinetoParser::parseProperties(uint32_t &I) {
  std::vector<DeviceProperties> Found;
  for (++I; I < W.Count;) {
    char C = kind(I);
    if (C == ']') {
      ++I;
      To.Properties = std::move(Found);
      return Outcome::Whole;
    }
    if (C != '{') {
      Outcome Result = skipValue(I);
      if (Result != Outcome::Whole)
        return Result;
      continue;
    }
    DeviceProperties Device;
    Outcome Result = forEachMember(I, [&](RawKey Key) {
      std::string_view Value;
      if (kind(I) != '{' && kind(I) != '[' && text(I, Value)) {
        if (Key.is("id"))
          parseWhole(Value, Device.Id);
        else if (Key.is("name"))
          Device.Name = printable(unescapeJson(Value));
        else if (Key.is("totalGlobalMem"))
          parseWhole(Value, Device.TotalMemory);
        else if (Key.is("computeMajor"))
          parseWhole(Value, Device.ComputeMajor);
        else if (Key.is("computeMinor"))
          parseWhole(Value, Device.ComputeMinor);
      }
      return skipValue(I);
    });
    if (Result != Outcome::Whole)
      return Result;
    Found.push_back(std::move(Device));
  }
  return Outcome::CutOff;
}

// What an export of a profile has as its facts.
KinetoParser::Outcome KinetoParser::parseFacts(uint32_t &I) {
  std::vector<RunFact> Found;
  Outcome Result = forEachMember(I, [&](RawKey) {
    std::string_view Name, Text;
    std::optional<FactValue> Value;
    // A colon stands between the name and what I is at.
    if (kind(I) != '{' && kind(I) != '[' && text(I - 2, Name) &&
        text(I, Text)) {
      if (kind(I) == '"')
        Value = printable(unescapeJson(Text));
      else if (Text == "true" || Text == "false")
        Value = Text == "true";
      else
        Value = factOfNumber(std::string(Text));
    }
    std::string Its = printable(unescapeJson(Name));
    if (Value && !Its.empty() && Found.size() < MostFacts &&
        std::ranges::find(Found, Its, &RunFact::Name) == Found.end())
      Found.push_back({std::move(Its), {{std::move(*Value)}}});
    return skipValue(I);
  });
  if (Result == Outcome::Whole)
    To.Facts = std::move(Found);
  return Result;
}

KinetoParser::Outcome KinetoParser::parseKey(uint32_t &I) {
  char C = kind(I);
  if (C == ',') {
    ++I;
    return Outcome::Whole;
  }
  if (C == '}') {
    At = State::Done;
    ++I;
    return Outcome::Whole;
  }
  std::string_view Key;
  if (C != '"') { // not JSON here; look for the next key
    ++I;
    return Outcome::Whole;
  }
  if (I + 2 >= W.Count)
    return Outcome::CutOff;
  if (kind(I + 1) != ':' || !text(I, Key)) {
    ++I;
    return Outcome::Whole;
  }
  uint32_t Value = I + 2;
  char First = kind(Value);
  Outcome Result = Outcome::Whole;
  if (First == '[' && Key == "traceEvents") {
    At = State::Events;
    SawEvents = true;
    ++Value;
  } else if (First == '[' && Key == "deviceProperties") {
    Result = parseProperties(Value);
  } else if (First == '{' && Key == "otherData") {
    Result = parseFacts(Value);
  } else if (First == '{' && Key == "distributedInfo") {
    Result = forEachMember(Value, [&](RawKey Name) {
      std::string_view Text;
      if (kind(Value) != '{' && kind(Value) != '[' && text(Value, Text)) {
        if (Name.is("backend"))
          To.Backend = printable(unescapeJson(Text));
        else if (Name.is("rank"))
          parseWhole(Text, To.Rank);
        else if (Name.is("world_size"))
          parseWhole(Text, To.WorldSize);
      }
      return skipValue(Value);
    });
  } else {
    std::string_view Text;
    // The last token of a window may be the start of a longer one.
    if (Value + 1 >= W.Count && !W.Last)
      return Outcome::CutOff;
    if (First != '{' && First != '[' && text(Value, Text)) {
      if (Key == "schemaVersion")
        parseWhole(Text, To.SchemaVersion);
      else if (Key == "baseTimeNanoseconds")
        parseWhole(Text, To.StartRealtimeNs);
      else if (Key == "host_name")
        To.Host = printable(unescapeJson(Text));
      else if (Key == "loopscopeProcesses")
        parseWhole(Text, Processes);
    }
    Result = skipValue(Value);
  }
  if (Result == Outcome::Malformed) {
    Value = I + 2;
    Result = skipValue(Value);
  }
  if (Result == Outcome::Whole)
    I = Value;
  return Result;
}

KinetoParser::Outcome KinetoParser::parseTop(uint32_t &I) {
  char C = kind(I);
  switch (At) {
  case State::Begin:
    if (C == '{') {
      At = State::Keys;
    } else if (C == '[') {
      At = State::Events;
      TopIsArray = true;
      SawEvents = true;
    } else if (C != '\xEF') { // a byte order mark may come first
      At = State::Done;       // no trace
    }
    ++I;
    return Outcome::Whole;
  case State::Keys:
    return parseKey(I);
  case State::Events:
    if (C == '{')
      return parseEvent(I);
    if (C == ']' || C == ',') {
      if (C == ']')
        At = TopIsArray ? State::Done : State::Keys;
      ++I;
      return Outcome::Whole;
    }
    return skipNoEvent(I);
  case State::Done:
    I = W.Count;
    return Outcome::Whole;
  }
  return Outcome::Whole;
}

size_t KinetoParser::parse(const JsonWindow &Window) {
  W = Window;
  uint32_t I = 0;
  while (I < W.Count) {
    uint32_t Start = I;
    if (parseTop(I) == Outcome::CutOff)
      return W.Index[Start];
  }
  return W.Size;
}

} // namespace loopscope
