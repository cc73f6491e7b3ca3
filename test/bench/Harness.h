// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Measures the cost of short pieces of code in multiples of a floor: two
// readings of the time stamp counter, the minimum for any profiler that records
// the start and end of a span.
//
// All cases of a table run round-robin in one process: each round times a short
// batch of the floor and then one of each case, and a case's figure is the
// median over the rounds of case / floor. Changes of the machine's frequency or
// load affect both sides of that ratio alike.
//
// Header-only and without dependencies, so that the peers' programs, which need
// unusual flags, can use it too.

#ifndef LOOPSCOPE_TEST_BENCH_HARNESS_H
#define LOOPSCOPE_TEST_BENCH_HARNESS_H

#include <algorithm>
#include <cstdint>
#include <functional>
#include <string>
#include <time.h>
#include <vector>

/// Keeps a peer's automatic instrumentation out of the harness.
#if defined(__clang__)
#define BENCH_PLAIN                                                            \
  __attribute__((no_instrument_function, xray_never_instrument))
#else
#define BENCH_PLAIN __attribute__((no_instrument_function))
#endif

namespace bench {

BENCH_PLAIN inline uint64_t readTicks() { return __builtin_ia32_rdtsc(); }

/// The empty body of every measured span, opaque to the compiler.
BENCH_PLAIN inline void emptyBody() { asm volatile("" ::: "memory"); }

/// The floor: the cost of a span that consists of just its two clock readings.
BENCH_PLAIN inline uint64_t runFloor(uint64_t Spans) {
  uint64_t Sum = 0;
  for (uint64_t I = 0; I < Spans; ++I) {
    uint64_t Start = readTicks();
    emptyBody();
    Sum += readTicks() - Start;
  }
  asm volatile("" ::"r"(Sum));
  return Spans;
}

struct Case {
  std::string Name;
  /// The promised ratio to the floor; 0: no promise.
  double Target = 0;
  /// Runs about the given number of spans and returns the exact number.
  std::function<uint64_t(uint64_t)> Run;
  /// Alternative to Run: the ticks per span of such a batch, for a case that
  /// times itself (threads).
  std::function<double(uint64_t)> TicksPerSpan;
  /// The case that the ratio is relative to, as an index into the table; case 0
  /// is the floor.
  unsigned Floor = 0;
  /// Measured in every Nth round; for cases that use up memory.
  unsigned Every = 1;
};

struct Figure {
  double Ticks = 0; ///< per span, median over rounds
  double Ratio = 0; ///< to the floor: median of the rounds' ratios
};

BENCH_PLAIN inline double median(std::vector<double> Values) {
  if (Values.empty())
    return 0;
  auto Middle = Values.begin() + static_cast<std::ptrdiff_t>(Values.size() / 2);
  std::nth_element(Values.begin(), Middle, Values.end());
  return *Middle;
}

BENCH_PLAIN inline double ticksPerSpan(const Case &C, uint64_t Spans) {
  if (C.TicksPerSpan)
    return C.TicksPerSpan(Spans);
  uint64_t Start = readTicks();
  uint64_t Done = C.Run(Spans);
  return static_cast<double>(readTicks() - Start) / static_cast<double>(Done);
}

/// This thread's CPU time in seconds, kernel included: for batches so
/// long that the scheduler interferes.
BENCH_PLAIN inline double processorSeconds() {
  timespec T;
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &T);
  return static_cast<double>(T.tv_sec) + static_cast<double>(T.tv_nsec) * 1e-9;
}

/// Seconds of processor time per span of one batch.
BENCH_PLAIN inline double secondsPerSpan(uint64_t (*Run)(uint64_t),
                                         uint64_t Spans) {
  double Start = processorSeconds();
  uint64_t Done = Run(Spans);
  return (processorSeconds() - Start) / static_cast<double>(Done);
}

/// Measures all cases; case 0 is the floor. A batch lasts about \p BatchTicks.
BENCH_PLAIN inline std::vector<Figure> measure(const std::vector<Case> &Cases,
                                               unsigned Rounds,
                                               double BatchTicks = 200e3) {
  std::vector<uint64_t> Spans;
  for (const Case &C : Cases) {
    ticksPerSpan(C, 64); // first visits and page faults
    double Ticks = std::max(ticksPerSpan(C, 256), 0.05);
    Spans.push_back(static_cast<uint64_t>(
        std::clamp(BatchTicks / Ticks, 64.0, 4 * BatchTicks)));
  }
  std::vector<std::vector<double>> Ticks(Cases.size()), Ratios(Cases.size());
  std::vector<double> Now(Cases.size());
  for (unsigned Round = 0; Round < Rounds; ++Round)
    for (size_t I = 0; I < Cases.size(); ++I) {
      if (Round % Cases[I].Every != 0)
        continue;
      Now[I] = ticksPerSpan(Cases[I], Spans[I]);
      Ticks[I].push_back(Now[I]);
      Ratios[I].push_back(Now[I] / Now[Cases[I].Floor]);
    }
  std::vector<Figure> Figures;
  for (size_t I = 0; I < Cases.size(); ++I)
    Figures.push_back({median(Ticks[I]), median(Ratios[I])});
  return Figures;
}

/// Ticks per nanosecond, from 20 ms of both clocks.
BENCH_PLAIN inline double ticksPerNanosecond() {
  auto Now = [] {
    timespec T;
    clock_gettime(CLOCK_MONOTONIC, &T);
    return static_cast<double>(T.tv_sec) * 1e9 + static_cast<double>(T.tv_nsec);
  };
  double StartNs = Now();
  uint64_t Start = readTicks();
  double EndNs = StartNs;
  while (EndNs < StartNs + 20e6)
    EndNs = Now();
  return static_cast<double>(readTicks() - Start) / (EndNs - StartNs);
}

} // namespace bench

#endif // LOOPSCOPE_TEST_BENCH_HARNESS_H
