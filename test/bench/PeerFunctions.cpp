// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Times a compiler's function hooks: built with -finstrument-functions and run
// under uftrace, or built with XRay. Usage: PROGRAM NAME ROUNDS

#include "Harness.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>

#ifdef BENCH_XRAY
#include <xray/xray_interface.h>
#include <xray/xray_log_interface.h>
#endif

/// The only function with hooks.
#ifdef BENCH_XRAY
__attribute__((noinline, xray_always_instrument))
#else
__attribute__((noinline))
#endif
void traced() {
  bench::emptyBody();
}

/// The call itself isn't the profiler's cost: it is timed as well and
/// subtracted.
BENCH_PLAIN __attribute__((noinline)) static void plain() {
  bench::emptyBody();
}

BENCH_PLAIN static uint64_t runTraced(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I)
    traced();
  return Spans;
}

BENCH_PLAIN static uint64_t runPlain(uint64_t Spans) {
  for (uint64_t I = 0; I < Spans; ++I)
    plain();
  return Spans;
}

BENCH_PLAIN int main(int Argc, char **Argv) {
  if (Argc != 3)
    return 2;
#ifdef BENCH_XRAY
  bool FlightRecorder = !std::strcmp(Argv[1], "xray-fdr");
  if (FlightRecorder) {
    if (__xray_log_select_mode("xray-fdr") != XRAY_REGISTRATION_OK ||
        __xray_log_init_mode("xray-fdr", "buffer_size=16384:buffer_max=1000") !=
            XRAY_LOG_INITIALIZED ||
        __xray_patch() != SUCCESS)
      return 3;
  }
  const char *Label =
      FlightRecorder ? "XRay, flight data recorder" : "XRay, basic mode";
#else
  const char *Label = "uftrace -finstrument-functions";
#endif
  double PerNs = bench::ticksPerNanosecond();
  std::vector<bench::Case> Cases = {{"floor", 0, bench::runFloor, nullptr},
                                    {"call", 0, runPlain, nullptr},
                                    {"hooks", 0, runTraced, nullptr}};
  std::vector<bench::Figure> Figures = bench::measure(
      Cases, static_cast<unsigned>(std::strtoul(Argv[2], nullptr, 10)));
  std::printf("row\t%s\t%f\t%f\t0\n", Label,
              (Figures[2].Ticks - Figures[1].Ticks) / PerNs,
              Figures[2].Ratio - Figures[1].Ratio);
  return 0;
}
