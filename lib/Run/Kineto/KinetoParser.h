// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// JSON of a trace -> events, window by window.
//
// The input is cut into windows of 128 KiB. simdjson's first stage
// finds the structural characters of a window (the brackets, colons and commas
// outside strings, and where strings and scalars start); this parser walks over
// them and takes only the fields that reports need. A value that a window cuts
// off is read again with the next one, so a trace of any size needs the memory
// of its events and of one window.

#ifndef LOOPSCOPE_RUN_KINETO_KINETOPARSER_H
#define LOOPSCOPE_RUN_KINETO_KINETOPARSER_H

#include "Run/Model/Run.h"

#include <cstddef>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

namespace loopscope {

/// A window and the offsets of its structural characters.
struct JsonWindow {
  const char *Data = nullptr;
  size_t Size = 0;
  const uint32_t *Index = nullptr;
  uint32_t Count = 0;
  bool Last = false; ///< nothing follows
};

/// Reads one trace. Nothing in the input can make it fail: anything that isn't
/// an event is counted in Run::Lost.
class KinetoParser {
public:
  explicit KinetoParser(Run &To);

  /// Reads the complete values of \p Window and returns how many bytes of it
  /// were used; the next window has to start there.
  size_t parse(const JsonWindow &Window);

  /// Call it when everything was read.
  void finish();

  /// Whether the document's last bracket was read.
  bool done() const { return At == State::Done; }

  /// False if the input is JSON but not a trace.
  bool sawEvents() const { return SawEvents; }
  /// How many processes the trace covers; more than one in an export of several
  /// profiles (Report/Export/Export.h).
  int64_t processes() const { return Processes; }

private:
  enum class State { Begin, Keys, Events, Done };
  enum class Outcome { Whole, CutOff, Malformed };
  struct Fields;
  /// The tokens of a value; none if there is no value.
  struct TokenRange {
    uint32_t Begin = 0, End = 0;
  };

  Outcome parseTop(uint32_t &I);
  Outcome parseKey(uint32_t &I);
  Outcome parseEvent(uint32_t &I);
  Outcome parseFields(uint32_t &I, Fields &Out);
  Outcome parseArguments(uint32_t &I, Fields &Out);
  template <typename Visitor> Outcome forEachMember(uint32_t &I, Visitor Visit);
  Outcome parseProperties(uint32_t &I);
  Outcome parseFacts(uint32_t &I);
  Outcome skipValue(uint32_t &I) const;
  Outcome skipNoEvent(uint32_t &I);
  void takeEvent(Fields &In);
  void takeMemory(const Fields &In);
  void noteMemory(const Fields &In, int64_t Device, int64_t Held,
                  int64_t Reserved);
  uint32_t exchange(const Fields &In);
  int64_t inputBytes(TokenRange Shapes, TokenRange Types) const;
  uint32_t inputs(const Fields &In);
  bool isList(TokenRange Value) const;
  std::string_view rawList(TokenRange List) const;
  std::string listText(TokenRange List) const;
  uint32_t track(std::string_view Pid, std::string_view Tid);
  uint32_t memoryThread(std::string_view Pid, std::string_view Tid);
  uint32_t internText(std::string_view Raw);

  char kind(uint32_t I) const { return W.Data[W.Index[I]]; }
  bool text(uint32_t I, std::string_view &Out) const;

  Run &To;
  EventStream &Trace;
  JsonWindow W;
  State At = State::Begin;
  bool SawEvents = false;
  int64_t Processes = 1;
  bool TopIsArray = false;
  std::string LastPid, LastTid;
  uint32_t LastTrack = 0;
  bool HasLastTrack = false;
  std::unordered_map<uint64_t, uint32_t> TrackNumbers; // pid and tid -> track
  // Pid and tid of memory's changes, whose tracks may be further on in the
  // file.
  std::vector<std::pair<std::string, std::string>> MemoryThreads;
  uint32_t LastMemoryThread = 0;
  TraceStrings RawLists; // shapes and types as they are in the file
  std::unordered_map<uint64_t, uint32_t> InputNumbers; // both -> Run::Inputs
  std::map<OperatorInputs, uint32_t> Inputs;           // -> Run::Inputs
};

} // namespace loopscope

#endif // LOOPSCOPE_RUN_KINETO_KINETOPARSER_H
