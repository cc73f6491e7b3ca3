// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Command line of the compiler launcher.

#include "Launch/Launcher.h"
#include "Launch/Link.h"
#include "Launch/Record.h"
#include "Support/Message.h"
#include "Support/OutputFile.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <optional>

#include <fmt/format.h>

using namespace loopscope;
using namespace loopscope::launch;

namespace {

constexpr std::string_view Help =
    R"(usage: loopscope-launch [options] [--] COMPILER ARGUMENTS...

Compiles as COMPILER would, with Loopscope's hooks in sources that hold
[[loopscope::...]] annotations or LOOPSCOPE_... macros. Put it in front of gcc,
g++, clang, clang++, nvcc or a wrapper of theirs, like MPI's; ccache, distcc and
env may stand between. Sources without annotations, -E and -M run as they are, and
so do programs that aren't compilers. Programs and shared libraries are linked
with the runtime.

Options, before the compiler:
  --on-error=fail         an annotation that can't be instrumented fails the
                          build (default)
  --on-error=passthrough  the file is compiled without hooks, and the profile
                          says that it is missing
  --functions             function mode: the functions of the project's own files
                          get hooks too, in all sources (LOOPSCOPE=advanced)
  --min-size=N            with --functions: the size below which a function is
                          left out
  --functions-from=PROFILE
                          with --functions: leave out what PROFILE, of an
                          earlier run in function mode or with LOOPSCOPE=stacks,
                          shows to be small
  --select=FILE           annotate by the rules in FILE, in all sources
  --record=DIR            keep in DIR what was done with each source
  --summary=DIR [--rules] compile nothing; print what DIR says of the whole
                          build: functions with a hook and without one, by
                          reason, and rules of --select that match nothing;
                          --rules: the rules only
  --check-marks=FILE      compile nothing; warn if none of the objects that FILE
                          lists, one a line, calls the runtime
  --show-errors           print clang's errors that don't stop the build; code
                          with them gets no hooks, and the report names it
  --no-link               don't add the runtime to link commands
  --keep                  leave the rewritten files in OBJECT.loopscope-mirror
  --verbose               print the commands that are run
  --version, --help

Environment:
  LOOPSCOPE_REWRITE       options like the above, for builds whose command can't
                          be changed; those of the command line win
  LOOPSCOPE_SELECT        absolute path of a --select file
  LOOPSCOPE_LAUNCH_QUIET  1: don't warn about commands and sources that are
                          passed on because they aren't known, and about rules
                          at links

Exit code: the compiler's, 1 if something in the sources can't be instrumented,
2 after wrong usage.

Examples:
  One file:
    loopscope-launch g++ -O2 train.cpp -o train
  Make:
    make CC="loopscope-launch gcc" CXX="loopscope-launch g++"
  CMake, all targets (for one target: find_package(Loopscope) and
  loopscope_instrument(target)):
    cmake -DCMAKE_CXX_COMPILER_LAUNCHER=loopscope-launch \
          -DCMAKE_CXX_LINKER_LAUNCHER=loopscope-launch -S . -B build
  The functions of a program that nobody annotated:
    make CXX="loopscope-launch --functions g++" && LOOPSCOPE=advanced ./program
  With ccache, which then caches the instrumented objects:
    make CXX="loopscope-launch ccache g++"
)";

// Wrong usage, or records that can't be read.
constexpr int Failed = 2;

int fail(const std::string &Text) {
  printMessage("error", Text);
  return Failed;
}

/// Prints what a build's records contain.
int printSummary(const Settings &S) {
  Result<Summary> Sum = readRecords(S.Summary);
  if (!Sum)
    return fail(Sum.error().Message);
  if (!S.RulesOnly)
    if (Result<Written> Done = writeOutputFile("-", Sum->text()); !Done)
      return fail(Done.error().Message);
  std::fputs(ruleWarnings(Sum->rules()).c_str(), stderr);
  return 0;
}

/// Warns if none of the objects that FILE lists calls the runtime.
int checkMarks(const std::string &File) {
  std::ifstream List(File);
  if (!List)
    return fail(fmt::format("cannot read '{}': {}; --check-marks takes a list "
                            "of objects",
                            File, std::strerror(errno)));
  for (std::string Object; std::getline(List, Object);)
    if (mayCallRuntime(Object))
      return 0;
  printMessage("warning",
               "no source that loopscope_instrument() compiles has a mark, so "
               "a run records nothing; mark phases or select them "
               "(docs/annotations.md), or see first where the time goes: "
               "loopscope run -- PROGRAM");
  return 0;
}

} // namespace

int main(int Argc, char **Argv) {
  std::vector<std::string> Words(Argv + 1, Argv + Argc);
  Result<Settings> Read = settingsOfEnvironment();
  if (!Read)
    return fail(Read.error().Message);
  Settings S = std::move(*Read);
  Result<std::size_t> Taken = readSettings(Words, S);
  if (!Taken)
    return fail(Taken.error().Message);
  if (S.Help || S.Version) {
    fmt::print("{}",
               S.Help ? Help : "loopscope-launch " LOOPSCOPE_VERSION "\n");
    return 0;
  }
  if (std::optional<Error> Why = checkSettings(S))
    return fail(Why->Message);
  if (!S.Summary.empty())
    return printSummary(S);
  if (!S.Objects.empty())
    return checkMarks(S.Objects);
  std::vector<std::string> Command(
      Words.begin() + static_cast<std::ptrdiff_t>(*Taken), Words.end());
  if (Command.empty())
    return fail("no compiler given; see loopscope-launch --help");
  Result<Ending> End = launch::launch(Command, S);
  if (!End) {
    // Takes the place of the compiler's own exit code.
    printMessage("error", End.error().Message);
    return 1;
  }
  endLike(*End);
}
