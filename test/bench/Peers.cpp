// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// See Peers.h. CMake defines BENCH_<PEER>_PROGRAM and BENCH_<PEER>_REASON.

#include "Peers.h"

#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fmt/format.h>

namespace fs = std::filesystem;

namespace bench {
namespace {

/// A scratch directory that is removed after the measurement.
class Scratch {
public:
  Scratch() {
    std::string Name =
        (fs::temp_directory_path() / "loopscope-XXXXXX").string();
    if (const char *Made = mkdtemp(Name.data()))
      Path = Made;
  }
  ~Scratch() {
    std::error_code Ignored;
    if (!Path.empty())
      fs::remove_all(Path, Ignored);
  }
  Scratch(const Scratch &) = delete;
  Scratch &operator=(const Scratch &) = delete;
  std::string Path;
};

/// Standard output of a shell command.
std::string outputOf(const std::string &Command) {
  std::string Output;
  std::fflush(stdout);
  if (FILE *Pipe = popen(Command.c_str(), "r")) {
    char Buffer[4096];
    while (size_t Read = std::fread(Buffer, 1, sizeof Buffer, Pipe))
      Output.append(Buffer, Read);
    pclose(Pipe);
  }
  return Output;
}

std::string replaceAll(std::string Text, const std::string &From,
                       const std::string &To) {
  for (size_t At = 0; (At = Text.find(From, At)) != std::string::npos;
       At += To.size())
    Text.replace(At, From.size(), To);
  return Text;
}

} // namespace

std::vector<Peer> peers() {
  return {{"uftrace -finstrument-functions", BENCH_UFTRACE_PROGRAM,
           BENCH_UFTRACE_REASON,
           "uftrace record --no-libcall -b 256M -d {directory}/data {program} "
           "uftrace {rounds} 2>/dev/null"},
          {"XRay, basic mode", BENCH_XRAY_PROGRAM, BENCH_XRAY_REASON,
           "cd {directory} && XRAY_OPTIONS='patch_premain=true "
           "xray_mode=xray-basic verbosity=0' {program} xray-basic {rounds} "
           "2>/dev/null"},
          {"XRay, flight data recorder", BENCH_XRAY_PROGRAM, BENCH_XRAY_REASON,
           "cd {directory} && {program} xray-fdr {rounds} 2>/dev/null"},
          {"PyTorch RECORD_USER_SCOPE", BENCH_TORCH_PROGRAM, BENCH_TORCH_REASON,
           "{program} torch {rounds} 2>/dev/null"}};
}

std::string runMode(const std::string &Mode, unsigned Rounds) {
  Scratch Directory;
  std::string Profile = Directory.Path + "/bench.loopscope";
  std::string Options =
      Mode == "off" ? "off"
                    : fmt::format("{},report=none,output={}", Mode, Profile);
  std::string Self = fs::read_symlink("/proc/self/exe").string();
  return outputOf(fmt::format("LOOPSCOPE='{}' '{}' --mode {} --rounds {} "
                              "--profile '{}'{}",
                              Options, Self, Mode, Rounds, Profile,
                              // A runtime without the mode prints that to
                              // stderr.
                              Mode == "trace" ? " 2>/dev/null" : ""));
}

std::string runPeer(const Peer &P, unsigned Rounds) {
  if (P.Program.empty())
    return fmt::format("skip\t{}\t{}\n", P.Name, P.Reason);
  Scratch Directory;
  std::string Command = replaceAll(P.Command, "{program}", P.Program);
  Command = replaceAll(Command, "{directory}", Directory.Path);
  // A peer writes one event per span; fewer rounds keep its data small.
  Command = replaceAll(Command, "{rounds}",
                       fmt::format("{}", Rounds < 101 ? Rounds : 101));
  std::string Output = outputOf(Command);
  if (Output.find("row\t") == std::string::npos)
    return fmt::format("skip\t{}\tits program printed no figures\n", P.Name);
  return Output;
}

} // namespace bench
