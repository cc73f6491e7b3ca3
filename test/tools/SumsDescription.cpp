// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a described profile's named counters and sums.

#include "SumsDescription.h"

#include <cstdlib>
#include <cstring>
#include <map>

#include <bit>

namespace {
// A sum of times, and the sum of the wall time that it covers.
struct TimeKey {
  const char *Word, *Key, *Wall;
};
constexpr TimeKey Times[] = {
    {"cpu", LOOPSCOPE_SUM_CPU_TIME, LOOPSCOPE_SUM_CPU_WALL},
    {"starved", LOOPSCOPE_SUM_CPU_STARVED, LOOPSCOPE_SUM_CPU_STARVED_WALL}};
struct NumberKey {
  const char *Word, *Key;
};
constexpr NumberKey Numbers[] = {
    {"minor", LOOPSCOPE_SUM_CPU_MINOR_FAULTS},
    {"major", LOOPSCOPE_SUM_CPU_MAJOR_FAULTS},
    {"voluntary", LOOPSCOPE_SUM_CPU_VOLUNTARY},
    {"involuntary", LOOPSCOPE_SUM_CPU_INVOLUNTARY}};
} // namespace

void SumsDescription::add(uint32_t Index, const char *Key,
                          loopscope_sum_unit Unit, uint64_t Count,
                          uint64_t Sum) {
  loopscope_node_sum S{};
  S.node = Index;
  S.unit = Unit;
  S.count = Count;
  S.sum = Sum;
  Sums.push_back(S);
  Keys.emplace_back(Key);
}

bool SumsDescription::set(uint32_t Index, const loopscope_profile_node &N,
                          const std::string &Key, const std::string &Value,
                          const DescriptionContext &C) {
  for (const TimeKey &Each : Times)
    if (Key == Each.Word) {
      add(Index, Each.Wall, LOOPSCOPE_SUM_TICKS, N.count, N.sum_ticks);
      add(Index, Each.Key, LOOPSCOPE_SUM_NS, N.count, C.Duration(Value));
      return true;
    }
  for (const NumberKey &Each : Numbers)
    if (Key == Each.Word) {
      add(Index, Each.Key, LOOPSCOPE_SUM_NUMBER, 1, C.Number(Value));
      return true;
    }
  if (Key == "cost") {
    add(Index, LOOPSCOPE_SUM_COST "gpu", LOOPSCOPE_SUM_TICKS, 1,
        C.Duration(Value));
    return true;
  }
  if (Key == "bytes") {
    add(Index, LOOPSCOPE_SUM_COMM_BYTES, LOOPSCOPE_SUM_BYTES, N.count,
        C.Number(Value));
    return true;
  }
  if (Key.starts_with("amount.")) {
    // A number, or NUMBER/SPANS if not all spans gave one.
    size_t Slash = Value.find('/');
    add(Index, Key.c_str(), LOOPSCOPE_SUM_REAL,
        Slash == std::string::npos ? N.count
                                   : C.Number(Value.substr(Slash + 1)),
        std::bit_cast<uint64_t>(
            static_cast<double>(C.Number(Value.substr(0, Slash)))));
    return true;
  }
  if (Key == "enqueued") {
    add(Index, LOOPSCOPE_SUM_COMM_ENQUEUED, LOOPSCOPE_SUM_BYTES, N.count,
        C.Number(Value));
    return true;
  }
  if (Key == "on-device") { // COUNT/DURATION
    size_t Slash = Value.find('/');
    add(Index, LOOPSCOPE_SUM_COMM_ON_DEVICE, LOOPSCOPE_SUM_TICKS,
        C.Number(Value.substr(0, Slash)), C.Duration(Value.substr(Slash + 1)));
    return true;
  }
  if (Key == "requests") {
    add(Index, LOOPSCOPE_SUM_COMM_REQUESTS, LOOPSCOPE_SUM_TICKS, N.count,
        C.Duration(Value));
    return true;
  }
  if (Key == "off") {
    add(Index, LOOPSCOPE_SUM_FUNCTIONS_OFF, LOOPSCOPE_SUM_TICKS, 1,
        C.Duration(Value));
    return true;
  }
  if (Key != "measured")
    return false;
  for (loopscope_node_sum &Each : Sums)
    if (Each.node == Index && Each.unit == LOOPSCOPE_SUM_TICKS)
      Each.sum = C.Duration(Value);
  return true;
}

void SumsDescription::addCounter(const std::string &Key, uint64_t Value) {
  loopscope_counter_value Next{};
  Next.value = Value;
  Counters.push_back(Next);
  CounterKeys.push_back(Key);
}

