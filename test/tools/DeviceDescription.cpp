// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Builds a described profile's device records.

#include "DeviceDescription.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <optional>
#include <utility>

namespace {
const std::map<std::string, uint32_t> Units = {
    {"percent", LOOPSCOPE_UNIT_PERCENT}, {"bytes", LOOPSCOPE_UNIT_BYTES},
    {"watts", LOOPSCOPE_UNIT_WATTS},     {"celsius", LOOPSCOPE_UNIT_CELSIUS},
    {"hertz", LOOPSCOPE_UNIT_HERTZ},     {"count", LOOPSCOPE_UNIT_COUNT}};

// Reads the KEY=VALUE of the next word; false at the end of the line.
bool nextPair(std::istringstream &Words, const DescriptionContext &C,
              std::string &Key, std::string &Value) {
  std::string Word;
  if (!(Words >> Word))
    return false;
  size_t Equals = Word.find('=');
  if (Equals == std::string::npos)
    C.Die("stray word " + Word);
  Key = Word.substr(0, Equals);
  Value = Word.substr(Equals + 1);
  return true;
}
} // namespace

void DeviceDescription::readMetric(std::istringstream &Words,
                                   const DescriptionContext &C) {
  std::string Unit, Gpu;
  Texts Text;
  Words >> Text.Name >> Unit;
  auto Found = Units.find(Unit);
  if (Found == Units.end())
    C.Die("unknown unit " + Unit);
  loopscope_metric M{};
  M.unit = Found->second;
  M.device = LOOPSCOPE_NONE;
  if (Words >> Gpu)
    M.device = static_cast<uint32_t>(C.Number(Gpu));
  std::getline(Words >> std::ws, Text.Device);
  Metrics.push_back(M);
  Names.push_back(Text);
}

void DeviceDescription::readSamples(std::istringstream &Words,
                                    const DescriptionContext &C) {
  std::string Metric, Node, Key, Value;
  Words >> Metric >> Node;
  loopscope_metric_sum S{};
  S.metric = static_cast<uint32_t>(C.Number(Metric));
  S.node = C.Node(Node);
  const std::map<std::string, double *> Numbers = {
      {"sum", &S.sum}, {"min", &S.min}, {"max", &S.max}};
  while (nextPair(Words, C, Key, Value)) {
    if (auto Plain = Numbers.find(Key); Plain != Numbers.end())
      *Plain->second = std::strtod(Value.c_str(), nullptr);
    else if (Key == "count")
      S.count = C.Number(Value);
    else if (Key == "sequence")
      S.sequence = static_cast<uint32_t>(C.Number(Value));
    else
      C.Die("unknown key " + Key);
  }
  Sums.push_back(S);
}

void DeviceDescription::readUse(std::istringstream &Words,
                                const DescriptionContext &C) {
  static const std::map<std::string, uint16_t> Numbers = {
#define LOOPSCOPE_USE_NUMBER_(NUMBER, IDENTIFIER, NAME, UNIT) {NAME, NUMBER},
      LOOPSCOPE_GPU_USES(LOOPSCOPE_USE_NUMBER_)
#undef LOOPSCOPE_USE_NUMBER_
  };
  std::string Of, Key, Value;
  Words >> Of;
  loopscope_gpu_use All = {};
  if (Of == "many" || Of.starts_with("idle")) {
    All.owner = Of == "many" ? LOOPSCOPE_USE_OF_MANY : LOOPSCOPE_USE_OF_IDLE;
    Of = Of.starts_with("idle:") ? Of.substr(5) : "none";
  }
  All.node = C.Node(Of);
  std::optional<double> Min, Max;
  std::vector<std::pair<uint16_t, double>> Means;
  while (nextPair(Words, C, Key, Value)) {
    double Real = std::strtod(Value.c_str(), nullptr);
    if (Key == "device")
      All.device = static_cast<uint32_t>(C.Number(Value));
    else if (Key == "windows")
      All.windows = C.Number(Value);
    else if (Key == "time")
      All.ticks = C.Duration(Value);
    else if (Key == "min")
      Min = Real;
    else if (Key == "max")
      Max = Real;
    else if (Key == "number")
      Means.emplace_back(C.Number(Value), 0);
    else if (auto Known = Numbers.find(Key); Known != Numbers.end())
      Means.emplace_back(Known->second, Real);
    else
      C.Die("unknown key " + Key);
  }
  for (auto [Use, Mean] : Means) {
    loopscope_gpu_use Next = All;
    Next.use = Use;
    Next.integral = Mean * static_cast<double>(All.ticks);
    Next.min = Min.value_or(Mean);
    Next.max = Max.value_or(Mean);
    Uses.push_back(Next);
  }
}

bool DeviceDescription::read(const std::string &Word, std::istringstream &Words,
                             const DescriptionContext &C) {
  std::string Key, Value;
  if (Word == "sampler") {
    Words >> Value;
    C.Header->sampler_ms = static_cast<uint32_t>(C.Number(Value));
    while (nextPair(Words, C, Key, Value)) {
      if (Key == "rounds")
        C.Header->sampler_rounds = C.Number(Value);
      else if (Key == "cost")
        C.Header->sampler_cost_ns = C.Duration(Value);
      else
        C.Die("unknown key " + Key);
    }
  } else if (Word == "sampler-note") {
    std::getline(Words >> std::ws, Value);
    std::snprintf(C.Header->sampler_note, sizeof(C.Header->sampler_note), "%s",
                  Value.c_str());
  } else if (Word == "metric") {
    readMetric(Words, C);
  } else if (Word == "samples") {
    readSamples(Words, C);
  } else if (Word == "use") {
    readUse(Words, C);
  } else {
    return false;
  }
  return true;
}

void DeviceDescription::place(const PlaceText &Place) {
  for (size_t I = 0; I < Metrics.size(); ++I) {
    Metrics[I].name = Place(Names[I].Name);
    Metrics[I].device_name = Place(Names[I].Device);
  }
}

void DeviceDescription::write(const AppendChunk &Append) const {
  if (!Metrics.empty())
    Append(LOOPSCOPE_CHUNK_METRICS, Metrics.data(), Metrics.size(),
           sizeof(Metrics[0]));
  if (!Sums.empty())
    Append(LOOPSCOPE_CHUNK_METRIC_SUMS, Sums.data(), Sums.size(),
           sizeof(Sums[0]));
  if (!Uses.empty())
    Append(LOOPSCOPE_CHUNK_GPU_USE, Uses.data(), Uses.size(), sizeof(Uses[0]));
}
