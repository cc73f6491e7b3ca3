// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// loopscope_bench: the cost of Loopscope's hooks, as one table. The program
// runs itself once per mode of the runtime (simple, trace, ...), because the
// mode is fixed before main.

#include "Cases.h"
#include "Peers.h"
#include "Table.h"

#include <loopscope/loopscope.h>

#include <CLI/CLI.hpp>
#include <cstdlib>
#include <fmt/format.h>
#include <fstream>
#include <sys/stat.h>
#include <unistd.h>

using namespace bench;

namespace {

/// Memory mapped by the process, plus its profile's disk space, in bytes.
uint64_t bytesInUse(const std::string &Profile) {
  uint64_t Pages = 0;
  std::ifstream("/proc/self/statm") >> Pages;
  struct stat Status;
  uint64_t Blocks =
      stat(Profile.c_str(), &Status) == 0 ? uint64_t(Status.st_blocks) : 0;
  return Pages * uint64_t(sysconf(_SC_PAGESIZE)) + Blocks * 512;
}

/// In a child: measures one mode and prints its rows for the parent.
int measureMode(const std::string &Mode, unsigned Rounds,
                const std::string &Profile) {
  if ((Mode == "off") == (__loopscope_active != 0)) {
    fmt::print("skip\tLOOPSCOPE={}\tnot available in this build\n", Mode);
    return 0;
  }
  double PerNs = ticksPerNanosecond();
  auto Print = [&](const Case &C, const Figure &F) {
    fmt::print("row\t{}\t{}\t{}\t{}\n", C.Name, F.Ticks / PerNs, F.Ratio,
               C.Target);
  };
  if (Mode.starts_with("simple"))
    for (const LongPhase &Each : longPhases())
      // Only the default has a promised ratio.
      Print({fmt::format("{}, {} (to the bare work)", Each.Name,
                         Mode == "simple" ? "cpu=auto" : Mode.substr(7)),
             Mode == "simple" ? Each.Target : 0, nullptr, nullptr},
            Each.Of);
  if (Mode.starts_with("simple,"))
    return 0;
  if (Mode == "trace")
    Print({"timeline mode, while its ring is new", 0, nullptr, nullptr},
          firstLap());
  std::vector<Case> Cases = Mode == "off"     ? offCases()
                            : Mode == "trace" ? timelineCases()
                                              : recordingCases();
  std::vector<Figure> Figures = measure(Cases, Rounds);
  // The floor is shown once.
  for (size_t I = Mode == "simple" ? 0 : 1; I < Cases.size(); ++I)
    Print(Cases[I], Figures[I]);
  if (Mode == "simple") {
    runPhases(1'000'000);
    uint64_t Before = bytesInUse(Profile);
    runPhases(10'000'000);
    fmt::print("memory\t{}\n", (static_cast<double>(bytesInUse(Profile)) -
                                static_cast<double>(Before)) /
                                   10e6);
  }
  return 0;
}

/// Runs a case of the table and prints its number of spans.
int runCase(const std::string &Name, uint64_t Spans) {
  for (const Case &Each : recordingCases())
    if (Each.Name == Name && Each.Run) {
      fmt::print("{}\n", Each.Run(Spans));
      return 0;
    }
  fmt::print(stderr, "loopscope_bench: there is no case '{}'\n", Name);
  return 1;
}

} // namespace

int main(int Argc, char **Argv) {
  CLI::App App(
      "Measures what Loopscope's hooks cost, as multiples of two reads "
      "of the time\nstamp counter, beside other profilers' hooks.\n\n"
      "  loopscope_bench                  the table\n"
      "  loopscope_bench --markdown       the same for a document\n"
      "  loopscope_bench --rounds 3001    a quieter table\n"
      "  loopscope_bench --check          fails when a target is "
      "missed\n");
  bool Markdown = false, Check = false, NoPeers = false;
  unsigned Rounds = 1001;
  std::string Mode, Profile;
  std::string Only;
  uint64_t Spans = 0, Empty = 0;
  App.add_flag("--markdown", Markdown, "Print the table as Markdown");
  App.add_flag("--check", Check, "Exit with 1 when a target is missed");
  App.add_flag("--no-peers", NoPeers, "Leave the other profilers out");
  App.add_option("--rounds", Rounds, "Rounds to take the median of (1001)")
      ->check(CLI::Range(1u, 1000000u));
  App.add_option("--case", Only,
                 "Only run the case of this name (for callgrind.sh)");
  App.add_option("--spans", Spans, "That many spans of it");
  App.add_option("--empty", Empty,
                 "Only run this many empty loop turns (for callgrind.sh)");
  App.add_option("--mode", Mode, "Measure one mode (used internally)")
      ->group("");
  App.add_option("--profile", Profile, "That mode's profile (used internally)")
      ->group("");
  CLI11_PARSE(App, Argc, Argv);

  if (!Only.empty())
    return runCase(Only, Spans);
  if (Empty) {
    runEmpty(Empty);
    return 0;
  }
  if (!Mode.empty())
    return measureMode(Mode, Rounds, Profile);

  // Measurements run only in the children; this process records nothing.
  if (__loopscope_active) {
    setenv("LOOPSCOPE", "off", 1);
    execv("/proc/self/exe", Argv);
    fmt::print(stderr, "loopscope_bench: cannot start itself again; run it "
                       "with LOOPSCOPE=off\n");
    return 1;
  }
  Table Result;
  for (const char *Which :
       {"simple", "simple,cpu=off", "simple,cpu=on", "trace", "off"})
    Result.addOutput(runMode(Which, Rounds));
  if (!NoPeers)
    for (const Peer &P : peers())
      Result.addOutput(runPeer(P, Rounds));
  fmt::print("{}", Markdown ? Result.markdown() : Result.text());
  return Check && Result.missed() ? 1 : 0;
}
