// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writes the truth file.

#include "Truth.h"

#include "Scenario.h"
#include "fake_cuda.h"

#include <cstdio>
#include <mutex>

using namespace replay;

namespace {
thread_local std::string Label = "-";

// Null unless the scenario asks for it.
std::FILE *file() {
  static std::FILE *File = scenario().Truth.empty()
                               ? nullptr
                               : std::fopen(scenario().Truth.c_str(), "w");
  return File;
}

template <typename... Ts> void line(const char *Format, Ts... Values) {
  if (file() != nullptr)
    std::fprintf(file(), Format, Values...); // NOLINT: one call, one line
}

unsigned long long wide(uint64_t Value) { return Value; }
} // namespace

void replay::noteWork(const Done &D) {
  line("work %u %s %llu %llu %u %u %u %llu %u %u %s\n", D.Kind,
       D.Name.empty() ? "-" : D.Name.c_str(), wide(D.Ended - D.Ns),
       wide(D.Ended), D.Device, D.Stream, D.Graph, wide(D.Bytes), D.CopyKind,
       D.Grid[0] * D.Grid[1] * D.Grid[2], Label.c_str());
}

void replay::noteWait(uint64_t Start, uint64_t End) {
  line("wait %llu %llu %s\n", wide(Start), wide(End), Label.c_str());
}

void replay::noteFlush(uint64_t Time) { line("flush %llu\n", wide(Time)); }

void replay::noteDevice(uint32_t Id, uint32_t Multiprocessors) {
  line("device %u %u\n", Id, Multiprocessors);
}

void replay::noteRefusal(const char *Holder) { line("refused %s\n", Holder); }

void replay::noteSample(uint32_t Device, uint64_t Start, uint64_t End,
                        double Sm) {
  line("sample %u %llu %llu %.17g\n", Device, wide(Start), wide(End), Sm);
}

void replay::noteCupti(const char *Function, bool AfterCuda) {
  line("cupti %s %s\n", Function, AfterCuda ? "RUN" : "START");
}

extern "C" {
void replayLabel(const char *Path) { Label = Path; }

unsigned long long replayTime(void) { return timestamp(); }

void replayCall(const char *What, unsigned long long Start) {
  line("call %s %llu %llu %s\n", What, Start, wide(timestamp()), Label.c_str());
}
}
