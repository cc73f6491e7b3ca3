// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The measured loops. Every phase has an empty body, so that only the hooks
// remain.

#include "Cases.h"

#include <loopscope/hooks.h>
#include <loopscope/loopscope.h>

#include <deque>

namespace bench {
namespace {

#define PHASE(ID) __LOOPSCOPE_SPAN(ID, PHASE, "phase " #ID, __LINE__, "bench")
#define PHASE_NEXT(ID)                                                         \
  __LOOPSCOPE_SPAN_NEXT(ID, PHASE, "phase " #ID, __LINE__, "bench")
/// One phase from its start to its end.
#define WHOLE(ID)                                                              \
  {                                                                            \
    PHASE(ID);                                                                 \
    emptyBody();                                                               \
  }
#define WHOLE_NEXT(ID)                                                         \
  {                                                                            \
    PHASE_NEXT(ID);                                                            \
    emptyBody();                                                               \
  }
#define NEXT2(A, B) WHOLE_NEXT(A) WHOLE_NEXT(B)
#define NEXT4(A, B, C, D) NEXT2(A, B) NEXT2(C, D)
#define NEXT7(A, B, C, D, E, F, G) NEXT4(A, B, C, D) NEXT2(E, F) WHOLE_NEXT(G)

uint64_t adjacent2(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; I += 2) {
    WHOLE(210)
    WHOLE_NEXT(211)
  }
  return (Spans + 1) / 2 * 2;
}

uint64_t adjacent4(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; I += 4) {
    WHOLE(220)
    NEXT2(221, 222)
    WHOLE_NEXT(223)
  }
  return (Spans + 3) / 4 * 4;
}

uint64_t adjacent8(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; I += 8) {
    WHOLE(230)
    NEXT7(231, 232, 233, 234, 235, 236, 237)
  }
  return (Spans + 7) / 8 * 8;
}

uint64_t adjacent16(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; I += 16) {
    WHOLE(240)
    NEXT7(241, 242, 243, 244, 245, 246, 247)
    NEXT7(248, 249, 250, 251, 252, 253, 254)
    WHOLE_NEXT(255)
  }
  return (Spans + 15) / 16 * 16;
}

/// 32 additions in four chains, independent of the clock's value.
void add32() {
  asm volatile(".rept 8\n add $1, %%r8\n add $1, %%r9\n add $1, %%r10\n"
               " add $1, %%r11\n .endr" ::
                   : "r8", "r9", "r10", "r11", "cc");
}

/// The floor plus about as many instructions as hooks have, of the simplest
/// kind: shows how many of them this processor hides behind its clock readings.
uint64_t floorAndAdditions(uint64_t Spans) {
  uint64_t Sum = 0;
  for (uint64_t I = 0; I < Spans; ++I) {
    uint64_t Start = readTicks();
    add32();
    Sum += readTicks() - Start;
    add32();
  }
  asm volatile("" ::"r"(Sum));
  return Spans;
}

/// Eight separate phases in every step. The step counts as one more span: it
/// has its own start and end.
uint64_t stepLoop(uint64_t Spans) {
  __LOOPSCOPE_SPAN(300, TRAIN, "train", __LINE__, "bench");
  for (uint64_t I = 0; I < Spans; I += 9) {
    __LOOPSCOPE_STEP(301, 300);
    __LOOPSCOPE_SAMPLES(301, 32);
    WHOLE(302)
    WHOLE(303)
    WHOLE(304)
    WHOLE(305)
    WHOLE(306)
    WHOLE(307)
    WHOLE(308)
    WHOLE(309)
  }
  return (Spans + 8) / 9 * 9;
}

/// The same with adjacent phases: a step takes ten readings.
uint64_t stepLoopAdjacent(uint64_t Spans) {
  __LOOPSCOPE_SPAN(320, TRAIN, "train", __LINE__, "bench");
  for (uint64_t I = 0; I < Spans; I += 9) {
    __LOOPSCOPE_STEP(321, 320);
    __LOOPSCOPE_SAMPLES(321, 32);
    WHOLE_NEXT(322)
    NEXT7(323, 324, 325, 326, 327, 328, 329)
  }
  return (Spans + 8) / 9 * 9;
}