void SumsDescription::addFact(const std::string &Name,
                              std::istringstream &Words,
                              const DescriptionContext &C) {
  static const std::map<std::string, uint32_t> Types = {
      {"signed", LOOPSCOPE_FACT_SIGNED}, {"unsigned", LOOPSCOPE_FACT_UNSIGNED},
      {"real", LOOPSCOPE_FACT_REAL},     {"bool", LOOPSCOPE_FACT_BOOL},
      {"text", LOOPSCOPE_FACT_TEXT},     {"numeral", LOOPSCOPE_FACT_NUMERAL}};
  std::string Type, Value;
  Words >> Type >> std::ws;
  std::getline(Words, Value);
  loopscope_fact_record F{};
  auto Known = Types.find(Type);
  F.type = Known != Types.end() ? Known->second
                                : static_cast<uint32_t>(C.Number(Type));
  Name.copy(F.name, sizeof(F.name));
  double Real = std::strtod(Value.c_str(), nullptr);
  if (F.type == LOOPSCOPE_FACT_REAL)
    std::memcpy(&F.value, &Real, sizeof(Real));
  else if (F.type == LOOPSCOPE_FACT_UNSIGNED)
    F.value = std::strtoull(Value.c_str(), nullptr, 10);
  else
    F.value = static_cast<uint64_t>(std::strtoll(Value.c_str(), nullptr, 10));
  if (F.type == LOOPSCOPE_FACT_TEXT || F.type == LOOPSCOPE_FACT_NUMERAL)
    Value.copy(F.text, sizeof(F.text));
  Facts.push_back(F);
}

void SumsDescription::addValue(const std::string &Name,
                               std::istringstream &Words,
                               const DescriptionContext &C) {
  loopscope_value_record V{};
  Name.copy(V.name, sizeof(V.name));
  std::string Word;
  Words >> Word;
  V.width_ticks = C.Duration(Word);
  while (Words >> Word) {
    std::istringstream Parts(Word);
    std::vector<double> Numbers;
    for (std::string Each; std::getline(Parts, Each, '/');)
      Numbers.push_back(std::strtod(Each.c_str(), nullptr));
    Numbers.resize(7);
    auto Bin = static_cast<uint32_t>(Numbers[0]);
    V.used = Bin + 1;
    V.bin[Bin % LOOPSCOPE_VALUE_BINS] = {static_cast<uint64_t>(Numbers[1]),
                                         static_cast<uint64_t>(Numbers[6]),
                                         Numbers[2],
                                         Numbers[3],
                                         Numbers[4],
                                         Numbers[5]};
  }
  Values.push_back(V);
}

void SumsDescription::addRange(const std::string &Name,
                               std::istringstream &Words,
                               const DescriptionContext &C) {
  bool IsEvents = false;
  auto Next = [&](const std::function<uint64_t(const std::string &)> &Read) {
    std::string Word;
    if (IsEvents || !(Words >> Word))
      return uint64_t{0};
    IsEvents = Word == "on";
    return IsEvents ? 0 : Read(Word);
  };
  loopscope_range R{};
  R.count = Next(C.Number);
  R.sum_ticks = Next(C.Duration);
  R.min_ticks = Next(C.Duration);
  R.max_ticks = Next(C.Duration);
  R.open = static_cast<uint32_t>(Next(C.Number));
  R.open_start_ticks = Next(C.Duration);
  R.ended_again = Next(C.Number);
  for (std::string Word; Words >> Word;) {
    size_t Dash = Word.find('-');
    if (Dash == std::string::npos)
      continue; // "on", the eighth word
    loopscope_range_event E{};
    E.sequence = RangeEvents.size() + 1;
    E.begin_ticks = C.Duration(Word.substr(0, Dash));
    std::string End = Word.substr(Dash + 1);
    E.end_ticks = End == "open" ? 0 : C.Duration(End);
    E.range = static_cast<uint32_t>(Ranges.size());
    RangeEvents.push_back(E);
  }
  Ranges.push_back(R);
  RangeNames.push_back(Name);
}

void SumsDescription::place(const PlaceText &Place) {
  for (size_t I = 0; I < Sums.size(); ++I)
    Sums[I].key = Place(Keys[I]);
  for (size_t I = 0; I < Counters.size(); ++I)
    Counters[I].key = Place(CounterKeys[I]);
  for (size_t I = 0; I < Ranges.size(); ++I)
    Ranges[I].name = Place(RangeNames[I]);
}

void SumsDescription::write(const AppendChunk &Append) const {
  if (!Sums.empty())
    Append(LOOPSCOPE_CHUNK_NODE_SUMS, Sums.data(), Sums.size(),
           sizeof(Sums[0]));
  if (!Counters.empty())
    Append(LOOPSCOPE_CHUNK_COUNTERS, Counters.data(), Counters.size(),
           sizeof(Counters[0]));
  if (!Facts.empty())
    Append(LOOPSCOPE_CHUNK_FACTS, Facts.data(), Facts.size(), sizeof(Facts[0]));
  if (!Values.empty())
    Append(LOOPSCOPE_CHUNK_VALUES, Values.data(), Values.size(),
           sizeof(Values[0]));
  if (!Ranges.empty())
    Append(LOOPSCOPE_CHUNK_RANGES, Ranges.data(), Ranges.size(),
           sizeof(Ranges[0]));
  if (!RangeEvents.empty())
    Append(LOOPSCOPE_CHUNK_RANGE_EVENTS, RangeEvents.data(), RangeEvents.size(),
           sizeof(RangeEvents[0]));
}
