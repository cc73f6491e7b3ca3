//===- CommandLine.h - A real compiler's command line as a value ----------===//
//
// What gcc, g++, clang, clang++ and nvcc were asked to do, without running
// them: the launcher decides from it whether and how to step in, and the
// rewriter's invocation translation reads the same options. No LLVM.
//
//===----------------------------------------------------------------------===//

#ifndef LOOPSCOPE_LAUNCH_COMMANDLINE_H
#define LOOPSCOPE_LAUNCH_COMMANDLINE_H

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace loopscope::launch {

/// Whose options the command line uses.
enum class Family { Unknown, Gcc, Clang, Nvcc };

/// What a command does, as far as instrumentation is concerned.
enum class Mode {
  Compile, ///< Sources to objects or assembly (-c, -S, nvcc's -dc).
  Build,   ///< Sources to a program or shared library in one command.
  Link,    ///< Objects and libraries only.
  Other    ///< -E, -M, -fsyntax-only, --version, standard input, ...
};

/// One option or input of the command line.
struct Option {
  std::string Name;   ///< Canonical ("-I" for nvcc's --include-path too); ""
                      ///< for an input file; a flag's whole text otherwise.
  std::string Value;  ///< Of an option that takes one; the path of an input.
  std::size_t Index;  ///< Of its first word in CommandLine::Args.
  std::size_t Length; ///< 1, or 2 where the value is the next word.
};

/// A source file that the compiler would compile.
struct Source {
  std::size_t Index;    ///< In CommandLine::Args.
  std::string Path;     ///< As given.
  std::string Language; ///< "c", "c++", "cuda", "c-header", "c++-header".
};

struct CommandLine {
  std::vector<std::string> Launchers; ///< What stood in front, e.g. ccache.
  std::string Compiler;               ///< As given.
  Family Kind = Family::Unknown;
  bool CPlusPlusDriver = false;  ///< g++, clang++: .c files are C++.
  std::vector<std::string> Args; ///< Behind the compiler, @files expanded.
  std::vector<Option> Options;
  std::vector<Source> Sources;
  Mode Action = Mode::Other;
  std::string Output;          ///< Of -o; "" where it wasn't given.
  bool WritesDepfile = false;  ///< -MD, -MMD and their -Wp, forms.
  std::string Depfile;         ///< Of -MF or -Wp,-MD,FILE; "" if derived.
  bool LanguageForced = false; ///< An -x is in force at the end.

  /// The value of the last NAME, or none.
  std::optional<std::string> lastValue(std::string_view Name) const;
  /// Whether option NAME occurs.
  bool has(std::string_view Name) const;
};

/// Who PROGRAM is, from its file name: "/usr/bin/x86_64-linux-gnu-g++-12" is
/// Gcc. MPI's wrappers count as Gcc.
Family compilerFamily(std::string_view Program);

/// Reads a complete command (launchers, compiler, arguments). Relative @files
/// are looked up in DIRECTORY; one that can't be read stays an argument, as
/// with gcc. An unknown compiler gives Kind Unknown and Action Other.
CommandLine parseCommandLine(const std::vector<std::string> &Command,
                             const std::string &Directory);

/// The words of a response file's text, with gcc's quoting rules.
std::vector<std::string> splitResponseText(std::string_view Text);

/// PATH seen from DIRECTORY: absolute paths stay as they are.
std::string absoluteIn(const std::string &Path, const std::string &Directory);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_COMMANDLINE_H