uint64_t nested4(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; I += 4) {
    PHASE(401);
    PHASE(402);
    PHASE(403);
    PHASE(404);
    emptyBody();
  }
  return (Spans + 3) / 4 * 4;
}

__attribute__((noinline)) void recurse(unsigned Depth) {
  PHASE(500);
  if (Depth > 1)
    recurse(Depth - 1);
  emptyBody();
}

uint64_t recursion8(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; I += 8)
    recurse(8);
  return (Spans + 7) / 8 * 8;
}

/// A reproducible source of random bits (xorshift), cheap compared with two
/// clock readings.
struct Random {
  uint64_t State = 88172645463325252u;
  uint64_t next() {
    State ^= State << 13;
    State ^= State >> 7;
    State ^= State << 17;
    return State;
  }
};

__attribute__((noinline)) void shared(){WHOLE(600)}

/// One phase under two alternating parents.
uint64_t alternatingParent(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; I += 4) {
    {
      PHASE(601);
      shared();
    }
    {
      PHASE(602);
      shared();
    }
  }
  return (Spans + 3) / 4 * 4;
}

/// The same with unpredictable parents.
uint64_t randomParent(uint64_t Spans) {
  static Random Source;
  uint64_t Bits = 0;
  for (uint64_t I = 0; I < Spans; I += 2) {
    if (I % 64 == 0)
      Bits = Source.next();
    if (Bits & 1) {
      PHASE(611);
      shared();
    } else {
      PHASE(612);
      shared();
    }
    Bits >>= 1;
  }
  return (Spans + 1) / 2 * 2;
}

/// One of sixteen phases, in a shuffled order that repeats only after 1024: the
/// next child is almost never the one that followed last time. The site comes
/// from a table, so that the processor's own mispredicted jumps don't count as
/// ours.
uint64_t misses(uint64_t Spans) {
  static loopscope_site Sites[16];
  static unsigned char Order[1024];
  if (!Sites[0].__abi) {
    static const char *const Names[16] = {
        "m0", "m1", "m2",  "m3",  "m4",  "m5",  "m6",  "m7",
        "m8", "m9", "m10", "m11", "m12", "m13", "m14", "m15"};
    Random Source;
    for (unsigned I = 0; I < 16; ++I)
      Sites[I] = LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, Names[I], I, "bench");
    for (unsigned char &Child : Order)
      Child = Source.next() >> 20 & 15;
  }
  for (uint64_t I = 0; I < Spans; ++I) {
    __loopscope_span Span(Sites[Order[I & 1023]], LOOPSCOPE_KIND_PHASE, false);
    emptyBody();
  }
  return Spans;
}

#define KEYED(ID, KEY)                                                         \
  __LOOPSCOPE_KEYED_SITE(ID, PHASE, "phase " #ID, __LINE__, "bench", "key");   \
  __LOOPSCOPE_KEYED(ID, 0, KEY)

/// One phase whose key is always the same.
uint64_t sameKey(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I) {
    KEYED(620, 17);
    emptyBody();
  }
  return Spans;
}

/// The layers of a network: 32 keys that come in the same order.
uint64_t keysInTurn(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I) {
    KEYED(621, I % 32);
    emptyBody();
  }
  return Spans;
}

/// The same in another order each time.
uint64_t keysAtRandom(uint64_t Spans) {
  static unsigned char Order[1024];
  if (Order[0] == 0) {
    Random Source;
    for (unsigned char &Key : Order)
      Key = (Source.next() >> 20 & 15) + 1;
  }
  for (uint64_t I = 0; I < Spans; ++I) {
    KEYED(622, Order[I & 1023]);
    emptyBody();
  }
  return Spans;
}

