//===- loopscope-launch.cpp - Command line of the compiler launcher -------===//

#include "Launch/Launcher.h"

#include <cstdlib>

#include <fmt/format.h>

using namespace loopscope;
using namespace loopscope::launch;

namespace {

constexpr std::string_view Help =
    R"(usage: loopscope-launch [options] COMPILER ARGUMENTS...

Compiles as COMPILER would, with Loopscope's hooks in sources that hold
[[loopscope::...]] annotations or LOOPSCOPE_... macros. Put it in front of gcc,
g++, clang, clang++ or nvcc; ccache, sccache and distcc may stand between.
Sources without annotations, -E, -M and commands that it doesn't know run as they
are. Programs and shared libraries are linked with the runtime.

Options, before the compiler:
  --on-error=fail         an annotation that can't be instrumented fails the
                          build (default)
  --on-error=passthrough  the file is compiled without hooks, and the profile
                          says that it is missing
  --no-link               don't add the runtime to link commands
  --keep                  leave the rewritten files in OBJECT.loopscope
  --verbose               print the commands that are run
  --version, --help

Environment:
  LOOPSCOPE_REWRITE       options like the above, for builds whose command can't
                          be changed; those of the command line win

Examples:
  One file:
    loopscope-launch g++ -O2 train.cpp -o train
  Make:
    make CC="loopscope-launch gcc" CXX="loopscope-launch g++"
  CMake, all targets (for one target: find_package(Loopscope) and
  loopscope_instrument(target)):
    cmake -DCMAKE_CXX_COMPILER_LAUNCHER=loopscope-launch \
          -DCMAKE_CXX_LINKER_LAUNCHER=loopscope-launch -S . -B build
  With ccache, which then caches the instrumented objects:
    make CXX="loopscope-launch ccache g++"
)";

int fail(const std::string &Text) {
  fmt::print(stderr, "loopscope-launch: error: {}\n", Text);
  return 1;
}

} // namespace

int main(int Argc, char **Argv) {
  std::vector<std::string> Words(Argv + 1, Argv + Argc);
  Settings S;
  if (const char *Environment = std::getenv("LOOPSCOPE_REWRITE")) {
    std::vector<std::string> Extra = splitResponseText(Environment);
    Result<std::size_t> Taken = readSettings(Extra, S);
    if (!Taken)
      return fail("LOOPSCOPE_REWRITE: " + Taken.error().Message);
    if (*Taken != Extra.size())
      return fail(fmt::format("LOOPSCOPE_REWRITE: '{}' is not an option; see "
                              "loopscope-launch --help",
                              Extra[*Taken]));
  }
  Result<std::size_t> Taken = readSettings(Words, S);
  if (!Taken)
    return fail(Taken.error().Message);
  if (S.Help || S.Version) {
    fmt::print("{}",
               S.Help ? Help : "loopscope-launch " LOOPSCOPE_VERSION "\n");
    return 0;
  }
  std::vector<std::string> Command(
      Words.begin() + static_cast<std::ptrdiff_t>(*Taken), Words.end());
  if (Command.empty())
    return fail("no compiler given; see loopscope-launch --help");
  Result<Ending> End = launch::launch(Command, S);
  if (!End)
    return fail(End.error().Message);
  endLike(*End);
}
