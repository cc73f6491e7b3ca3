// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Runs the input, simdjson and the parser, window by window.

#include "Run/Kineto/KinetoReader.h"

#include "Run/Kineto/EventNames.h"
#include "Run/Kineto/KinetoParser.h"
#include "Run/Kineto/Plausible.h"
#include "Run/Kineto/TraceInput.h"
#include "Run/Model/TraceNumbers.h"
#include "Support/Message.h"
#include "Support/Printable.h"

#include <algorithm>
#include <chrono>
#include <cstring>
#include <fmt/format.h>
#include <memory>
#include <simdjson.h>
#include <string_view>
#include <utility>

namespace loopscope {
namespace {

// Small enough for the second-level cache, and large enough that the events cut
// off at its end don't matter.
constexpr size_t SmallestWindow = size_t{1} << 17;
// The largest value that can be read: while it is incomplete, it and its index
// take several times this memory. simdjson numbers bytes with 32 bits.
constexpr size_t LargestWindow = size_t{1} << 26;

// Events of real traces are longer.
constexpr size_t LeastBytesPerEvent = 192;

using simdjson::internal::dom_parser_implementation;

// The bytes of the window up to the last position outside strings and numbers.
size_t cutByScanning(const char *Data, size_t Size) {
  constexpr std::string_view Structural = ",:{}[]";
  bool InString = false;
  size_t Cut = 0;
  for (size_t I = 0; I < Size; ++I) {
    char C = Data[I];
    if (C == '"')
      InString = !InString;
    else if (C == '\\' && InString)
      ++I;
    else if (!InString && Structural.find(C) != std::string_view::npos)
      Cut = I + 1;
  }
  return Cut;
}

// simdjson accepts no control characters in strings, but Kineto has written
// some. Outside strings, the ones that JSON allows are blanks as well.
void blankControlCharacters(char *Data, size_t Size) {
  for (size_t I = 0; I < Size; ++I)
    if (static_cast<unsigned char>(Data[I]) < 0x20)
      Data[I] = ' ';
}

// Length of the valid UTF-8 sequence at Data, or 0.
size_t sequenceLength(const unsigned char *Data, size_t Left) {
  unsigned char First = Data[0];
  if (First < 0x80)
    return 1;
  size_t Length = First >= 0xF0 ? 4 : First >= 0xE0 ? 3 : 2;
  if (First < 0xC2 || First > 0xF4 || Length > Left)
    return 0;
  for (size_t I = 1; I < Length; ++I)
    if ((Data[I] & 0xC0) != 0x80)
      return 0;
  unsigned char Second = Data[1];
  bool Overlong =
      (First == 0xE0 && Second < 0xA0) || (First == 0xF0 && Second < 0x90);
  bool OutOfRange =
      (First == 0xED && Second > 0x9F) || (First == 0xF4 && Second > 0x8F);
  return Overlong || OutOfRange ? 0 : Length;
}

void replaceBadUtf8(char *Data, size_t Size) {
  for (size_t I = 0; I < Size;) {
    size_t Length =
        sequenceLength(reinterpret_cast<unsigned char *>(Data) + I, Size - I);
    if (Length == 0)
      Data[I++] = '?';
    else
      I += Length;
  }
}

bool isBlank(std::string_view Text) {
  return Text.find_first_not_of(" \t\r\n") == std::string_view::npos;
}

class Indexer {
public:
  // Finds the structural characters of Data, and repairs what simdjson would
  // reject. False if a string isn't closed.
  Result<bool> index(char *Data, size_t Size, Integrity &Losses) {
    if (!Tool || Capacity < Size) {
      // Twice what is needed, so that growing windows don't allocate every
      // time.
      Capacity = std::max(std::min(2 * Size, LargestWindow), SmallestWindow);
      Tool.reset();
      if (simdjson::get_active_implementation()
              ->create_dom_parser_implementation(Capacity, 1, Tool) !=
          simdjson::SUCCESS)
        return Error{fmt::format("no memory for {} bytes of JSON", Capacity)};
    }
    for (int Repairs = 0;; ++Repairs) {
      simdjson::error_code Code =
          Tool->stage1(reinterpret_cast<const uint8_t *>(Data), Size,
                       simdjson::stage1_mode::regular);
      if (Code == simdjson::SUCCESS)
        return true;
      if (Code == simdjson::UNCLOSED_STRING)
        return false;
      if (Code == simdjson::EMPTY) {
        Tool->n_structural_indexes = 0;
        return true;
      }
      if (Repairs == 2)
        return Error{
            fmt::format("simdjson fails: {}", simdjson::error_message(Code))};
      if (Code == simdjson::UTF8_ERROR) {
        ++Losses.BadUtf8;
        replaceBadUtf8(Data, Size);
      } else {
        blankControlCharacters(Data, Size);
      }
    }
  }