/// Four texts of 6 bytes in turn.
uint64_t textsInTurn(uint64_t Spans) {
  static const char *const Names[] = {"conv2d", "linear", "pool2d", "dropou"};
  for (uint64_t I = 0; I < Spans; ++I) {
    KEYED(623, Names[I % 4]);
    emptyBody();
  }
  return Spans;
}

/// A fibre after the other, with a span open on each.
uint64_t fibreSwitches(uint64_t Spans) {
  static const loopscope_site Open =
      LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "open", __LINE__, "bench");
  loopscope_token Tokens[2];
  for (uint64_t Fibre : {0, 1}) {
    loopscope_fibre_switch(Fibre + 1);
    Tokens[Fibre] = loopscope_enter(&Open);
  }
  for (uint64_t I = 0; I < Spans; ++I)
    loopscope_fibre_switch(1 + I % 2);
  for (uint64_t Fibre : {0, 1}) {
    loopscope_fibre_switch(Fibre + 1);
    loopscope_leave(Tokens[Fibre]);
    loopscope_fibre_end(Fibre + 1);
  }
  return Spans;
}

uint64_t ranges(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I)
    loopscope_range_end(loopscope_range_begin("prefetch"));
  return Spans;
}

/// Call paths that are always new: sixteen new sites under a new parent.
uint64_t firstVisits(uint64_t) {
  static std::deque<loopscope_site> Sites;
  auto Fresh = [] {
    Sites.push_back(LOOPSCOPE_SITE(LOOPSCOPE_KIND_PHASE, "fresh",
                                   static_cast<uint32_t>(Sites.size()),
                                   "bench"));
    return Sites.back();
  };
  PHASE(700);
  for (unsigned I = 0; I < 17; ++I)
    Fresh();
  auto Site = Sites.end() - 17;
  __loopscope_span Parent(*Site, LOOPSCOPE_KIND_PHASE, false);
  for (unsigned I = 1; I < 17; ++I)
    __loopscope_span Child(Site[I], LOOPSCOPE_KIND_PHASE, false);
  return 17;
}

} // namespace

void runPhases(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I)
    WHOLE(100)
}

void runEmpty(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I)
    emptyBody();
}

static uint64_t phases(uint64_t Spans) {
  runPhases(Spans);
  return Spans;
}

std::vector<Case> offCases() {
  return {{"floor: two TSC reads", 0, runFloor, nullptr},
          {"hooks compiled in, LOOPSCOPE=off", 0.05, phases, nullptr}};
}

std::vector<Case> timelineCases() {
  return {{"floor: two TSC reads", 0, runFloor, nullptr},
          {"a phase, timeline mode (LOOPSCOPE=trace)", 1.15, phases, nullptr}};
}

Figure firstLap() {
  constexpr uint64_t Spans = 1'000'000; // 16 MiB of events
  std::vector<double> Seconds, Ratios;
  for (unsigned Round = 0; Round < 15; ++Round) {
    double Floor = secondsPerSpan(runFloor, Spans);
    Seconds.push_back(secondsPerSpan(phases, Spans));
    Ratios.push_back(Seconds.back() / Floor);
  }
  return {median(Seconds) * 1e9 * ticksPerNanosecond(), median(Ratios)};
}

namespace {
// Work that neither compiler nor processor can shorten.
__attribute__((noinline)) void work(uint64_t Turns) {
  for (uint64_t I = 0; I < Turns; ++I)
    add32();
}

uint64_t turnsFor(double Seconds) {
  constexpr uint64_t Many = 4'000'000;
  std::vector<double> Each;
  for (int I = 0; I < 5; ++I) {
    double Start = processorSeconds();
    work(Many);
    Each.push_back(processorSeconds() - Start);
  }
  return static_cast<uint64_t>(Seconds / median(Each) * Many);
}

// Iterations in the bodies of the two loops below.
uint64_t LongTurns;

uint64_t bareWork(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I)
    work(LongTurns);
  return Spans;
}

