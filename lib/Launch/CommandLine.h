// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A real compiler's command line as a value.
//
// Tells what gcc, g++, clang, clang++ and nvcc were asked to do, without
// running them: the launcher decides from it whether and how to step in, and
// the rewriter reads the same options to translate a command. No LLVM.

#ifndef LOOPSCOPE_LAUNCH_COMMANDLINE_H
#define LOOPSCOPE_LAUNCH_COMMANDLINE_H

#include "Launch/Compiler.h"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace loopscope::launch {

/// What a command does, as far as instrumentation is concerned.
enum class Mode {
  Compile, ///< Sources to objects or assembly (-c, -S, nvcc's -dc, -lib).
  Build,   ///< Sources to a program or shared library in one command.
  Link,    ///< Objects and libraries only.
  Other    ///< -E, -M, -fsyntax-only, --version, standard input, ...
};

/// What an option means when our Clang parses the source.
enum ParseUse : unsigned {
  Kept = 1,     ///< The same.
  KeptPath = 2, ///< Its value is a path that a source's name may start with.
  Asked = 4,    ///< The compiler has to be asked with it where its headers are.
  Translated = 8, ///< The rewriter writes it in another way (Invocation.cpp).
  Unknown = 16    ///< May say something; our Clang has no such option.
};

/// One option or input of the command line.
struct Option {
  std::string Name;   ///< Canonical ("-I" for nvcc's --include-path too); ""
                      ///< for an input file; a flag's whole text otherwise.
  std::string Value;  ///< Of an option that takes one; the path of an input.
  std::size_t Index;  ///< Of its first word in CommandLine::Args.
  std::size_t Length; ///< 1, or 2 where the value is the next word.
  unsigned Uses = 0;  ///< ParseUse
};

/// A source file that the compiler would compile.
struct Source {
  std::size_t Index;    ///< In CommandLine::Args.
  std::string Path;     ///< As given.
  std::string Language; ///< "c", "c++", "cuda", "c-header", "c++-header".
};

/// An input whose text may hold annotations, but that can't be rewritten.
struct OpaqueInput {
  std::string Path;   ///< "-": standard input.
  std::string What;   ///< "a preprocessed file".
  std::string Advice; ///< What to do instead.
};

struct CommandLine {
  /// What precedes the compiler, such as ccache. The first Runners words (env,
  /// nice) just run what follows them.
  std::vector<std::string> Launchers;
  std::size_t Runners = 0;
  std::string Compiler; ///< As given.
  Family Kind = Family::Unknown;
  bool CPlusPlusDriver = false; ///< g++, clang++: .c files are C++.
  /// What follows the compiler, with @files expanded and without a `--`. The
  /// first FromEnvironment.first and the last FromEnvironment.second of them
  /// come from NVCC_PREPEND_FLAGS and NVCC_APPEND_FLAGS, which nvcc adds
  /// itself.
  std::vector<std::string> Args;
  std::pair<std::size_t, std::size_t> FromEnvironment = {0, 0};
  bool Separated = false; ///< There was a `--` in front of inputs.
  std::vector<Option> Options;
  std::vector<Source> Sources;
  std::vector<OpaqueInput> Opaque;
  Mode Action = Mode::Other;
  bool Preprocesses = false;   ///< -E, --version or wrong: Action is Other.
  std::string Output;          ///< Of -o; "" where it wasn't given.
  bool WritesDepfile = false;  ///< -MD, -MMD and their -Wp, forms.
  std::string Depfile;         ///< Of -MF or -Wp,-MD,FILE; "" if derived.
  bool LanguageForced = false; ///< An -x is in force at the end.

  /// Launchers, the compiler, and those of Args that don't come from the
  /// environment.
  std::vector<std::string> words() const;
  /// The value of the last NAME, or none.
  std::optional<std::string> lastValue(std::string_view Name) const;
  /// Whether option NAME occurs.
  bool has(std::string_view Name) const;
};

/// Reads a complete command (launchers, compiler, arguments). Relative @files
/// are looked up in \p Directory; one that can't be read stays an argument, as
/// with gcc. \p Who is the compiler if its name doesn't tell; while that is
/// unknown, its arguments are read by gcc's rules.
CommandLine parseCommandLine(const std::vector<std::string> &Command,
                             const std::string &Directory, Compiler Who = {});

/// The words of a response file's text, with gcc's quoting rules, or with those
/// of nvcc's --options-file, where a single quote is an ordinary letter.
std::vector<std::string> splitResponseText(std::string_view Text,
                                           std::string_view Quotes = "\"'");

/// \p Path relative to \p Directory; absolute paths stay as they are.
std::string absoluteIn(const std::string &Path, const std::string &Directory);

} // namespace loopscope::launch

#endif // LOOPSCOPE_LAUNCH_COMMANDLINE_H
