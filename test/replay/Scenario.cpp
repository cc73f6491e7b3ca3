// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Reads the scenario.

#include "Scenario.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <sstream>

using namespace replay;

namespace {
[[noreturn]] void refuse(const std::string &Line) {
  std::fprintf(stderr, "replay: not understood in the scenario: %s\n",
               Line.c_str());
  std::abort();
}

uint64_t nanoseconds(const std::string &Text, const std::string &Line) {
  std::istringstream In(Text);
  double Value = 0;
  std::string Unit;
  In >> Value >> Unit;
  static const std::map<std::string, double> Units = {
      {"ns", 1}, {"us", 1e3}, {"ms", 1e6}, {"s", 1e9}};
  auto Found = Units.find(Unit);
  if (Found == Units.end())
    refuse(Line);
  return static_cast<uint64_t>(Value * Found->second);
}

std::string restOf(std::istringstream &In) {
  std::string Rest;
  std::getline(In >> std::ws, Rest);
  return Rest;
}

DeviceModel readDevice(std::istringstream &In) {
  DeviceModel D;
  char Point = 0;
  In >> D.Id >> D.Multiprocessors >> D.Major >> Point >> D.Minor;
  D.Name = restOf(In);
  return D;
}

void readMig(Scenario &S, std::istringstream &In, const std::string &Line) {
  uint32_t Id = 0;
  In >> Id;
  auto Found = std::find_if(S.Devices.begin(), S.Devices.end(),
                            [=](const auto &Each) { return Each.Id == Id; });
  if (Found == S.Devices.end())
    refuse(Line);
  Found->IsMig = true;
  In >> Found->GpuInstance >> Found->ComputeInstance;
}

KernelModel readKernel(std::istringstream &In, const std::string &Line) {
  KernelModel K;
  std::string Time;
  In >> Time;
  K.Ns = nanoseconds(Time, Line);
  for (std::string Word; In >> Word;) {
    size_t Equals = Word.find('=');
    double Value = std::atof(Word.c_str() + Equals + 1); // npos + 1 is 0
    std::string Name =
        Equals == std::string::npos ? "" : Word.substr(0, Equals);
    if (Name.empty())
      K.Registers = static_cast<unsigned>(Value);
    else if (Name == "sm")
      K.Sm = Value;
    else if (Name == "tensor")
      K.Tensor = Value;
    else if (Name == "dram")
      K.Dram = Value;
    else
      refuse(Line);
  }
  return K;
}

void readLine(Scenario &S, const std::string &Line) {
  std::istringstream In(Line.substr(0, Line.find('#')));
  std::string Word;
  std::string Value;
  if (!(In >> Word))
    return;
  if (Word == "device") {
    S.Devices.push_back(readDevice(In));
    return;
  }
  if (Word == "hidden") {
    S.Hidden.push_back(readDevice(In));
    return;
  }
  if (Word == "mig") {
    readMig(S, In, Line);
    return;
  }
  In >> Value;
  std::istringstream Number(Value);
  if (Word == "cupti")
    Number >> S.CuptiVersion;
  else if (Word == "kernel")
    S.Kernels[Value] = readKernel(In, Line);
  else if (Word == "default")
    S.DefaultNs = nanoseconds(Value, Line);
  else if (Word == "copy")
    Number >> S.BytesPerUs;
  else if (Word == "latency")
    S.LatencyNs = nanoseconds(Value, Line);
  else if (Word == "call")
    S.CallNs = nanoseconds(Value, Line);
  else if (Word == "flush-period")
    S.FlushPeriodNs = nanoseconds(Value, Line);
  else if (Word == "default-stream")
    S.OwnDefaultStreams = Value == "thread";
  else if (Word == "graphs")
    S.WholeGraphs = Value == "whole";
  else if (Word == "order")
    S.Reverse = Value == "reverse";
  else if (Word == "hold")
    Number >> S.Hold;
  else if (Word == "no-times")
    Number >> S.NoTimes;
  else if (Word == "drop")
    Number >> S.Drop;
  else if (Word == "orphans")
    Number >> S.Orphans;
  else if (Word == "late")
    S.LateNs = nanoseconds(Value, Line);
  else if (Word == "buffers")
    S.PerThread = Value == "thread";
  else if (Word == "incomplete")
    S.Unreadable = Value == "unreadable";
  else if (Word == "one-a-buffer")
    S.OneABuffer = true;
  else if (Word == "correlation")
    Number >> S.Correlation;
  else if (Word == "driver")
    S.Driver = Value;
  else if (Word == "truth")
    S.Truth = Value;
  else if (Word == "foreign")
    S.Foreign = true;
  else if (Word == "one-subscriber")
    S.OneSubscriber = true;
  else if (Word == "nested")
    S.Nested = true;
  else if (Word == "fatal")
    Number >> S.Fatal;
  else if (Word == "no-work")
    S.NoWork = true;
  else if (Word == "pm-metrics")
    Number >> S.PmMetrics;
  else if (Word == "pm-piece")
    Number >> S.PmPiece;
  else if (Word == "pm-buffer")
    Number >> S.PmBuffer;
  else if (Word == "pm-ahead")
    S.PmAheadNs = nanoseconds(Value, Line);
  else if (Word == "pm-no-numbers")
    S.PmNoNumbers = true;
  else if (Word == "fail") {
    Failure &F = S.CuptiFailures[Value];
    In >> F.Code;
    F.Text = restOf(In);
  } else if (Word == "cuda")
    In >> S.CudaFailures[Value];
  else if (Word == "hang")
    S.Hangs[Value] = true;
  else if (Word == "slow")
    S.SlowNs[Value] = nanoseconds(restOf(In), Line);
  else
    refuse(Line);
}

Scenario read() {
  Scenario S;
  if (const char *Path = std::getenv("LOOPSCOPE_REPLAY")) {
    std::ifstream File(Path);
    if (!File) {
      std::fprintf(stderr, "replay: no scenario %s\n", Path);
      std::abort();
    }
    for (std::string Line; std::getline(File, Line);)
      readLine(S, Line);
  }
  if (S.Devices.empty())
    S.Devices.emplace_back();
  return S;
}
} // namespace

const Scenario &replay::scenario() {
  static const Scenario &S = *new Scenario(read()); // used even at exit
  return S;
}