__attribute__((noinline)) uint64_t phases100us(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I) {
    PHASE(800);
    work(LongTurns);
  }
  return Spans;
}

__attribute__((noinline)) uint64_t phases2ms(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I) {
    PHASE(801);
    work(LongTurns);
  }
  return Spans;
}
} // namespace

std::vector<LongPhase> longPhases() {
  struct Length {
    const char *Name;
    double Seconds;
    uint64_t (*Run)(uint64_t);
  };
  constexpr Length Lengths[] = {{"a 100 us phase", 100e-6, phases100us},
                                {"a 2 ms phase", 2e-3, phases2ms}};
  constexpr double BatchSeconds = 0.02;
  constexpr unsigned Rounds = 101;
  std::vector<LongPhase> Result;
  for (const Length &Each : Lengths) {
    LongTurns = turnsFor(Each.Seconds);
    auto Spans = static_cast<uint64_t>(BatchSeconds / Each.Seconds);
    Each.Run(Spans); // until it is decided whether to measure them
    std::vector<double> Seconds, Ratios;
    for (unsigned Round = 0; Round < Rounds; ++Round) {
      double Floor = secondsPerSpan(bareWork, Spans);
      Seconds.push_back(secondsPerSpan(Each.Run, Spans));
      Ratios.push_back(Seconds.back() / Floor);
    }
    Result.push_back(
        {Each.Name,
         {median(Seconds) * 1e9 * ticksPerNanosecond(), median(Ratios)},
         1.005});
  }
  return Result;
}

std::vector<Case> recordingCases() {
  auto Reads = [](unsigned Count, unsigned Spans) {
    return 1.05 * Count / (2.0 * Spans);
  };
  // k adjacent phases need k + 1 readings. In a loop of eight phases the step
  // is a ninth span: its two readings are its end and the end of its draw.
  auto Adjacent = [&](unsigned Phases) { return Reads(Phases + 1, Phases); };
  std::vector<Case> Cases = {
      {"floor: two TSC reads", 0, runFloor, nullptr},
      {"floor: two TSC reads, two threads", 0, nullptr, twoThreads(runFloor)},
      {"two TSC reads and 64 additions", 0, floorAndAdditions, nullptr},
      {"a phase", 1.05, phases, nullptr},
      {"2 adjacent phases, each", Adjacent(2), adjacent2, nullptr},
      {"4 adjacent phases, each", Adjacent(4), adjacent4, nullptr},
      {"8 adjacent phases, each", Adjacent(8), adjacent8, nullptr},
      {"16 adjacent phases, each", Adjacent(16), adjacent16, nullptr},
      {"step loop, 8 phases: per span", Reads(18, 9), stepLoop, nullptr},
      {"step loop, 8 adjacent phases: per span", Reads(10, 9), stepLoopAdjacent,
       nullptr},
      {"4 nested phases, each", 1.05, nested4, nullptr},
      {"recursion 8 deep, each", 1.05, recursion8, nullptr},
      {"a phase, two threads (to their floor)", 1.05, nullptr,
       twoThreads(phases), 1},
      {"2 parents in turn, per span", 1.05, alternatingParent, nullptr},
      {"2 parents at random, per span", 2.0, randomParent, nullptr},
      {"16 children at random (prediction miss)", 2.0, misses, nullptr},
      {"a phase with one key", 1.05, sameKey, nullptr},
      {"32 keys in turn, each", 1.15, keysInTurn, nullptr},
      {"4 texts of 6 bytes in turn, each", 1.40, textsInTurn, nullptr},
      {"16 keys at random (prediction miss)", 2.0, keysAtRandom, nullptr},
      {"a switch to another fibre", 0, fibreSwitches, nullptr},
      {"a range that need not nest", 0, ranges, nullptr},
      {"first visit of a call path", 0, firstVisits, nullptr, 0, 8}};
  return Cases;
}

} // namespace bench
