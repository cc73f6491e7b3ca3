// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The cost of reading a PyTorch trace beyond inflating and parsing it, in one
// process, in alternating rounds:
//
//   parse   libdeflate inflates the file, simdjson's DOM parses it, into
//           memory that is already allocated; the result isn't used
//   tables  file -> events -> the five tables of the TensorBoard formats
//
//   kineto_bench TRACE.gz [ROUNDS]
//
// Prints the best and the median of each, and the ratio of the medians. The
// resident set is the highest of a child process that only makes the report.

#include "Analysis/Device/KernelRows.h"
#include "Analysis/Device/OperatorRows.h"
#include "Analysis/Steps/TraceSteps.h"
#include "Report/Print/TensorBoardJson.h"
#include "Run/Kineto/KinetoReader.h"
#include "Run/Model/HostCalls.h"
#include "Run/Model/LaunchLinks.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fmt/format.h>
#include <fstream>
#include <iterator>
#include <libdeflate.h>
#include <simdjson.h>
#include <string>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <vector>

using namespace loopscope;

namespace {

using Clock = std::chrono::steady_clock;

// The minimal work of any reader of the file. Buffers and parser are reused
// across rounds, so that the baseline is as fast as possible.
class Baseline {
public:
  bool read(const std::string &Path) {
    std::ifstream File(Path, std::ios::binary);
    Compressed.assign(std::istreambuf_iterator<char>(File), {});
    if (Compressed.size() < 18)
      return false;
    uint32_t Size = 0; // the trailer, little-endian
    std::memcpy(&Size, Compressed.data() + Compressed.size() - 4, 4);
    Text.resize(Size + simdjson::SIMDJSON_PADDING);
    return true;
  }

  bool inflate() {
    libdeflate_decompressor *Tool = libdeflate_alloc_decompressor();
    libdeflate_result Code =
        libdeflate_gzip_decompress(Tool, Compressed.data(), Compressed.size(),
                                   Text.data(), size(), nullptr);
    libdeflate_free_decompressor(Tool);
    return Code == LIBDEFLATE_SUCCESS;
  }

  bool parse() {
    simdjson::dom::element Document;
    return Parser.parse(Text.data(), size(), false).get(Document) ==
           simdjson::SUCCESS;
  }

  size_t size() const { return Text.size() - simdjson::SIMDJSON_PADDING; }

private:
  std::string Compressed;
  std::vector<char> Text;
  simdjson::dom::parser Parser;
};

// Total bytes of the five tables; 0 if the trace can't be read.
size_t report(const std::string &Path) {
  Result<Run> Trace = readKinetoTrace(Path, {});
  if (!Trace) {
    fmt::print(stderr, "kineto_bench: {}\n", Trace.error().Message);
    return 0;
  }
  const EventStream &Stream = Trace->Stream;
  LaunchLinks Links(Stream);
  StepAnalysis Steps = analyzeSteps(Stream, Links);
  HostCalls Calls = buildHostCalls(Stream, Links, CallKinds::Operators);
  return tensorBoardOverview(Steps, 1).size() +
         tensorBoardOperators(addUpOperators(*Trace, Calls), Steps.UsesGpu)
             .size() +
         tensorBoardKernels(addUpKernels(Stream)).size();
}

struct Times {
  std::vector<double> Milliseconds;

  template <typename Work> void add(Work Do) {
    Clock::time_point Start = Clock::now();
    Do();
    Milliseconds.push_back(
        std::chrono::duration<double, std::milli>(Clock::now() - Start)
            .count());
  }
  double at(double Fraction) {
    std::sort(Milliseconds.begin(), Milliseconds.end());
    return Milliseconds[static_cast<size_t>(
        Fraction * static_cast<double>(Milliseconds.size() - 1))];
  }
};

// Peak resident set, in KiB, of a process that makes the report once.
long residentSet(const std::string &Path) {
  std::fflush(nullptr);
  pid_t Child = fork();
  if (Child == 0)
    _exit(report(Path) == 0);
  int Status = 0;
  rusage Usage{};
  if (Child < 0 || wait4(Child, &Status, 0, &Usage) != Child || Status != 0)
    return -1;
  return Usage.ru_maxrss;
}

} // namespace

int main(int ArgCount, char **Args) {
  if (ArgCount < 2) {
    fmt::print(stderr, "usage: kineto_bench TRACE.json.gz [ROUNDS]\n");
    return 2;
  }
  std::string Path = Args[1];
  int Rounds = ArgCount > 2 ? std::max(std::atoi(Args[2]), 1) : 21;
  long Resident = residentSet(Path);
  Times Inflate;
  Times Parse;
  Times Report;
  Baseline Floor;
  bool Good = true;
  for (int I = 0; I < Rounds; ++I) {
    Inflate.add([&] { Good &= Floor.read(Path) && Floor.inflate(); });
    Parse.add(
        [&] { Good &= Floor.read(Path) && Floor.inflate() && Floor.parse(); });
    Report.add([&] { Good &= report(Path) != 0; });
  }
  if (!Good || Resident < 0) {
    fmt::print(stderr, "kineto_bench: cannot read '{}'\n", Path);
    return 1;
  }
  double Megabytes = static_cast<double>(Floor.size()) / 1e6;
  fmt::print("{:<24}{:>10}{:>10}\n", "", "best ms", "median ms");
  fmt::print("{:<24}{:>10.1f}{:>10.1f}\n", "inflate alone", Inflate.at(0),
             Inflate.at(0.5));
  fmt::print("{:<24}{:>10.1f}{:>10.1f}\n", "inflate and parse", Parse.at(0),
             Parse.at(0.5));
  fmt::print("{:<24}{:>10.1f}{:>10.1f}\n", "five tables", Report.at(0),
             Report.at(0.5));
  fmt::print("ratio of the medians    {:.2f} ({} rounds)\n",
             Report.at(0.5) / Parse.at(0.5), Rounds);
  fmt::print("ratio of the best       {:.2f}\n", Report.at(0) / Parse.at(0));
  fmt::print("trace                   {:.1f} MB inflated\n", Megabytes);
  fmt::print("resident set            {:.1f} MB, {:.2f} of the inflated size\n",
             static_cast<double>(Resident) * 1024 / 1e6,
             static_cast<double>(Resident) * 1024 / 1e6 / Megabytes);
  return 0;
}