  const uint32_t *data() const { return Tool->structural_indexes.get(); }
  uint32_t count() const { return Tool->n_structural_indexes; }

private:
  std::unique_ptr<dom_parser_implementation> Tool;
  size_t Capacity = 0;
};

// A cut that is right unless the file is unusual: after the last line end
// (strings hold none), or after the last comma between two objects.
size_t likelyCut(const char *Data, size_t Size) {
  if (const void *Line = memrchr(Data, '\n', Size))
    return static_cast<size_t>(static_cast<const char *>(Line) - Data) + 1;
  size_t Found = std::string_view(Data, Size).rfind("},");
  return Found == std::string_view::npos ? 0 : Found + 2;
}

// Indexes a window, cut where necessary; the window's size becomes what was
// indexed.
Result<bool> indexWindow(Indexer &Tool, TextWindow &Window, Integrity &Losses) {
  size_t Whole = Window.Size;
  if (!Window.Last)
    Window.Size = likelyCut(Window.Data, Whole);
  Result<bool> Closed = Window.Size == 0 && Whole != 0
                            ? Result<bool>(false)
                            : Tool.index(Window.Data, Window.Size, Losses);
  if (!Closed || *Closed)
    return Closed;
  Window.Size = cutByScanning(Window.Data, Whole);
  return Tool.index(Window.Data, Window.Size, Losses);
}

// Reports how far reading has come: after two seconds, then less and less
// often.
class Progress {
public:
  Progress(const TraceInput &Input, const std::string &Name,
           const TraceLimits &Limits)
      : Input(Input), Name(Name), Limits(Limits) {}

  void add(size_t Bytes) {
    Done += Bytes;
    if (Clock::now() - Begin < Next)
      return;
    Next *= 2;
    std::string Limit = Input.compressed()
                            ? fmt::format(" inflated; the limit is {}",
                                          size(Limits.MaxInflated))
                            : "";
    printMessage("note",
                 fmt::format("reading '{}': {}{}", Name, size(Done), Limit));
  }

private:
  using Clock = std::chrono::steady_clock;

  static std::string size(uint64_t Bytes) {
    return fmt::format("{} MB", Bytes / 1'000'000);
  }

  const TraceInput &Input;
  const std::string &Name;
  const TraceLimits &Limits;
  uint64_t Done = 0;
  Clock::time_point Begin = Clock::now();
  Clock::duration Next = std::chrono::seconds(2);
};

// The process that a trace is of, by its first event on the host; 0 if the
// trace doesn't say.
int pidOf(const EventStream &Trace) {
  int64_t Pid = 0;
  auto First = std::find_if(
      Trace.Events.begin(), Trace.Events.end(), [](const TraceEvent &Event) {
        return !isDeviceWork(Event.Kind) && Event.Kind != TraceKind::Span &&
               Event.Kind != TraceKind::Other;
      });
  if (First != Trace.Events.end())
    parseWhole(Trace.Strings[Trace.Tracks[First->Track].Pid], Pid);
  return static_cast<int>(Pid);
}

Result<Run> readInput(TraceInput &Input, const std::string &Name,
                      const TraceLimits &Limits) {
  Run Trace;
  Trace.By = &PyTorchProfiler;
  Trace.Path = Trace.Program = printable(Name);
  Trace.Ended = End::Exited;
  Trace.WorldSize = -1;
  // An upper estimate of the number of events: memory that isn't used stays
  // untouched.
  Trace.Stream.Events.reserve(Input.size() / LeastBytesPerEvent);
  KinetoParser Parser(Trace);
  Indexer Tool;
  size_t Wanted = SmallestWindow;
  size_t Used = 0;
  bool Any = false;
  Progress Shown(Input, Name, Limits);
  for (;;) {
    Shown.add(Used);
    Result<TextWindow> Next = Input.next(Used, Wanted);
    if (!Next)
      return Next.error();
    TextWindow Window = *Next;
    Any |= Window.Size != 0;
    if (!Window.Last && isBlank({Window.Data, Window.Size})) {
      Used = Window.Size;
      continue;
    }
    size_t Whole = Window.Size;
    bool Last = Window.Last;
    Result<bool> Closed = indexWindow(Tool, Window, Trace.Lost);
    if (!Closed)
      return Error{
          fmt::format("cannot read '{}': {}", Name, Closed.error().Message)};
    Used = 0;
    // Closed holds a value here.
    // NOLINTNEXTLINE(clang-analyzer-core.uninitialized.Branch)
    if (*Closed)
      Used = Parser.parse({Window.Data, Window.Size, Tool.data(), Tool.count(),
                           Last && Window.Size == Whole});
    if (Parser.done())
      break;
    if (Last) {
      Trace.Lost.Torn = true;
      Trace.Lost.BytesMissing = Whole - Used;
      break;
    }
    // Nothing was used: the value is larger than the window.
    if (Used == 0 && Wanted >= LargestWindow)
      return Error{fmt::format("'{}' holds one value of more than {} bytes, "
                               "which no trace has",
                               Name, LargestWindow)};
    Wanted = Used == 0 ? Wanted * 2 : SmallestWindow;
  }
  Parser.finish();
  if (readNames(Trace.Stream))
    Trace.By = &ChromeExporter;
  Trace.Stream.Strings.makePrintable();
  Trace.EventCount = Trace.Stream.Events.size();
  Trace.Pid = pidOf(Trace.Stream);
  applyLaws(Trace);
  Trace.Lost.DamagedInput = Input.damage();
  std::string Damage = Trace.Lost.DamagedInput.empty()
                           ? std::string()
                           : fmt::format(", and {}", Trace.Lost.DamagedInput);
  if (!Any)
    return Error{fmt::format("'{}' is empty{}", Name, Damage)};
  if (!Parser.sawEvents())
    return Error{
        fmt::format("'{}' is not a PyTorch trace: it has no \"traceEvents\"{}",
                    Name, Damage)};
  if (Parser.processes() > 1)
    return Error{fmt::format("'{}' is an export of {} profiles, for trace "
                             "viewers; report on the profiles themselves",
                             Name, Parser.processes())};
  return Trace;
}

} // namespace

Result<Run> readKinetoTrace(const std::string &Path,
                            const TraceLimits &Limits) {
  Result<std::unique_ptr<TraceInput>> Input =
      openTrace(Path, Limits.MaxInflated);
  if (!Input)
    return Input.error();
  return readInput(**Input, Path == "-" ? "standard input" : Path, Limits);
}

Result<Run> readKinetoBytes(std::string_view Bytes, const TraceLimits &Limits) {
  Result<std::unique_ptr<TraceInput>> Input =
      openTraceBytes(Bytes, Limits.MaxInflated);
  if (!Input)
    return Input.error();
  return readInput(**Input, "memory", Limits);
}

} // namespace loopscope
